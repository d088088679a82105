public import SystemPackage

/// An error of this package: a code to act on, a message to show, and the cause if known.
///
/// Each module has its own error type, which only adds its codes:
///
/// ```swift
/// do throws(CaptureError) {
///   try session.startRunning()
/// } catch where error.code == .deviceBusy {
///   print(error.message)
/// }
/// ```
public protocol CodedError: Error, Hashable, CustomStringConvertible {
  /// The kinds of failure.
  associatedtype Code: ErrorCode

  /// What the error holds.
  var core: ErrorCore<Code> { get }

  /// An error from what it holds.
  init(core: ErrorCore<Code>)
}

extension CodedError {
  /// An error from its kind and its one-line message.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - message: What failed and what to do about it, in one line.
  ///   - errno: The system's error number, where a system call failed.
  public init(_ code: Code, _ message: String, errno: Errno? = nil) {
    self.init(core: ErrorCore(code: code, message: message, cause: errno.map { .system($0) }))
  }

  /// An error that a C library gave.
  package init(_ code: Code, _ message: String, library: LibraryError) {
    self.init(core: ErrorCore(code: code, message: message, cause: .library(library)))
  }

  /// The error of another module in this one's terms: its cause stays, and its message unless there
  /// is another.
  package init(_ code: Code, _ message: String? = nil, from other: some CodedError) {
    self.init(
      core: ErrorCore(code: code, message: message ?? other.message, cause: other.core.cause))
  }

  /// The kind of failure.
  public var code: Code { core.code }

  /// What failed and what to do about it, in one line.
  public var message: String { core.message }

  /// The system's error number, where a system call failed.
  public var errno: Errno? {
    if case .system(let number) = core.cause { number } else { nil }
  }

  /// What made it fail: an `Errno` or a ``LibraryError``, where one is known.
  public var underlyingError: (any Error)? {
    switch core.cause {
    case .system(let number): number
    case .library(let error): error
    case nil: nil
    }
  }

  public var description: String { message }
}

extension CodedError {
  /// For callers of C functions, which have the number as it is.
  package init(_ code: Code, _ message: String, errno: Int32) {
    self.init(code, message, errno: Errno(rawValue: errno))
  }
}
