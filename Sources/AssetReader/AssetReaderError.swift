/// What can go wrong in reading a movie, a Y4M file or raw pictures.
public struct AssetReaderError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// There is no such file.
    case fileNotFound
    /// The system refused access.
    case permissionDenied
    /// The file is no movie: text, an unknown container, nothing at all.
    case notAMovie
    /// The movie has no picture or sound, or not the track that was asked for.
    case noSuchTrack
    /// A codec, a layout or a size that cannot be read here.
    case unsupported
    /// The file ends within a frame, or before its own index says.
    case truncated
    /// Data that breaks the rules of its format.
    case corrupt
    /// A frame that the decoder refused; reading may go on with the next one.
    case decodeFailed
    /// A parameter that makes no sense.
    case invalidArgument
    /// A call that the present state does not allow.
    case invalidState
    /// The system failed to read.
    case readFailed
    /// The task was cancelled while it waited for a pipe.
    case cancelled
    /// No memory.
    case outOfMemory
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

  /// The message.
  public var description: String { message }
}
