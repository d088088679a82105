public import MediaCore

/// What can go wrong when ProRes is written, read or mended.
public struct ProResError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    public let name: String

    /// A configuration that no ProRes frame can have.
    public static let invalidConfiguration = Self(name: "invalidConfiguration")
    /// A picture that is not what the encoder was configured for.
    public static let unsupportedPicture = Self(name: "unsupportedPicture")
    /// A destination with fewer bytes than a frame can take.
    public static let bufferTooSmall = Self(name: "bufferTooSmall")
    /// Bytes that are not a ProRes frame, or not the one that was asked for.
    public static let invalidFrame = Self(name: "invalidFrame")
    /// No memory.
    public static let outOfMemory = Self(name: "outOfMemory")
    /// A worker thread that the system did not start.
    public static let threadFailure = Self(name: "threadFailure")
  }

  public let core: ErrorCore<Code>

  public init(core: ErrorCore<Code>) { self.core = core }
}
