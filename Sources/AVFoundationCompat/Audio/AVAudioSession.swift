import Foundation
import Synchronization

/// How a program intends to use audio. There is no phone audio to share here, so the values are stored and have no
/// effect, except for the input, which ``AVAudioRecorder`` and ``AVAudioEngine`` use.
///
/// ```swift
/// let session = AVAudioSession.sharedInstance()
/// try session.setCategory(.playAndRecord, mode: .videoRecording, options: [.defaultToSpeaker])
/// try session.setActive(true)
/// ```
public final class AVAudioSession: Sendable {
  struct State: Sendable {
    var category = Category.soloAmbient
    var mode = Mode.default
    var options: CategoryOptions = []
    var policy = RouteSharingPolicy.default
    var sampleRate = 0.0
    var bufferDuration: TimeInterval = 0
    var channelCount = 0
    var orientation = StereoOrientation.none
    var allowsHaptics = false
    var prefersNoInterruptions = false
    var input: AVAudioSessionPortDescription?
  }

  private static let shared = AVAudioSession()
  let state = Mutex(State())

  init() {}

  /// The program's one session.
  public class func sharedInstance() -> AVAudioSession { shared }

  // MARK: What the program does

  /// The value that was set; ``Category/soloAmbient`` initially, as in AVFoundation.
  public var category: Category { state.withLock { $0.category } }
  /// The value that was set; ``Mode/default`` initially.
  public var mode: Mode { state.withLock { $0.mode } }
  /// The value that was set; none initially.
  public var categoryOptions: CategoryOptions { state.withLock { $0.options } }
  /// The value that was set; ``RouteSharingPolicy/default`` initially.
  public var routeSharingPolicy: RouteSharingPolicy { state.withLock { $0.policy } }
  /// All of Apple's; each can be set.
  public var availableCategories: [Category] { Category.all }
  /// All of Apple's; each can be set.
  public var availableModes: [Mode] { Mode.all }

  /// Stores a category and resets the mode and options.
  ///
  /// - Throws: As ``setCategory(_:mode:policy:options:)``.
  public func setCategory(_ category: Category) throws {
    try setCategory(category, mode: .default, policy: .default, options: [])
  }

  /// Stores a category and options and resets the mode.
  ///
  /// - Throws: As ``setCategory(_:mode:policy:options:)``.
  public func setCategory(_ category: Category, options: CategoryOptions) throws {
    try setCategory(category, mode: .default, policy: .default, options: options)
  }

  /// Stores a category, a mode and options.
  ///
  /// - Throws: As ``setCategory(_:mode:policy:options:)``.
  public func setCategory(
    _ category: Category, mode: Mode, options: CategoryOptions = []
  ) throws {
    try setCategory(category, mode: mode, policy: .default, options: options)
  }

  /// Stores a category, a mode, a policy and options. None of them affects recording.
  ///
  /// - Throws: ``AVError/Code/operationNotAllowed`` for a category or mode that is not one of Apple's.
  public func setCategory(
    _ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = []
  ) throws {
    guard Category.all.contains(category) else {
      throw AVError(.operationNotAllowed, "\(category.rawValue) is not an audio session category")
    }
    try check(mode)
    state.withLock { state in
      (state.category, state.mode) = (category, mode)
      (state.policy, state.options) = (policy, options)
    }
  }

  /// Stores a mode.
  ///
  /// - Throws: ``AVError/Code/operationNotAllowed`` for a mode that is not one of Apple's.
  public func setMode(_ mode: Mode) throws {
    try check(mode)
    state.withLock { $0.mode = mode }
  }

  private func check(_ mode: Mode) throws(AVError) {
    guard Mode.all.contains(mode) else {
      throw AVError(.operationNotAllowed, "\(mode.rawValue) is not an audio session mode")
    }
  }

  /// Does nothing: a device is opened when a capture session, a recorder or an engine starts.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {}

  // MARK: Permission

  /// Always granted: the user is not asked. Opening a device without permission fails with an error.
  public var recordPermission: RecordPermission { .granted }

  /// Calls the handler with true immediately.
  public func requestRecordPermission(_ response: @escaping (Bool) -> Void) { response(true) }

  // MARK: Other programs and system sounds

  /// False: other programs' playback is unknown here.
  public var isOtherAudioPlaying: Bool { false }
  /// False, as ``isOtherAudioPlaying``.
  public var secondaryAudioShouldBeSilencedHint: Bool { false }
  /// The value that was set. It has no effect: system sounds are played independently.
  public var allowHapticsAndSystemSoundsDuringRecording: Bool {
    state.withLock { $0.allowsHaptics }
  }
  /// The value that was set. It has no effect: nothing interrupts a session.
  public var prefersNoInterruptionsFromSystemAlerts: Bool {
    state.withLock { $0.prefersNoInterruptions }
  }

  /// Stores the value.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
    state.withLock { $0.allowsHaptics = inValue }
  }

  /// Stores the value.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws {
    state.withLock { $0.prefersNoInterruptions = inValue }
  }
}

extension AVAudioSession: Hashable {
  /// True for the same object.
  public static func == (lhs: AVAudioSession, rhs: AVAudioSession) -> Bool { lhs === rhs }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
