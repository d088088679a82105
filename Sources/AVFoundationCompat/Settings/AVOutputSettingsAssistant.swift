import AssetWriter
public import MediaCore

/// A set of settings by its name: a codec and a size.
public struct AVOutputSettingsPreset: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// A preset from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let preset640x480 = Self(rawValue: "AVOutputSettingsPreset640x480")
  public static let preset960x540 = Self(rawValue: "AVOutputSettingsPreset960x540")
  public static let preset1280x720 = Self(rawValue: "AVOutputSettingsPreset1280x720")
  public static let preset1920x1080 = Self(rawValue: "AVOutputSettingsPreset1920x1080")
  public static let preset3840x2160 = Self(rawValue: "AVOutputSettingsPreset3840x2160")
  public static let hevc1920x1080 = Self(rawValue: "AVOutputSettingsPresetHEVC1920x1080")
  public static let hevc3840x2160 = Self(rawValue: "AVOutputSettingsPresetHEVC3840x2160")
  public static let hevc7680x4320 = Self(rawValue: "AVOutputSettingsPresetHEVC7680x4320")

  /// What the presets stand for.
  fileprivate static let all: [(preset: Self, codec: VideoCodecType, width: Int, height: Int)] = [
    (.preset640x480, .h264, 640, 480), (.preset960x540, .h264, 960, 540),
    (.preset1280x720, .h264, 1280, 720), (.preset1920x1080, .h264, 1920, 1080),
    (.preset3840x2160, .h264, 3840, 2160), (.hevc1920x1080, .hevc, 1920, 1080),
    (.hevc3840x2160, .hevc, 3840, 2160), (.hevc7680x4320, .hevc, 7680, 4320),
  ]
}

/// Makes settings from a preset: H.264 or HEVC with AAC.
public final class AVOutputSettingsAssistant {
  private let codec: VideoCodecType
  private let size: VideoDimensions

  /// Nil if this machine has no encoder of the preset's codec, and for an unknown preset.
  public init?(preset presetIdentifier: AVOutputSettingsPreset) {
    guard let facts = AVOutputSettingsPreset.all.first(where: { $0.preset == presetIdentifier }),
      EncoderCapabilities.current.interframeCodecs.contains(facts.codec)
    else { return nil }
    codec = facts.codec
    size = VideoDimensions(width: facts.width, height: facts.height)
  }

  /// The presets that this machine has encoders for.
  public class func availableOutputSettingsPresets() -> [AVOutputSettingsPreset] {
    AVOutputSettingsPreset.all.map(\.preset).filter { AVOutputSettingsAssistant(preset: $0) != nil }
  }

  /// Settings of pictures of the preset's size, which those that are appended have to have too.
  public var videoSettings: [String: Any]? {
    let rate = frameRate
    var settings = VideoOutputSettings(codec: codec, width: size.width, height: size.height)
    // A sixth of a bit for each pixel of H.264, a tenth for HEVC.
    let pixels = Double(size.width * size.height) * rate
    settings.compression.averageBitRate = Int(pixels / (codec == .h264 ? 6 : 10))
    settings.compression.profile = codec == .h264 ? .high : .main
    settings.compression.expectedFrameRate = FrameRate("\(rate)")
    if case .video(let source)? = sourceVideoFormat { settings.color = source.color }
    return settings.dictionary
  }

  /// AAC of the source's rate and channels; of 44100 Hz and two channels without one.
  public var audioSettings: [String: Any]? {
    var format = AudioFormat(sampleRate: 44_100, channelCount: 2, sampleFormat: .int16)
    if case .audio(let source)? = sourceAudioFormat, source.channelCount <= 2 { format = source }
    var settings = AudioOutputSettings(format: format)
    settings.compression = .aac(bitRate: 64_000 * format.channelCount)
    return settings.dictionary
  }

  private var frameRate: Double {
    let duration = [sourceVideoAverageFrameDuration, sourceVideoMinFrameDuration]
      .first { $0.isNumeric && $0.seconds > 0 }
    return duration.map { 1 / $0.seconds } ?? 30
  }

  /// A QuickTime movie.
  public var outputFileType: AVFileType { .mov }
  /// What the pictures are: their color is declared.
  public var sourceVideoFormat: CMVideoFormatDescription?
  /// What the audio is.
  public var sourceAudioFormat: CMAudioFormatDescription?
  /// How long a picture lasts; a thirtieth of a second where neither this nor the least is set.
  public var sourceVideoAverageFrameDuration = CMTime.invalid
  /// How long a picture lasts at least.
  public var sourceVideoMinFrameDuration = CMTime.invalid
}
