/// What can go wrong with movie files.
public struct QuickTimeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: String, Sendable, Hashable {
    /// The file is there already, and overwriting was not asked for.
    case fileExists
    /// There is no such file or folder.
    case notFound
    /// The system refused access, or the file system is read-only.
    case permissionDenied
    /// Another process writes the file at this moment.
    case busy
    /// No space, or no quota, is left (ENOSPC, EDQUOT).
    case diskFull
    /// The file system cannot hold a file of this size (EFBIG).
    case fileTooLarge
    /// Another system call failed.
    case ioFailed
    /// No memory.
    case outOfMemory
    /// A parameter that makes no sense.
    case invalidArgument
    /// A call that the present state does not allow.
    case invalidState
    /// The file is no QuickTime movie.
    case notAMovie
    /// The file is a movie, but its structure is damaged.
    case damaged
    /// The file is a movie in a form that this reader or recovery does not know.
    case unsupported
    /// The file holds no whole fragment: there is nothing to save.
    case nothingRecorded
  }

  /// The kind of failure.
  public let code: Code
  /// What failed and what to do about it, in one line.
  public let message: String
  /// The system's error number behind it, where there is one.
  public let errno: Int32?

  /// An error from its kind and its one-line message.
  public init(_ code: Code, _ message: String, errno: Int32? = nil) {
    self.code = code
    self.message = message
    self.errno = errno
  }

  /// The same with the file's name before the message, where it does not begin with it.
  func naming(_ name: String) -> QuickTimeError {
    message.hasPrefix(name) ? self : QuickTimeError(code, "\(name): \(message)", errno: errno)
  }

  /// The message.
  public var description: String { message }

  /// True where the disk gave out (space, quota or a fault), so that what is whole in the file can
  /// still be saved: ``MovieWriter/finishAfterFailure()``.
  public var isDiskFailure: Bool {
    code == .diskFull || code == .fileTooLarge || code == .ioFailed
  }
}
