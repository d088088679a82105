/// What can go wrong when ProRes is written, read or mended.
public struct ProResError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: String, Sendable, Hashable {
    /// A configuration that no ProRes frame can have.
    case invalidConfiguration
    /// A picture that is not what the encoder was configured for.
    case unsupportedPicture
    /// A destination with fewer bytes than a frame can take.
    case bufferTooSmall
    /// Bytes that are no ProRes frame, or not the one that was asked for.
    case invalidFrame
    /// No memory.
    case outOfMemory
    /// A worker thread that the system did not start.
    case threadFailure
  }

  /// The kind of failure.
  public let code: Code
  /// What failed and what to do about it, in one line.
  public let message: String
  /// The system's error number, 0 where there is none.
  public let errorNumber: Int32

  /// An error from its kind and its one-line message.
  public init(_ code: Code, _ message: String, errorNumber: Int32 = 0) {
    self.code = code
    self.message = message
    self.errorNumber = errorNumber
  }

  /// The message.
  public var description: String { message }
}
