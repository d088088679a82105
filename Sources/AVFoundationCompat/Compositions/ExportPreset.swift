import AssetReader
import AssetWriter
import MediaCore
import MovieExport

// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// ProRes 422 with uncompressed audio.
public let AVAssetExportPresetAppleProRes422LPCM = "AVAssetExportPresetAppleProRes422LPCM"
/// ProRes 4444 with uncompressed audio.
public let AVAssetExportPresetAppleProRes4444LPCM = "AVAssetExportPresetAppleProRes4444LPCM"

/// ProRes frames copied unchanged, and audio cut to the sample.
public let AVAssetExportPresetPassthrough = "AVAssetExportPresetPassthrough"

// Presets that need a libavcodec encoder: if it is not installed, sessions with them cannot be made and
// `allExportPresets` does not list them. Frames are fitted into a size, in landscape or portrait, and never enlarged.

/// H.264 with AAC, in the source's size.
public let AVAssetExportPresetHighestQuality = "AVAssetExportPresetHighestQuality"
/// H.264 with AAC, within 640x360.
public let AVAssetExportPresetMediumQuality = "AVAssetExportPresetMediumQuality"
/// H.264 with AAC, within 320x180.
public let AVAssetExportPresetLowQuality = "AVAssetExportPresetLowQuality"
/// H.264 with AAC, within 640x480.
public let AVAssetExportPreset640x480 = "AVAssetExportPreset640x480"
/// H.264 with AAC, within 960x540.
public let AVAssetExportPreset960x540 = "AVAssetExportPreset960x540"
/// H.264 with AAC, within 1280x720.
public let AVAssetExportPreset1280x720 = "AVAssetExportPreset1280x720"
/// H.264 with AAC, within 1920x1080.
public let AVAssetExportPreset1920x1080 = "AVAssetExportPreset1920x1080"
/// H.264 with AAC, within 3840x2160.
public let AVAssetExportPreset3840x2160 = "AVAssetExportPreset3840x2160"
/// HEVC with AAC, in the source's size.
public let AVAssetExportPresetHEVCHighestQuality = "AVAssetExportPresetHEVCHighestQuality"
/// HEVC with AAC, within 1920x1080.
public let AVAssetExportPresetHEVC1920x1080 = "AVAssetExportPresetHEVC1920x1080"
/// HEVC with AAC, within 3840x2160.
public let AVAssetExportPresetHEVC3840x2160 = "AVAssetExportPresetHEVC3840x2160"
/// AAC only.
public let AVAssetExportPresetAppleM4A = "AVAssetExportPresetAppleM4A"

/// What an export produces.
struct ExportPreset {
  enum Kind {
    /// Frames and samples copied unchanged.
    case copy
    case proRes(VideoCodecType)
    /// H.264 or HEVC with a quality from 0 to 1, within the given sides, with AAC.
    case compressed(VideoCodecType, longerSide: Int?, shorterSide: Int?, quality: Double)
    /// AAC only.
    case audio
  }

  let kind: Kind

  private static let all: [String: Kind] = [
    AVAssetExportPresetPassthrough: .copy,
    AVAssetExportPresetAppleProRes422LPCM: .proRes(.proRes422),
    AVAssetExportPresetAppleProRes4444LPCM: .proRes(.proRes4444),
    AVAssetExportPresetHighestQuality: h264(nil, nil, 0.8),
    AVAssetExportPresetMediumQuality: h264(640, 360, 0.6),
    AVAssetExportPresetLowQuality: h264(320, 180, 0.5),
    AVAssetExportPreset640x480: h264(640, 480), AVAssetExportPreset960x540: h264(960, 540),
    AVAssetExportPreset1280x720: h264(1280, 720), AVAssetExportPreset1920x1080: h264(1920, 1080),
    AVAssetExportPreset3840x2160: h264(3840, 2160),
    AVAssetExportPresetHEVCHighestQuality: hevc(nil, nil, 0.8),
    AVAssetExportPresetHEVC1920x1080: hevc(1920, 1080),
    AVAssetExportPresetHEVC3840x2160: hevc(3840, 2160),
    AVAssetExportPresetAppleM4A: .audio,
  ]

  private static func h264(_ longer: Int?, _ shorter: Int?, _ quality: Double = 0.7) -> Kind {
    .compressed(.h264, longerSide: longer, shorterSide: shorter, quality: quality)
  }
  private static func hevc(_ longer: Int?, _ shorter: Int?, _ quality: Double = 0.7) -> Kind {
    .compressed(.hevc, longerSide: longer, shorterSide: shorter, quality: quality)
  }

  /// The preset with a name; nil if this machine does not support it.
  static func named(_ name: String) -> ExportPreset? {
    guard let kind = all[name] else { return nil }
    if case .compressed(let codec, _, _, _) = kind,
      !EncoderCapabilities.current.interframeCodecs.contains(codec)
    {
      return nil
    }
    return ExportPreset(kind: kind)
  }

  /// The names of the presets that this machine supports.
  static var names: [String] { all.keys.sorted().filter { named($0) != nil } }

  /// True if audio tracks are mixed into one AAC track.
  var mixesAudio: Bool {
    switch kind {
    case .copy, .proRes: false
    case .compressed, .audio: true
    }
  }

  /// The maximum number of channels in a mix.
  var channels: Int { mixesAudio ? 2 : 16 }

  /// The containers, the default first.
  var fileTypes: [AVFileType] {
    switch kind {
    case .copy, .proRes: [.mov]
    case .compressed: [.mp4, .mov, .m4v]
    case .audio: [.m4a]
    }
  }

  /// True if the preset can export the asset.
  func fits(_ asset: AVAsset) -> Bool {
    let video = asset.tracks(withMediaType: .video)
    switch kind {
    case .copy: return video.allSatisfy { $0.facts?.codecName == "prores" }
    case .proRes, .compressed: return !video.isEmpty
    case .audio: return !asset.tracks(withMediaType: .audio).isEmpty
    }
  }

  /// The encoding of a timeline to a path; nil for the passthrough preset.
  func encoding(of timeline: MovieTimeline, to path: String) -> TimelineEncoding? {
    switch kind {
    case .copy: return nil
    case .proRes(let codec): return TimelineEncoding(timeline, outputPath: path, codec: codec)
    case .compressed(let codec, let longer, let shorter, let quality):
      var encoding = TimelineEncoding(timeline, outputPath: path, codec: codec)
      encoding.box = FrameBox(longerSide: longer, shorterSide: shorter, isEven: true)
      encoding.audio = .aac(bitRate: nil)
      encoding.compression.quality = quality
      if codec == .hevc, timeline.isHDR { encoding.compression.profile = .main10 }
      return encoding
    case .audio:
      // Tracks keep their indexes, for the mix.
      var audio = timeline
      for index in audio.tracks.indices where audio.tracks[index].mediaType == .video {
        audio.tracks[index].clips = []
      }
      var encoding = TimelineEncoding(audio, outputPath: path, codec: .proRes422)
      encoding.audio = .aac(bitRate: nil)
      return encoding
    }
  }
}

extension MovieTimeline {
  /// True if frames need more than 8 bits to avoid banding.
  fileprivate var isHDR: Bool {
    let transfers = tracks.flatMap(\.clips).compactMap(\.track.video?.color.transferFunction)
    return transfers.contains { $0 == .pq || $0 == .hlg }
  }
}
