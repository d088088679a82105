/// What can go wrong with buffers and formats.
public struct MediaCoreError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    public let name: String

    /// A size that the pixel format cannot have.
    public static let invalidDimensions = Self(name: "invalidDimensions")
    /// Memory of another size or alignment than the format needs.
    public static let invalidLayout = Self(name: "invalidLayout")
    /// No memory.
    public static let outOfMemory = Self(name: "outOfMemory")
    /// A pool has handed out all its buffers.
    public static let poolExhausted = Self(name: "poolExhausted")
    /// The system gives no more threads.
    public static let outOfResources = Self(name: "outOfResources")
    /// A conversion that does not exist.
    public static let unsupportedConversion = Self(name: "unsupportedConversion")
  }

  public let core: ErrorCore<Code>

  public init(core: ErrorCore<Code>) { self.core = core }
}
