public import Foundation
public import MediaCore

extension AVPartialAsyncProperty where Root: AVAsset {
  /// The length of the longest track; invalid where the file does not say.
  public static var duration: AVAsyncProperty<Root, CMTime> {
    AVAsyncProperty { asset throws(AVError) in try asset.contents().duration }
  }
  /// The video tracks and audio, and of a QuickTime movie's timecode and timed metadata, in the file's order.
  public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> {
    AVAsyncProperty { asset throws(AVError) in try asset.contents().allTracks }
  }
  /// What the file says of itself.
  public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty { asset throws(AVError) in try asset.contents().metadata }
  }
  /// What the file says of itself under names that all containers share.
  public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    opened { $0.commonMetadata }
  }
  /// When it was made; nil if the file does not say.
  public static var creationDate: AVAsyncProperty<Root, AVMetadataItem?> {
    opened { $0.creationDate }
  }
  /// The formats of its metadata.
  public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
    opened { $0.availableMetadataFormats }
  }
  /// How fast players play it: 1 is as it was recorded.
  public static var preferredRate: AVAsyncProperty<Root, Float> { opened { $0.preferredRate } }
  /// The turn of the first video track.
  public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
    opened { $0.preferredTransform }
  }
  /// True if the file has a track that can be read.
  public static var isReadable: AVAsyncProperty<Root, Bool> { opened { $0.isReadable } }
  /// True if the file has a track that can be decoded.
  public static var isPlayable: AVAsyncProperty<Root, Bool> { opened { $0.isPlayable } }
  /// True if the file has pictures or audio.
  public static var isExportable: AVAsyncProperty<Root, Bool> { opened { $0.isExportable } }
  /// True if the file has a track that a composition can take.
  public static var isComposable: AVAsyncProperty<Root, Bool> { opened { $0.isComposable } }
  /// False: what is protected cannot be read.
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
  /// What the track holds.
  public static var formatDescriptions: AVAsyncProperty<Root, [CMFormatDescription]> {
    AVAsyncProperty { $0.descriptions }
  }
  /// Width and height as shown, before the track's transform.
  public static var naturalSize: AVAsyncProperty<Root, CGSize> {
    AVAsyncProperty { $0.naturalSize }
  }
  /// How a player turns the pictures.
  public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
    AVAsyncProperty { $0.preferredTransform }
  }
  /// Frames a second; 0 for audio.
  public static var nominalFrameRate: AVAsyncProperty<Root, Float> {
    AVAsyncProperty { $0.nominalFrameRate }
  }
  /// The length of a frame; invalid for audio.
  public static var minFrameDuration: AVAsyncProperty<Root, CMTime> {
    AVAsyncProperty { $0.minFrameDuration }
  }
  /// Where the track lies in the asset.
  public static var timeRange: AVAsyncProperty<Root, CMTimeRange> {
    AVAsyncProperty { $0.timeRange }
  }
  /// Units a second of the track's time stamps.
  public static var naturalTimeScale: AVAsyncProperty<Root, CMTimeScale> {
    AVAsyncProperty { $0.naturalTimeScale }
  }
  /// Bits a second; 0 where not known.
  public static var estimatedDataRate: AVAsyncProperty<Root, Float> {
    AVAsyncProperty { $0.estimatedDataRate }
  }
  /// Bytes of all samples; 0 where not known.
  public static var totalSampleDataLength: AVAsyncProperty<Root, Int64> {
    AVAsyncProperty { $0.totalSampleDataLength }
  }
  /// The language as ISO 639-2; nil if not known.
  public static var languageCode: AVAsyncProperty<Root, String?> {
    AVAsyncProperty { $0.languageCode }
  }
  /// The stretches that the track is made of.
  public static var segments: AVAsyncProperty<Root, [AVAssetTrackSegment]> {
    AVAsyncProperty { $0.segments }
  }
  /// What the file says of the track.
  public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty { $0.metadata }
  }
  /// True: a track that is listed is on.
  public static var isEnabled: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isEnabled } }
}
