public import MediaCore

/// An error between a recorder and its clients.
public struct ControlError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    public let name: String

    /// The recorder cannot do that in the state it is in.
    public static let invalidState = Self(name: "invalidState")
    /// A line is no message, or one with a value that cannot be.
    public static let invalidMessage = Self(name: "invalidMessage")
    /// A line is longer than a message may be.
    public static let messageTooLong = Self(name: "messageTooLong")
    /// The message is of a later version than this program knows.
    public static let unsupportedVersion = Self(name: "unsupportedVersion")
    /// The recorder knows no such command.
    public static let unknownCommand = Self(name: "unknownCommand")
    /// The socket cannot be made or reached.
    public static let socketFailed = Self(name: "socketFailed")
    /// A recorder listens on that socket already.
    public static let socketInUse = Self(name: "socketInUse")
    /// The user is not allowed to control the recorder.
    public static let notPermitted = Self(name: "notPermitted")
    /// The limit of connected clients is reached.
    public static let tooManyClients = Self(name: "tooManyClients")
    /// The other side closed the connection.
    public static let connectionClosed = Self(name: "connectionClosed")
    /// The other side did not answer in time.
    public static let timedOut = Self(name: "timedOut")
  }

  public let core: ErrorCore<Code>

  public init(core: ErrorCore<Code>) { self.core = core }
}
