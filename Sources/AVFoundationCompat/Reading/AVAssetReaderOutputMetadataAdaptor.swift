public import MediaCore

/// Gives what a track of timed metadata holds, group after group.
///
/// ```swift
/// let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
/// let adaptor = AVAssetReaderOutputMetadataAdaptor(assetReaderTrackOutput: output)
/// reader.add(output)
/// reader.startReading()
/// while let group = adaptor.nextTimedMetadataGroup() { use(group) }
/// ```
public final class AVAssetReaderOutputMetadataAdaptor: Sendable {
  /// What the groups are read of.
  public let assetReaderTrackOutput: AVAssetReaderTrackOutput

  /// An adaptor of an output of a track of metadata. Of another track, where Apple's stops the program, its reader
  /// fails, or does not start.
  public init(assetReaderTrackOutput trackOutput: AVAssetReaderTrackOutput) {
    assetReaderTrackOutput = trackOutput
    if trackOutput.mediaType != .metadata {
      trackOutput.refuse("groups are read of a track of metadata")
    }
  }

  /// The next group, with the range of time in which its items hold, without items where nothing holds. Nil behind
  /// the last one, before reading has started, and where reading failed: the reader's status tells which.
  public func nextTimedMetadataGroup() -> AVTimedMetadataGroup? {
    guard let sample = assetReaderTrackOutput.copyNextSampleBuffer() else { return nil }
    do throws(AVError) {
      guard case .metadata(let metadata)? = sample.dataSample else {
        throw AVError(.operationNotAllowed, "groups are read of a track of metadata")
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
  /// The facts of a sample of timed metadata that a reader gave, and when they hold; nil for another sample, and a
  /// damaged one.
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
  /// From when to when it holds.
  fileprivate var timeRange: CMTimeRange {
    CMTimeRange(start: presentationTimeStamp, duration: duration)
  }
}

extension AVAssetReaderOutputMetadataAdaptor: Hashable {
  /// True for the same object.
  public static func == (
    lhs: AVAssetReaderOutputMetadataAdaptor, rhs: AVAssetReaderOutputMetadataAdaptor
  ) -> Bool { lhs === rhs }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
