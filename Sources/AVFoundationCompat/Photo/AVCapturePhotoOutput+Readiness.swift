import Foundation
import Synchronization

extension AVCapturePhotoOutput {
  /// Whether a capture would begin at once, with Apple's numbers. One that is asked for earlier waits.
  public enum CaptureReadiness: Int, Sendable, Hashable {
    /// No frames come.
    case sessionNotRunning = 0
    /// A capture begins at once.
    case ready = 1
    /// A capture that is tracked has not begun yet.
    case notReadyMomentarily = 2
    /// Exposures of a capture are being taken.
    case notReadyWaitingForCapture = 3
    /// Photos of a capture are being made.
    case notReadyWaitingForProcessing = 4
  }

  /// Whether a capture would begin at once.
  public var captureReadiness: CaptureReadiness {
    guard connection(with: .video)?.isActive == true else { return .sessionNotRunning }
    return switch captures.phase {
    case nil: .ready
    case .exposing?: .notReadyWaitingForCapture
    case .processing?: .notReadyWaitingForProcessing
    }
  }
}

/// The captures of an output that are not over.
final class PhotoCaptures: Sendable {
  enum Phase { case exposing, processing }

  private struct Watcher {
    weak var coordinator: AVCapturePhotoOutputReadinessCoordinator?
  }

  private struct State {
    var phases: [ObjectIdentifier: Phase] = [:]
    var watchers: [Watcher] = []
  }

  private let state = Mutex(State())

  /// Of the captures that are not over the one that needs the sensor, or else one that is made.
  var phase: Phase? {
    state.withLock { state in
      state.phases.values.contains(.exposing) ? .exposing : state.phases.values.first
    }
  }

  func watch(_ coordinator: AVCapturePhotoOutputReadinessCoordinator) {
    state.withLock { state in
      state.watchers.removeAll { $0.coordinator == nil }
      state.watchers.append(Watcher(coordinator: coordinator))
    }
  }

  /// Notes where a capture is; nil for one that is over.
  func set(_ phase: Phase?, of listener: PhotoListener) {
    state.withLock { $0.phases[ObjectIdentifier(listener)] = phase }
    tell(isOver: phase == nil ? listener.uniqueID : nil)
  }

  /// Tells coordinators that something is different, and which settings' capture is over.
  func tell(isOver uniqueID: Int64? = nil, isStopped: Bool = false) {
    let all = state.withLock { $0.watchers.compactMap(\.coordinator) }
    for coordinator in all { coordinator.look(isOver: uniqueID, isStopped: isStopped) }
  }
}

/// Told when a capture can begin.
public protocol AVCapturePhotoOutputReadinessCoordinatorDelegate: AnyObject {
  /// On the main queue, with each change.
  func readinessCoordinator(
    _ coordinator: AVCapturePhotoOutputReadinessCoordinator,
    captureReadinessDidChange captureReadiness: AVCapturePhotoOutput.CaptureReadiness)
}

extension AVCapturePhotoOutputReadinessCoordinatorDelegate {
  /// No effect.
  public func readinessCoordinator(
    _ coordinator: AVCapturePhotoOutputReadinessCoordinator,
    captureReadinessDidChange captureReadiness: AVCapturePhotoOutput.CaptureReadiness
  ) {}
}

/// Tells a program's shutter when a capture can begin, those counted that it tracks before they do.
///
/// Unchecked: a delegate is kept under a lock, and called on the main queue alone.
public final class AVCapturePhotoOutputReadinessCoordinator: @unchecked Sendable {
  private struct State {
    weak var delegate: (any AVCapturePhotoOutputReadinessCoordinatorDelegate)?
    var tracked: Set<Int64> = []
    var told: AVCapturePhotoOutput.CaptureReadiness
  }

  private let photoOutput: AVCapturePhotoOutput
  private let lock = NSLock()
  private var state: State

  /// A coordinator for an output.
  public init(photoOutput: AVCapturePhotoOutput) {
    self.photoOutput = photoOutput
    state = State(told: photoOutput.captureReadiness)
    photoOutput.captures.watch(self)
  }

  /// Told where the output stands once it is set, and of changes; not kept.
  public weak var delegate: (any AVCapturePhotoOutputReadinessCoordinatorDelegate)? {
    get { lock.withLock { state.delegate } }
    set {
      let present = lock.withLock {
        state.delegate = newValue
        return currentReadiness
      }
      if newValue != nil { tell(present) }
    }
  }

  /// Whether a capture would begin at once.
  public var captureReadiness: AVCapturePhotoOutput.CaptureReadiness {
    lock.withLock { currentReadiness }
  }
  /// Under the lock.
  private var currentReadiness: AVCapturePhotoOutput.CaptureReadiness {
    let native = photoOutput.captureReadiness
    return native == .ready && !state.tracked.isEmpty ? .notReadyMomentarily : native
  }

  /// Counts a capture from now on, before the output is asked for it.
  public func startTrackingCaptureRequest(using settings: AVCapturePhotoSettings) {
    lock.withLock { _ = state.tracked.insert(settings.uniqueID) }
    look(isOver: nil, isStopped: false)
  }

  /// Counts the capture of settings no more: the output has it, or it is not asked for after all.
  public func stopTrackingCaptureRequest(using settingsUniqueID: Int64) {
    look(isOver: settingsUniqueID, isStopped: false)
  }

  /// Tells the delegate where something is different.
  func look(isOver uniqueID: Int64?, isStopped: Bool) {
    let changed: AVCapturePhotoOutput.CaptureReadiness? = lock.withLock {
      if let uniqueID { state.tracked.remove(uniqueID) }
      // A session that stops says so while its connections are still active.
      let now = isStopped ? .sessionNotRunning : currentReadiness
      defer { state.told = now }
      return state.told == now ? nil : now
    }
    if let changed { tell(changed) }
  }

  private func tell(_ readiness: AVCapturePhotoOutput.CaptureReadiness) {
    DispatchQueue.main.async { [self] in
      delegate?.readinessCoordinator(self, captureReadinessDidChange: readiness)
    }
  }
}
