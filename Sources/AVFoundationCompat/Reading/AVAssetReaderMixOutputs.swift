import AssetReader
import AssetWriter
import MediaCore
import Synchronization

/// Reads frames that a video composition makes from an asset's tracks.
///
/// Unchecked: the compiler does not verify subclasses. This one adds two `let`s, of which the dictionary is a copy
/// whose values are only read, and a `Mutex`.
public final class AVAssetReaderVideoCompositionOutput: AVAssetReaderOutput, @unchecked Sendable {
  public let videoTracks: [AVAssetTrack]
  /// The settings, as they were passed.
  public let videoSettings: [String: Any]?
  private let composition = Mutex<KeptComposition?>(nil)

  /// - Parameters:
  ///   - videoTracks: Video tracks of the reader's asset.
  ///   - videoSettings: Same as for ``AVAssetReaderTrackOutput``; nil for the format in which frames are composed:
  ///     planar 10-bit 4:2:2.
  public init(videoTracks: [AVAssetTrack], videoSettings: [String: Any]?) {
    self.videoTracks = videoTracks
    self.videoSettings = videoSettings
    super.init(
      videoTracks,
      wish: Result { () throws(AVError) in
        guard let facts = videoTracks.lazy.compactMap(\.facts).first else {
          throw AVError(.invalidSourceMedia, "an output needs at least one video track")
        }
        return try TrackReading.Wish(videoSettings ?? [:], for: facts)
      })
  }

  /// How tracks become frames. Set it before reading starts, which fails without it. The output keeps a copy: later
  /// changes have no effect.
  public var videoComposition: AVVideoComposition? {
    get { composition.withLock { $0 }?.composition }
    set {
      let kept = newValue.map(KeptComposition.init)
      composition.withLock { $0 = kept }
    }
  }
  /// The program's compositor, created when a ``videoComposition`` with its class is set; nil without one.
  public var customVideoCompositor: (any AVVideoCompositing)? {
    composition.withLock { $0 }?.compositor
  }

  override func reading(
    of asset: AVAsset, _ wish: TrackReading.Wish, _ range: CMTimeRange
  ) throws(AVError) -> TrackReading {
    guard let kept = composition.withLock({ $0 }) else {
      throw AVError(
        .operationNotAllowed, "a video composition output needs a videoComposition")
    }
    return try TrackReading(kept, of: asset.snapshot(), wish, range)
  }
}

/// Reads a mix of an asset's audio tracks.
///
/// Unchecked: the compiler does not verify subclasses. This one adds two `let`s, of which the dictionary is a copy
/// whose values are only read, and a `Mutex`.
public final class AVAssetReaderAudioMixOutput: AVAssetReaderOutput, @unchecked Sendable {
  public let audioTracks: [AVAssetTrack]
  /// The settings, as they were passed.
  public let audioSettings: [String: Any]?
  private let mix = Mutex<AVAudioMix?>(nil)

  /// - Parameters:
  ///   - audioTracks: Audio tracks of the reader's asset.
  ///   - audioSettings: `AVFormatIDKey` with `kAudioFormatLinearPCM`, and the sample rate, channels and bit depth of
  ///     the mix; nil for those of the first track.
  public init(audioTracks: [AVAssetTrack], audioSettings: [String: Any]?) {
    self.audioTracks = audioTracks
    self.audioSettings = audioSettings
    super.init(
      audioTracks,
      wish: Result { () throws(AVError) in
        guard let stored = audioTracks.lazy.compactMap(\.facts?.audio).first else {
          throw AVError(.invalidSourceMedia, "an output needs at least one audio track")
        }
        let wanted = try audioSettings.map { settings throws(AVError) in
          try PlainAudioSettings(settings, of: "a reader").format(of: stored)
        }
        return .audio(stored: stored, wanted: wanted ?? stored)
      })
  }

  /// The volumes of tracks; nil for unchanged. Set it before reading starts. The output keeps a copy: later changes
  /// have no effect.
  public var audioMix: AVAudioMix? {
    get { mix.withLock { $0 } }
    set {
      let copy = newValue?.snapshot()
      mix.withLock { $0 = copy }
    }
  }

  override func reading(
    of asset: AVAsset, _ wish: TrackReading.Wish, _ range: CMTimeRange
  ) throws(AVError) -> TrackReading {
    try TrackReading(audioMix ?? AVAudioMix(), of: audioTracks, asset.snapshot(), wish, range)
  }
}
