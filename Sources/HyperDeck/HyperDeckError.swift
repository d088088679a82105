public import MediaCore

/// An error of a server of this protocol.
public struct HyperDeckError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    public let name: String

    /// The server cannot listen on its address.
    public static let cannotListen = Self(name: "cannotListen")
  }

  public let core: ErrorCore<Code>

  public init(core: ErrorCore<Code>) { self.core = core }
}
