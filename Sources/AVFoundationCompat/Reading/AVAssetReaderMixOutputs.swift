import AssetReader
import AssetWriter
import MediaCore
import Synchronization

/// Gives frames that a video composition draws of an asset's tracks.
///
/// Unchecked because the compiler accepts `Sendable` of no class with a superclass: it adds two `let`s, of which the
/// dictionary is a copy whose values are only read, and a `Mutex`.
public final class AVAssetReaderVideoCompositionOutput: AVAssetReaderOutput, @unchecked Sendable {
  /// What is read.
  public let videoTracks: [AVAssetTrack]
  /// How, as it was given.
  public let videoSettings: [String: Any]?
  private let composition = Mutex<KeptComposition?>(nil)

  /// An output of tracks.
  ///
  /// - Parameters:
  ///   - videoTracks: Tracks of pictures of the reader's asset.
  ///   - videoSettings: As of ``AVAssetReaderTrackOutput``; nil for the layout in which frames are drawn: planar
  ///     4:2:2 of 10 bits.
  public init(videoTracks: [AVAssetTrack], videoSettings: [String: Any]?) {
    self.videoTracks = videoTracks
    self.videoSettings = videoSettings
    super.init(
      videoTracks,
      wish: Result { () throws(AVError) in
        guard let facts = videoTracks.lazy.compactMap(\.facts).first else {
          throw AVError(.invalidSourceMedia, "an output is of one track of pictures or more")
        }
        return try TrackReading.Wish(videoSettings ?? [:], for: facts)
      })
  }

  /// How tracks become frames; to be set before reading starts, which fails without. The output keeps a copy:
  /// later changes are not seen.
  public var videoComposition: AVVideoComposition? {
    get { composition.withLock { $0 }?.composition }
    set {
      let kept = newValue.map(KeptComposition.init)
      composition.withLock { $0 = kept }
    }
  }
  /// The program's own compositor, made when a ``videoComposition`` with its class is set; nil without.
  public var customVideoCompositor: (any AVVideoCompositing)? {
    composition.withLock { $0 }?.compositor
  }

  override func reading(
    of asset: AVAsset, _ wish: TrackReading.Wish, _ range: CMTimeRange
  ) throws(AVError) -> TrackReading {
    guard let kept = composition.withLock({ $0 }) else {
      throw AVError(
        .operationNotAllowed, "an output of a video composition needs a videoComposition")
    }
    return try TrackReading(kept, of: asset.snapshot(), wish, range)
  }
}

/// Gives the audio that a mix makes of an asset's tracks.
///
/// Unchecked because the compiler accepts `Sendable` of no class with a superclass: it adds two `let`s, of which the
/// dictionary is a copy whose values are only read, and a `Mutex`.
public final class AVAssetReaderAudioMixOutput: AVAssetReaderOutput, @unchecked Sendable {
  /// What is read.
  public let audioTracks: [AVAssetTrack]
  /// How, as it was given.
  public let audioSettings: [String: Any]?
  private let mix = Mutex<AVAudioMix?>(nil)

  /// An output of tracks.
  ///
  /// - Parameters:
  ///   - audioTracks: Tracks of audio of the reader's asset.
  ///   - audioSettings: `AVFormatIDKey` with `kAudioFormatLinearPCM`, and the rate, channels and depth that
  ///     the mix is to have; nil for those of the first track.
  public init(audioTracks: [AVAssetTrack], audioSettings: [String: Any]?) {
    self.audioTracks = audioTracks
    self.audioSettings = audioSettings
    super.init(
      audioTracks,
      wish: Result { () throws(AVError) in
        guard let stored = audioTracks.lazy.compactMap(\.facts?.audio).first else {
          throw AVError(.invalidSourceMedia, "an output is of one track of sound or more")
        }
        let wanted = try audioSettings.map { settings throws(AVError) in
          try PlainSoundSettings(settings, of: "a reader").format(of: stored)
        }
        return .sound(stored: stored, wanted: wanted ?? stored)
      })
  }

  /// How loud tracks are; to be set before reading starts; nil for as loud as they are. The output keeps a
  /// copy: later changes are not seen.
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
