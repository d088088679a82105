public import MediaCore

/// A set of settings by its name. None is here: they are of H.264 and HEVC.
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
}

/// Makes settings from a preset. There is none here: `init` gives nil.
public final class AVOutputSettingsAssistant {
  /// Nil: see ``availableOutputSettingsPresets()``.
  public init?(preset presetIdentifier: AVOutputSettingsPreset) { nil }

  /// None.
  public class func availableOutputSettingsPresets() -> [AVOutputSettingsPreset] { [] }

  /// Nil.
  public var videoSettings: [String: Any]? { nil }
  /// Nil.
  public var audioSettings: [String: Any]? { nil }
  /// A movie.
  public var outputFileType: AVFileType { .mov }
  /// What the pictures are.
  public var sourceVideoFormat: CMVideoFormatDescription?
  /// What the sound is.
  public var sourceAudioFormat: CMAudioFormatDescription?
  /// How long a picture lasts.
  public var sourceVideoAverageFrameDuration = CMTime.invalid
  /// How long a picture lasts at least.
  public var sourceVideoMinFrameDuration = CMTime.invalid
}
