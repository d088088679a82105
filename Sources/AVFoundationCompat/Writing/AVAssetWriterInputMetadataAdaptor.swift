/// Appends facts with their times to an input of metadata. No such track is written here: a writer adds no input of
/// metadata, and what is appended is refused.
public final class AVAssetWriterInputMetadataAdaptor: Sendable {
  /// The input that would be fed.
  public let assetWriterInput: AVAssetWriterInput

  /// An adaptor of an input.
  public init(assetWriterInput input: AVAssetWriterInput) { assetWriterInput = input }

  /// Takes nothing.
  ///
  /// - Returns: False: the error of a writer that has the input says why.
  @discardableResult
  public func append(_ timedMetadataGroup: AVTimedMetadataGroup) -> Bool {
    assetWriterInput.refuse(
      AVError(
        .operationNotAllowed,
        "metadata with times are not written here; set the writer's metadata before writing starts"
      ))
    return false
  }
}

extension AVAssetWriterInputMetadataAdaptor: Hashable {
  /// True for the same object.
  public static func == (
    lhs: AVAssetWriterInputMetadataAdaptor, rhs: AVAssetWriterInputMetadataAdaptor
  ) -> Bool { lhs === rhs }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
