/// Appends timed metadata to a metadata input.
///
/// It becomes a separate track (`mebx`) that refers to the first video track and is written along with it, so an
/// interruption costs no more metadata than video. A track without items is omitted from the movie.
public final class AVAssetWriterInputMetadataAdaptor: Sendable {
  public let assetWriterInput: AVAssetWriterInput

  public init(assetWriterInput input: AVAssetWriterInput) { assetWriterInput = input }

  /// Appends items that are valid from the start of the group's range to its end, or if it has no duration, to the
  /// next group. A group without items means that no items are valid. Append groups in time order.
  ///
  /// - Returns: False on failure; the writer's `error` says why: a key in another key space than QuickTime's, a key
  ///   that the input's hint lacks, a value that does not fit its type, a time before the last group's, or 16 MiB of
  ///   metadata waiting for video.
  @discardableResult
  public func append(_ timedMetadataGroup: AVTimedMetadataGroup) -> Bool {
    assetWriterInput.appendData { data throws(AVError) in try data.append(timedMetadataGroup) }
  }
}

extension AVAssetWriterInputMetadataAdaptor: Hashable {
  public static func == (
    lhs: AVAssetWriterInputMetadataAdaptor, rhs: AVAssetWriterInputMetadataAdaptor
  ) -> Bool { lhs === rhs }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
