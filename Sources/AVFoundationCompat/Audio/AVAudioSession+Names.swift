// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// What a program can say of its use of sound. Texts and numbers are Apple's.
extension AVAudioSession {
  /// What sound is for.
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

  /// How sound is to be treated. Here it is left as the device gives it.
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

  /// What else is to hold for a category.
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

  /// What else is to happen when sound begins or ends.
  public struct SetActiveOptions: OptionSet, Sendable, Hashable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let notifyOthersOnDeactivation = Self(rawValue: 1)
  }

  /// With which other sound's way out this one's goes.
  public enum RouteSharingPolicy: UInt, Sendable, Hashable {
    case `default` = 0
    case longFormAudio = 1
    case independent = 2
    case longFormVideo = 3
  }

  /// What a program may.
  public enum RecordPermission: UInt, Sendable, Hashable {
    // Apple's numbers: undt, deny and grnt in ASCII.

    case undetermined = 0x756E_6474
    case denied = 0x6465_6E79
    case granted = 0x6772_6E74
  }

  /// Another way out than the usual one.
  public enum PortOverride: UInt, Sendable, Hashable {
    case none = 0
    case speaker = 0x7370_6B72
  }

  /// How a phone is held.
  public enum StereoOrientation: Int, Sendable, Hashable {
    case none = 0
    case portrait = 1
    case portraitUpsideDown = 2
    case landscapeRight = 3
    case landscapeLeft = 4
  }

  /// A kind of input or output. Outputs are names alone.
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

  /// Where on a phone a capsule is.
  public struct Location: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let upper = Self(rawValue: "Upper")
    public static let lower = Self(rawValue: "Lower")
  }

  /// Where a phone's capsule is directed.
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

  /// From which directions a capsule hears.
  public struct PolarPattern: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let omnidirectional = Self(rawValue: "Omnidirectional")
    public static let cardioid = Self(rawValue: "Cardioid")
    public static let subcardioid = Self(rawValue: "Subcardioid")
    public static let stereo = Self(rawValue: "Stereo")
  }
}
