public import MediaCore

/// What can go wrong with a server of this protocol.
public struct HyperDeckError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    public let name: String

    /// The address cannot be listened on.
    public static let cannotListen = Self(name: "cannotListen")
  }

  public let core: ErrorCore<Code>

  public init(core: ErrorCore<Code>) { self.core = core }
}
