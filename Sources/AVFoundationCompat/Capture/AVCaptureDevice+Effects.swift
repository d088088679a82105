public import MediaCore
public import VideoRecorder

/// Effects that Apple's systems apply to video and audio. None is supported: each `is…Supported` is false, and setting
/// a property has no effect.
extension CaptureDevice {
  // MARK: Center Stage

  /// Who controls Center Stage.
  public enum CenterStageControlMode: Int, Sendable, Hashable {
    /// The user.
    case user = 0
    /// The program.
    case app = 1
    /// Both.
    case cooperative = 2
  }

  /// The user: there is nothing to control.
  public static var centerStageControlMode: CenterStageControlMode {
    get { .user }
    set {}
  }

  // MARK: Light and background

  /// False: studio light is not supported.
  public static var isStudioLightEnabled: Bool { false }
  /// False: studio light is not supported.
  public var isStudioLightActive: Bool { false }
  /// False: no background is replaced.
  public static var isBackgroundReplacementEnabled: Bool { false }
  /// False: no background is replaced.
  public var isBackgroundReplacementActive: Bool { false }

  // MARK: Reactions

  /// False: nothing is drawn into frames.
  public static var reactionEffectsEnabled: Bool { false }
  /// False: gestures are not detected.
  public static var reactionEffectGesturesEnabled: Bool { false }
  /// False: nothing is drawn into frames.
  public var canPerformReactionEffects: Bool { false }
  /// None.
  public var availableReactionTypes: Set<AVCaptureReactionType> { [] }
  /// Draws nothing; check ``canPerformReactionEffects`` first.
  public func performEffect(for reactionType: AVCaptureReactionType) {}
  /// None.
  public var reactionEffectsInProgress: [AVCaptureReactionEffectState] { [] }

  // MARK: Audio

  /// What a microphone picks up.
  public enum MicrophoneMode: Int, Sendable, Hashable {
    /// Standard voice processing. Every device here reports it; audio is not processed.
    case standard = 0
    /// All surrounding audio.
    case wideSpectrum = 1
    /// Only one voice.
    case voiceIsolation = 2
  }

  /// Standard: audio is not processed.
  public static var preferredMicrophoneMode: MicrophoneMode { .standard }
  /// Standard, as ``preferredMicrophoneMode``.
  public static var activeMicrophoneMode: MicrophoneMode { .standard }

  // MARK: The system's windows

  /// The settings that a system window shows.
  public enum SystemUserInterface: Int, Sendable, Hashable {
    /// Video effects.
    case videoEffects = 1
    /// Microphone modes.
    case microphoneModes = 2
  }

  /// Shows nothing: there is no such window.
  public static func showSystemUserInterface(_ systemUserInterface: SystemUserInterface) {}
}

/// An animation drawn over a frame in response to a gesture. None is drawn here.
public struct AVCaptureReactionType: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
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

/// A reaction being drawn. Never created here.
public final class AVCaptureReactionEffectState: Sendable {
  public let reactionType: AVCaptureReactionType
  /// When it began.
  public let startTime: CMTime
  /// When it ends; invalid while in progress.
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
  /// Nil: the effect is not supported.
  public var videoFrameRateRangeForStudioLight: AVFrameRateRange? { nil }
  /// Nil: the effect is not supported.
  public var videoFrameRateRangeForBackgroundReplacement: AVFrameRateRange? { nil }
  /// Nil: the effect is not supported.
  public var videoFrameRateRangeForReactionEffectsInProgress: AVFrameRateRange? { nil }
  /// Nil: the effect is not supported.
  public var videoFrameRateRangeForCenterStage: AVFrameRateRange? { nil }
  /// Nil: the effect is not supported.
  public var videoFrameRateRangeForPortraitEffect: AVFrameRateRange? { nil }
  /// False: smart framing is not supported.
  public var isSmartFramingSupported: Bool { false }
}
