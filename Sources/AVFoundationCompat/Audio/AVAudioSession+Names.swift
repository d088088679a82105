// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// How a program can describe its use of audio. Strings and numbers are Apple's.
extension AVAudioSession {
  /// The purpose of the program's audio.
  public struct Category: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let ambient = Self(rawValue: "AVAudioSessionCategoryAmbient")
    public static let soloAmbient = Self(rawValue: "AVAudioSessionCategorySoloAmbient")
    public static let playback = Self(rawValue: "AVAudioSessionCategoryPlayback")
    public static let record = Self(rawValue: "AVAudioSessionCategoryRecord")
    public static let playAndRecord = Self(rawValue: "AVAudioSessionCategoryPlayAndRecord")
    public static let multiRoute = Self(rawValue: "AVAudioSessionCategoryMultiRoute")

    static let all = [ambient, soloAmbient, playback, record, playAndRecord, multiRoute]
  }

  /// How audio is processed. Here the device's audio is left unchanged.
  public struct Mode: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let `default` = Self(rawValue: "AVAudioSessionModeDefault")
    public static let voiceChat = Self(rawValue: "AVAudioSessionModeVoiceChat")
    public static let gameChat = Self(rawValue: "AVAudioSessionModeGameChat")
    public static let videoRecording = Self(rawValue: "AVAudioSessionModeVideoRecording")
    public static let measurement = Self(rawValue: "AVAudioSessionModeMeasurement")
    public static let moviePlayback = Self(rawValue: "AVAudioSessionModeMoviePlayback")
    public static let videoChat = Self(rawValue: "AVAudioSessionModeVideoChat")
    public static let spokenAudio = Self(rawValue: "AVAudioSessionModeSpokenAudio")
    public static let voicePrompt = Self(rawValue: "AVAudioSessionModeVoicePrompt")

    static let all = [
      `default`, voiceChat, gameChat, videoRecording, measurement, moviePlayback, videoChat,
      spokenAudio, voicePrompt,
    ]
  }

  /// Options of a category.
  public struct CategoryOptions: OptionSet, Sendable, Hashable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let mixWithOthers = Self(rawValue: 0x1)
    public static let duckOthers = Self(rawValue: 0x2)
    public static let allowBluetooth = Self(rawValue: 0x4)
    public static let allowBluetoothHFP = allowBluetooth
    public static let defaultToSpeaker = Self(rawValue: 0x8)
    public static let interruptSpokenAudioAndMixWithOthers = Self(rawValue: 0x11)
    public static let allowBluetoothA2DP = Self(rawValue: 0x20)
    public static let allowAirPlay = Self(rawValue: 0x40)
    public static let overrideMutedMicrophoneInterruption = Self(rawValue: 0x80)
  }

  /// Options for activating and deactivating the session.
  public struct SetActiveOptions: OptionSet, Sendable, Hashable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let notifyOthersOnDeactivation = Self(rawValue: 1)
  }

  /// Which other audio shares this session's output route.
  public enum RouteSharingPolicy: UInt, Sendable, Hashable {
    case `default` = 0
    case longFormAudio = 1
    case independent = 2
    case longFormVideo = 3
  }

  /// Whether the program may record.
  public enum RecordPermission: UInt, Sendable, Hashable {
    // Apple's numbers: undt, deny and grnt in ASCII.

    case undetermined = 0x756E_6474
    case denied = 0x6465_6E79
    case granted = 0x6772_6E74
  }

  /// An output to use instead of the default.
  public enum PortOverride: UInt, Sendable, Hashable {
    case none = 0
    case speaker = 0x7370_6B72
  }

  /// How a phone is held, for stereo recording.
  public enum StereoOrientation: Int, Sendable, Hashable {
    case none = 0
    case portrait = 1
    case portraitUpsideDown = 2
    case landscapeRight = 3
    case landscapeLeft = 4
  }

  /// A kind of input or output. Output kinds are declared only; none is used.
  public struct Port: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let builtInMic = Self(rawValue: "MicrophoneBuiltIn")
    public static let headsetMic = Self(rawValue: "MicrophoneWired")
    public static let lineIn = Self(rawValue: "LineIn")
    public static let usbAudio = Self(rawValue: "USBAudio")
    public static let virtual = Self(rawValue: "Virtual")
    public static let bluetoothHFP = Self(rawValue: "BluetoothHFP")
    public static let bluetoothA2DP = Self(rawValue: "BluetoothA2DPOutput")
    public static let bluetoothLE = Self(rawValue: "BluetoothLE")
    public static let builtInSpeaker = Self(rawValue: "Speaker")
    public static let builtInReceiver = Self(rawValue: "Receiver")
    public static let headphones = Self(rawValue: "Headphones")
    public static let lineOut = Self(rawValue: "LineOut")
    public static let HDMI = Self(rawValue: "HDMIOutput")
    public static let airPlay = Self(rawValue: "AirPlay")
    public static let carAudio = Self(rawValue: "CarAudio")
  }

  /// The position of a microphone capsule on a phone.
  public struct Location: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let upper = Self(rawValue: "Upper")
    public static let lower = Self(rawValue: "Lower")
  }

  /// The direction in which a phone's capsule points.
  public struct Orientation: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let top = Self(rawValue: "Top")
    public static let bottom = Self(rawValue: "Bottom")
    public static let front = Self(rawValue: "Front")
    public static let back = Self(rawValue: "Back")
    public static let left = Self(rawValue: "Left")
    public static let right = Self(rawValue: "Right")
  }

  /// The directional pickup pattern of a capsule.
  public struct PolarPattern: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let omnidirectional = Self(rawValue: "Omnidirectional")
    public static let cardioid = Self(rawValue: "Cardioid")
    public static let subcardioid = Self(rawValue: "Subcardioid")
    public static let stereo = Self(rawValue: "Stereo")
  }
}
