/// Appends facts with their times to an input of metadata.
///
/// They become a track of their own (`mebx`), which refers to the first video track and is written along with
/// it: a sudden end costs no more of them than of the pictures. A track without facts is left out of the movie.
public final class AVAssetWriterInputMetadataAdaptor: Sendable {
  /// The input that is fed.
  public let assetWriterInput: AVAssetWriterInput

  /// An adaptor of an input.
  public init(assetWriterInput input: AVAssetWriterInput) { assetWriterInput = input }

  /// Hands facts over that hold from the beginning of the group's range, to its end, or where it has none, to the
  /// next group. A group without items says that nothing holds. Groups come in order of their times.
  ///
  /// - Returns: False where they were not taken; the writer's `error` says why: a key of another space than
  ///   QuickTime's, one that the input's hint lacks, a value that its type does not hold, a time before that of the
  ///   last group, 16 MiB that wait for pictures of their times.
  @discardableResult
  public func append(_ timedMetadataGroup: AVTimedMetadataGroup) -> Bool {
    assetWriterInput.appendData { data throws(AVError) in try data.append(timedMetadataGroup) }
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
