import Foundation
import Synchronization

/// How a program means to use sound. No program here shares a phone's sound with others: what it means is kept, and
/// changes nothing, except for the input, which ``AVAudioRecorder`` and ``AVAudioEngine`` use.
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

  /// What was set; ``Category/soloAmbient`` at first, as with Apple.
  public var category: Category { state.withLock { $0.category } }
  /// What was set; ``Mode/default`` at first.
  public var mode: Mode { state.withLock { $0.mode } }
  /// What was set; none at first.
  public var categoryOptions: CategoryOptions { state.withLock { $0.options } }
  /// What was set; ``RouteSharingPolicy/default`` at first.
  public var routeSharingPolicy: RouteSharingPolicy { state.withLock { $0.policy } }
  /// All that Apple has: each is kept.
  public var availableCategories: [Category] { Category.all }
  /// All that Apple has: each is kept.
  public var availableModes: [Mode] { Mode.all }

  /// Keeps a category, and forgets mode and options.
  ///
  /// - Throws: As ``setCategory(_:mode:policy:options:)``.
  public func setCategory(_ category: Category) throws {
    try setCategory(category, mode: .default, policy: .default, options: [])
  }

  /// Keeps a category and options, and forgets the mode.
  ///
  /// - Throws: As ``setCategory(_:mode:policy:options:)``.
  public func setCategory(_ category: Category, options: CategoryOptions) throws {
    try setCategory(category, mode: .default, policy: .default, options: options)
  }

  /// Keeps a category, a mode and options.
  ///
  /// - Throws: As ``setCategory(_:mode:policy:options:)``.
  public func setCategory(
    _ category: Category, mode: Mode, options: CategoryOptions = []
  ) throws {
    try setCategory(category, mode: mode, policy: .default, options: options)
  }

  /// Keeps a category, a mode, a policy and options. None of them changes what is recorded.
  ///
  /// - Throws: ``AVError/Code/operationNotAllowed`` for a category or a mode that Apple has not.
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

  /// Keeps a mode.
  ///
  /// - Throws: ``AVError/Code/operationNotAllowed`` for one that Apple has not.
  public func setMode(_ mode: Mode) throws {
    try check(mode)
    state.withLock { $0.mode = mode }
  }

  private func check(_ mode: Mode) throws(AVError) {
    guard Mode.all.contains(mode) else {
      throw AVError(.operationNotAllowed, "\(mode.rawValue) is not an audio session mode")
    }
  }

  /// Does nothing: a device is taken when a capture session, a recorder or an engine starts.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {}

  // MARK: Permission

  /// Granted: nobody is asked here, and a device that may not be opened says so when it is.
  public var recordPermission: RecordPermission { .granted }

  /// Calls the handler with true, at once.
  public func requestRecordPermission(_ response: @escaping (Bool) -> Void) { response(true) }

  // MARK: Other programs and sounds

  /// False: what other programs play is not known here.
  public var isOtherAudioPlaying: Bool { false }
  /// False, as ``isOtherAudioPlaying``.
  public var secondaryAudioShouldBeSilencedHint: Bool { false }
  /// What was set. Changes nothing: this system's sounds go their own way.
  public var allowHapticsAndSystemSoundsDuringRecording: Bool {
    state.withLock { $0.allowsHaptics }
  }
  /// What was set. Changes nothing: nothing interrupts.
  public var prefersNoInterruptionsFromSystemAlerts: Bool {
    state.withLock { $0.prefersNoInterruptions }
  }

  /// Keeps the wish.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
    state.withLock { $0.allowsHaptics = inValue }
  }

  /// Keeps the wish.
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
