public import MediaCore

/// Reads the groups of a timed metadata track.
///
/// ```swift
/// let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
/// let adaptor = AVAssetReaderOutputMetadataAdaptor(assetReaderTrackOutput: output)
/// reader.add(output)
/// reader.startReading()
/// while let group = adaptor.nextTimedMetadataGroup() { use(group) }
/// ```
public final class AVAssetReaderOutputMetadataAdaptor: Sendable {
  public let assetReaderTrackOutput: AVAssetReaderTrackOutput

  /// An adaptor for an output of a metadata track. For another track, its reader fails or does not start; Apple's
  /// stops the program.
  public init(assetReaderTrackOutput trackOutput: AVAssetReaderTrackOutput) {
    assetReaderTrackOutput = trackOutput
    if trackOutput.mediaType != .metadata {
      trackOutput.refuse("groups can be read only from a metadata track")
    }
  }

  /// The next group, with the time range in which its items are valid; without items if none are. Nil after the last
  /// one, before reading has started, and if reading failed. The reader's status distinguishes these.
  public func nextTimedMetadataGroup() -> AVTimedMetadataGroup? {
    guard let sample = assetReaderTrackOutput.copyNextSampleBuffer() else { return nil }
    do throws(AVError) {
      guard case .metadata(let metadata)? = sample.dataSample else {
        throw AVError(.operationNotAllowed, "groups can be read only from a metadata track")
      }
      let range = sample.timeRange
      return AVTimedMetadataGroup(items: try metadata.items(during: range), timeRange: range)
    } catch {
      assetReaderTrackOutput.fail(error)
      return nil
    }
  }
}

extension AVTimedMetadataGroup {
  /// The items of a timed metadata sample returned by a reader, with its time range; nil for a damaged or any other
  /// sample.
  public convenience init?(sampleBuffer: CMSampleBuffer) {
    let range = sampleBuffer.timeRange
    guard case .metadata(let metadata)? = sampleBuffer.dataSample,
      let items = try? metadata.items(during: range)
    else { return nil }
    self.init(items: items, timeRange: range)
  }
}

extension MetadataSample {
  fileprivate func items(during range: CMTimeRange) throws(AVError) -> [AVMetadataItem] {
    try keys.items(in: block.contents, during: range)
  }
}

extension SampleBuffer {
  /// The range in which the sample is valid.
  fileprivate var timeRange: CMTimeRange {
    CMTimeRange(start: presentationTimeStamp, duration: duration)
  }
}

extension AVAssetReaderOutputMetadataAdaptor: Hashable {
  public static func == (
    lhs: AVAssetReaderOutputMetadataAdaptor, rhs: AVAssetReaderOutputMetadataAdaptor
  ) -> Bool { lhs === rhs }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
