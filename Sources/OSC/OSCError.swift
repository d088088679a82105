public import MediaCore

/// What can go wrong with Open Sound Control.
public struct OSCError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    public let name: String

    /// Bytes that are no packet.
    public static let invalidPacket = Self(name: "invalidPacket")
    /// The address cannot be listened on.
    public static let cannotListen = Self(name: "cannotListen")
  }

  public let core: ErrorCore<Code>

  public init(core: ErrorCore<Code>) { self.core = core }
}
