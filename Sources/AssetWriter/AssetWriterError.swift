/// What can go wrong when a movie is written.
public struct AssetWriterError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: String, Sendable, Hashable, Codable {
    /// A call that the writer's status does not allow.
    case invalidStatus
    /// No session was started: the writer does not know where the movie begins.
    case sessionNotStarted
    /// The input was not added to a writer.
    case inputNotAdded
    /// The input was marked as finished.
    case inputFinished
    /// The input's queue is full: its encoder or the disk is not done with what came before.
    case notReady
    /// The track is further ahead of the slowest one than the interleaving limit allows.
    case trackTooFarAhead
    /// A sample that is no later than the one before.
    case timeNotIncreasing
    /// A sample whose time is no number, or too far from the one before.
    case invalidTime
    /// A sample that is not what the input was set up for.
    case formatMismatch
    /// Settings that no track can have.
    case invalidSettings
    /// An encoder that this machine does not have.
    case encoderUnavailable
    /// A codec that the pictures cannot feed.
    case codecUnavailable
    /// The encoder failed.
    case encodingFailed
    /// The file exists.
    case fileExists
    /// The file cannot be written.
    case fileFailed
    /// The disk is full; what was written before is a valid movie.
    case diskFull
    /// No memory, or no thread.
    case outOfResources
    /// Writing was cancelled.
    case cancelled
  }

  /// The kind of failure.
  public let code: Code
  /// What failed and what to do about it, in one line.
  public let message: String
  /// The system's error number behind it, where there is one.
  public let errno: Int32?
  /// True where writing ended early and the file is nevertheless a complete movie, as Apple's
  /// `AVErrorRecordingSuccessfullyFinishedKey` says.
  public var recordingSuccessfullyFinished: Bool

  /// An error from its kind and its one-line message.
  public init(
    _ code: Code, _ message: String, errno: Int32? = nil,
    recordingSuccessfullyFinished: Bool = false
  ) {
    self.code = code
    self.message = message
    self.errno = errno
    self.recordingSuccessfullyFinished = recordingSuccessfullyFinished
  }

  /// The message.
  public var description: String { message }
}
