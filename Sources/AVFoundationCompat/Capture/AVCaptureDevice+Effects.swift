public import MediaCore
public import VideoRecorder

/// Effects that Apple's systems put into pictures and sound: there are none here. Each `is…Supported` is false, and
/// what is set nevertheless changes nothing.
extension CaptureDevice {
  // MARK: Who decides

  /// Who switches Center Stage.
  public enum CenterStageControlMode: Int, Sendable, Hashable {
    /// The user.
    case user = 0
    /// The program.
    case app = 1
    /// Both.
    case cooperative = 2
  }

  /// The user: there is nothing to switch.
  public static var centerStageControlMode: CenterStageControlMode {
    get { .user }
    set {}
  }

  // MARK: Light and background

  /// False: no face is lit.
  public static var isStudioLightEnabled: Bool { false }
  /// False: no face is lit.
  public var isStudioLightActive: Bool { false }
  /// False: no background is replaced.
  public static var isBackgroundReplacementEnabled: Bool { false }
  /// False: no background is replaced.
  public var isBackgroundReplacementActive: Bool { false }

  // MARK: Reactions

  /// False: nothing is drawn into pictures.
  public static var reactionEffectsEnabled: Bool { false }
  /// False: no gesture is looked for.
  public static var reactionEffectGesturesEnabled: Bool { false }
  /// False: nothing is drawn into pictures.
  public var canPerformReactionEffects: Bool { false }
  /// None.
  public var availableReactionTypes: Set<AVCaptureReactionType> { [] }
  /// Draws nothing: ask ``canPerformReactionEffects`` before.
  public func performEffect(for reactionType: AVCaptureReactionType) {}
  /// None.
  public var reactionEffectsInProgress: [AVCaptureReactionEffectState] { [] }

  // MARK: Sound

  /// What a microphone is to hear.
  public enum MicrophoneMode: Int, Sendable, Hashable {
    /// Voices, as usual. Every device here, which gives its sound as it is.
    case standard = 0
    /// All sound around.
    case wideSpectrum = 1
    /// One voice alone.
    case voiceIsolation = 2
  }

  /// Standard: sound is taken as it comes.
  public static var preferredMicrophoneMode: MicrophoneMode { .standard }
  /// Standard, as ``preferredMicrophoneMode``.
  public static var activeMicrophoneMode: MicrophoneMode { .standard }

  // MARK: The system's windows

  /// What the user sets in a window of the system.
  public enum SystemUserInterface: Int, Sendable, Hashable {
    /// Effects in pictures.
    case videoEffects = 1
    /// What a microphone hears.
    case microphoneModes = 2
  }

  /// Shows nothing: there is no such window.
  public static func showSystemUserInterface(_ systemUserInterface: SystemUserInterface) {}
}

/// A drawing that a system puts over a picture when somebody makes a gesture. None is drawn here.
public struct AVCaptureReactionType: RawRepresentable, Sendable, Hashable {
  /// The name.
  public let rawValue: String
  /// A reaction from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let thumbsUp = Self(rawValue: "ReactionThumbsUp")
  public static let thumbsDown = Self(rawValue: "ReactionThumbsDown")
  public static let balloons = Self(rawValue: "ReactionBalloons")
  public static let heart = Self(rawValue: "ReactionHeart")
  public static let fireworks = Self(rawValue: "ReactionFireworks")
  public static let rain = Self(rawValue: "ReactionRain")
  public static let confetti = Self(rawValue: "ReactionConfetti")
  public static let lasers = Self(rawValue: "ReactionLasers")
}

/// A reaction that is being drawn: none ever is.
public final class AVCaptureReactionEffectState: Sendable {
  /// Which.
  public let reactionType: AVCaptureReactionType
  /// When it began.
  public let startTime: CMTime
  /// When it ends; invalid while it goes on.
  public let endTime: CMTime

  private init(_ reactionType: AVCaptureReactionType) {
    (self.reactionType, startTime, endTime) = (reactionType, .invalid, .invalid)
  }
}

extension CaptureDevice.Format {
  /// False.
  public var isStudioLightSupported: Bool { false }
  /// False.
  public var isBackgroundReplacementSupported: Bool { false }
  /// False.
  public var reactionEffectsSupported: Bool { false }
  /// Nil: no picture has the effect.
  public var videoFrameRateRangeForStudioLight: AVFrameRateRange? { nil }
  /// Nil: no picture has the effect.
  public var videoFrameRateRangeForBackgroundReplacement: AVFrameRateRange? { nil }
  /// Nil: no picture has the effect.
  public var videoFrameRateRangeForReactionEffectsInProgress: AVFrameRateRange? { nil }
  /// Nil: no picture has the effect.
  public var videoFrameRateRangeForCenterStage: AVFrameRateRange? { nil }
  /// Nil: no picture has the effect.
  public var videoFrameRateRangeForPortraitEffect: AVFrameRateRange? { nil }
  /// False: nobody is kept in the picture.
  public var isSmartFramingSupported: Bool { false }
}
