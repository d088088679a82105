/// What can go wrong with buffers and formats.
public struct MediaCoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: String, Sendable, Hashable {
    /// A size that the pixel format cannot have.
    case invalidDimensions
    /// Memory of another size or alignment than the format needs.
    case invalidLayout
    /// No memory.
    case outOfMemory
    /// A pool has handed out all its buffers.
    case poolExhausted
    /// The system gives no more threads.
    case outOfResources
    /// A conversion that does not exist.
    case unsupportedConversion
  }

  /// The kind of failure.
  public let code: Code
  /// What failed and what to do about it, in one line.
  public let message: String

  /// An error from its kind and its one-line message.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
