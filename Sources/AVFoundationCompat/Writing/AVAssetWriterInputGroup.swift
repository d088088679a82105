/// Tracks of which a player plays one at a time, such as languages. Not supported: writers reject groups, and inputs
/// are added separately.
public final class AVAssetWriterInputGroup: Sendable {
  public let inputs: [AVAssetWriterInput]
  /// The input that is played by default; nil for none.
  public let defaultInput: AVAssetWriterInput?

  /// A group, which does not change its inputs.
  public init(inputs: [AVAssetWriterInput], defaultInput: AVAssetWriterInput?) {
    (self.inputs, self.defaultInput) = (inputs, defaultInput)
  }
}

extension AVAssetWriterInputGroup: Hashable {
  public static func == (lhs: AVAssetWriterInputGroup, rhs: AVAssetWriterInputGroup) -> Bool {
    lhs === rhs
  }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension AVAssetWriter {
  /// None: groups are not supported.
  public var inputGroups: [AVAssetWriterInputGroup] { [] }

  /// False: groups are not supported.
  public func canAdd(_ inputGroup: AVAssetWriterInputGroup) -> Bool { false }

  /// Not supported: the writer fails, and ``error`` says why.
  public func add(_ inputGroup: AVAssetWriterInputGroup) {
    fail(
      AVError(
        .operationNotAllowed,
        "groups of tracks are not supported; call canAdd(_:) first, and add the inputs separately"))
  }
}
