public import Foundation
public import MediaCore

extension AVPartialAsyncProperty where Root: AVAsset {
  /// The duration of the longest track; invalid if the file does not give it.
  public static var duration: AVAsyncProperty<Root, CMTime> {
    AVAsyncProperty { asset throws(AVError) in try asset.contents().duration }
  }
  /// The video and audio tracks, and a QuickTime movie's timecode and timed metadata tracks, in file order.
  public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> {
    AVAsyncProperty { asset throws(AVError) in try asset.contents().allTracks }
  }
  /// The file's metadata.
  public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty { asset throws(AVError) in try asset.contents().metadata }
  }
  /// The metadata with keys common to all containers.
  public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    opened { $0.commonMetadata }
  }
  /// When it was created; nil if the file does not say.
  public static var creationDate: AVAsyncProperty<Root, AVMetadataItem?> {
    opened { $0.creationDate }
  }
  /// The formats of the metadata.
  public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
    opened { $0.availableMetadataFormats }
  }
  /// The rate at which players play it; 1 is as recorded.
  public static var preferredRate: AVAsyncProperty<Root, Float> { opened { $0.preferredRate } }
  /// The transform of the first video track.
  public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
    opened { $0.preferredTransform }
  }
  /// True if the file has a track that can be read.
  public static var isReadable: AVAsyncProperty<Root, Bool> { opened { $0.isReadable } }
  /// True if the file has a track that can be decoded.
  public static var isPlayable: AVAsyncProperty<Root, Bool> { opened { $0.isPlayable } }
  /// True if the file has video or audio.
  public static var isExportable: AVAsyncProperty<Root, Bool> { opened { $0.isExportable } }
  /// True if the file has a track that a composition can use.
  public static var isComposable: AVAsyncProperty<Root, Bool> { opened { $0.isComposable } }
  /// False: protected content cannot be read.
  public static var hasProtectedContent: AVAsyncProperty<Root, Bool> {
    opened { $0.hasProtectedContent }
  }

  private static func opened<Value>(
    _ value: @escaping @Sendable (AVAsset) -> Value
  ) -> AVAsyncProperty<Root, Value> {
    AVAsyncProperty { asset throws(AVError) in
      _ = try asset.contents()
      return value(asset)
    }
  }
}

extension AVPartialAsyncProperty where Root: AVAssetTrack {
  /// The formats of the track's media.
  public static var formatDescriptions: AVAsyncProperty<Root, [CMFormatDescription]> {
    AVAsyncProperty { $0.descriptions }
  }
  /// The displayed size before the track's transform.
  public static var naturalSize: AVAsyncProperty<Root, CGSize> {
    AVAsyncProperty { $0.naturalSize }
  }
  /// How players transform the video.
  public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
    AVAsyncProperty { $0.preferredTransform }
  }
  /// Frames per second; 0 for audio.
  public static var nominalFrameRate: AVAsyncProperty<Root, Float> {
    AVAsyncProperty { $0.nominalFrameRate }
  }
  /// The duration of a frame; invalid for audio.
  public static var minFrameDuration: AVAsyncProperty<Root, CMTime> {
    AVAsyncProperty { $0.minFrameDuration }
  }
  /// The track's range on the asset's timeline.
  public static var timeRange: AVAsyncProperty<Root, CMTimeRange> {
    AVAsyncProperty { $0.timeRange }
  }
  /// The timescale of the track's timestamps.
  public static var naturalTimeScale: AVAsyncProperty<Root, CMTimeScale> {
    AVAsyncProperty { $0.naturalTimeScale }
  }
  /// Bits per second; 0 if unknown.
  public static var estimatedDataRate: AVAsyncProperty<Root, Float> {
    AVAsyncProperty { $0.estimatedDataRate }
  }
  /// Bytes of all samples; 0 if unknown.
  public static var totalSampleDataLength: AVAsyncProperty<Root, Int64> {
    AVAsyncProperty { $0.totalSampleDataLength }
  }
  /// The language, as an ISO 639-2 code; nil if unknown.
  public static var languageCode: AVAsyncProperty<Root, String?> {
    AVAsyncProperty { $0.languageCode }
  }
  /// The segments of the track's edit list.
  public static var segments: AVAsyncProperty<Root, [AVAssetTrackSegment]> {
    AVAsyncProperty { $0.segments }
  }
  /// The track's metadata.
  public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty { $0.metadata }
  }
  /// False for a track that players skip by default; always true for a track of a file.
  public static var isEnabled: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isEnabled } }
}
