/// Tracks of which a player plays one at a time, such as languages. None are written here: a writer adds no group, and
/// its inputs are added one by one.
public final class AVAssetWriterInputGroup: Sendable {
  /// The inputs, as they were given.
  public let inputs: [AVAssetWriterInput]
  /// The one that is played where nobody chooses; nil for none.
  public let defaultInput: AVAssetWriterInput?

  /// A group, which changes none of its inputs.
  public init(inputs: [AVAssetWriterInput], defaultInput: AVAssetWriterInput?) {
    (self.inputs, self.defaultInput) = (inputs, defaultInput)
  }
}

extension AVAssetWriterInputGroup: Hashable {
  /// True for the same object.
  public static func == (lhs: AVAssetWriterInputGroup, rhs: AVAssetWriterInputGroup) -> Bool {
    lhs === rhs
  }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension AVAssetWriter {
  /// None: no group is added.
  public var inputGroups: [AVAssetWriterInputGroup] { [] }

  /// False: tracks are not grouped here.
  public func canAdd(_ inputGroup: AVAssetWriterInputGroup) -> Bool { false }

  /// Not done: the writer fails, and ``error`` says why.
  public func add(_ inputGroup: AVAssetWriterInputGroup) {
    fail(
      AVError(
        .operationNotAllowed,
        "tracks are not grouped here; ask canAdd(_:) before, and add the inputs alone"))
  }
}
