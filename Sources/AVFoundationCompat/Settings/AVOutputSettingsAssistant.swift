import AssetWriter
public import MediaCore

/// A named preset of a codec and a size.
public struct AVOutputSettingsPreset: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let preset640x480 = Self(rawValue: "AVOutputSettingsPreset640x480")
  public static let preset960x540 = Self(rawValue: "AVOutputSettingsPreset960x540")
  public static let preset1280x720 = Self(rawValue: "AVOutputSettingsPreset1280x720")
  public static let preset1920x1080 = Self(rawValue: "AVOutputSettingsPreset1920x1080")
  public static let preset3840x2160 = Self(rawValue: "AVOutputSettingsPreset3840x2160")
  public static let hevc1920x1080 = Self(rawValue: "AVOutputSettingsPresetHEVC1920x1080")
  public static let hevc3840x2160 = Self(rawValue: "AVOutputSettingsPresetHEVC3840x2160")
  public static let hevc7680x4320 = Self(rawValue: "AVOutputSettingsPresetHEVC7680x4320")

  /// The codecs and sizes of the presets.
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

  /// The presets that this machine can encode.
  public class func availableOutputSettingsPresets() -> [AVOutputSettingsPreset] {
    AVOutputSettingsPreset.all.map(\.preset).filter { AVOutputSettingsAssistant(preset: $0) != nil }
  }

  /// Video settings with the preset's size. Appended frames must have that size too.
  public var videoSettings: [String: Any]? {
    let rate = frameRate
    var settings = VideoOutputSettings(codec: codec, width: size.width, height: size.height)
    // Bits per pixel: a sixth for H.264, a tenth for HEVC.
    let pixels = Double(size.width * size.height) * rate
    settings.compression.averageBitRate = Int(pixels / (codec == .h264 ? 6 : 10))
    settings.compression.profile = codec == .h264 ? .high : .main
    settings.compression.expectedFrameRate = FrameRate("\(rate)")
    if case .video(let source)? = sourceVideoFormat { settings.color = source.color }
    return settings.dictionary
  }

  /// AAC with the source's sample rate and channels; 44100 Hz stereo without a source, or if it has more than 2
  /// channels.
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

  /// Always a QuickTime movie.
  public var outputFileType: AVFileType { .mov }
  /// The format of the source video. Its color is declared in the settings.
  public var sourceVideoFormat: CMVideoFormatDescription?
  /// The format of the source audio.
  public var sourceAudioFormat: CMAudioFormatDescription?
  /// The average duration of a source frame. Without it, the minimum is used; without both, a thirtieth of a second.
  public var sourceVideoAverageFrameDuration = CMTime.invalid
  /// The minimum duration of a source frame.
  public var sourceVideoMinFrameDuration = CMTime.invalid
}
