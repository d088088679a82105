public import MediaCore

/// An error of Open Sound Control.
public struct OSCError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    public let name: String

    /// The bytes are not a packet.
    public static let invalidPacket = Self(name: "invalidPacket")
    /// The server cannot listen on its address.
    public static let cannotListen = Self(name: "cannotListen")
  }

  public let core: ErrorCore<Code>

  public init(core: ErrorCore<Code>) { self.core = core }
}
