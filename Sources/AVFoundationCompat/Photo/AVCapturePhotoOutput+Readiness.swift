import Foundation
import Synchronization

extension AVCapturePhotoOutput {
  /// Whether a capture would start immediately, with Apple's raw values. A capture requested before that waits.
  public enum CaptureReadiness: Int, Sendable, Hashable {
    /// There are no frames.
    case sessionNotRunning = 0
    /// A capture starts immediately.
    case ready = 1
    /// A tracked capture has not started yet.
    case notReadyMomentarily = 2
    /// A capture is being exposed.
    case notReadyWaitingForCapture = 3
    /// A capture's photos are being processed.
    case notReadyWaitingForProcessing = 4
  }

  /// Whether a capture would start immediately.
  public var captureReadiness: CaptureReadiness {
    guard connection(with: .video)?.isActive == true else { return .sessionNotRunning }
    return switch captures.phase {
    case nil: .ready
    case .exposing?: .notReadyWaitingForCapture
    case .processing?: .notReadyWaitingForProcessing
    }
  }
}

/// The unfinished captures of an output.
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

  /// The phase of the unfinished captures: exposing if any of them is.
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

  /// Sets the phase of a capture; nil if it is over.
  func set(_ phase: Phase?, of listener: PhotoListener) {
    state.withLock { $0.phases[ObjectIdentifier(listener)] = phase }
    tell(isOver: phase == nil ? listener.uniqueID : nil)
  }

  /// Notifies coordinators of a change, and of the settings whose capture is over.
  func tell(isOver uniqueID: Int64? = nil, isStopped: Bool = false) {
    let all = state.withLock { $0.watchers.compactMap(\.coordinator) }
    for coordinator in all { coordinator.look(isOver: uniqueID, isStopped: isStopped) }
  }
}

/// Is notified of changes in readiness.
public protocol AVCapturePhotoOutputReadinessCoordinatorDelegate: AnyObject {
  /// Called on the main queue with each change.
  func readinessCoordinator(
    _ coordinator: AVCapturePhotoOutputReadinessCoordinator,
    captureReadinessDidChange captureReadiness: AVCapturePhotoOutput.CaptureReadiness)
}

extension AVCapturePhotoOutputReadinessCoordinatorDelegate {
  public func readinessCoordinator(
    _ coordinator: AVCapturePhotoOutputReadinessCoordinator,
    captureReadinessDidChange captureReadiness: AVCapturePhotoOutput.CaptureReadiness
  ) {}
}

/// Tells a user interface when a capture can start, counting tracked captures that have not started yet.
///
/// Unchecked: the lock protects all mutable state. The delegate is called only on the main queue.
public final class AVCapturePhotoOutputReadinessCoordinator: @unchecked Sendable {
  private struct State {
    weak var delegate: (any AVCapturePhotoOutputReadinessCoordinatorDelegate)?
    var tracked: Set<Int64> = []
    var reported: AVCapturePhotoOutput.CaptureReadiness
  }

  private let photoOutput: AVCapturePhotoOutput
  private let lock = NSLock()
  private var state: State

  public init(photoOutput: AVCapturePhotoOutput) {
    self.photoOutput = photoOutput
    state = State(reported: photoOutput.captureReadiness)
    photoOutput.captures.watch(self)
  }

  /// Called with the readiness when set, and with each change; not retained.
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

  /// Whether a capture would start immediately.
  public var captureReadiness: AVCapturePhotoOutput.CaptureReadiness {
    lock.withLock { currentReadiness }
  }
  /// Call with the lock held.
  private var currentReadiness: AVCapturePhotoOutput.CaptureReadiness {
    let native = photoOutput.captureReadiness
    return native == .ready && !state.tracked.isEmpty ? .notReadyMomentarily : native
  }

  /// Tracks a capture from now on, before it is requested from the output.
  public func startTrackingCaptureRequest(using settings: AVCapturePhotoSettings) {
    lock.withLock { _ = state.tracked.insert(settings.uniqueID) }
    look(isOver: nil, isStopped: false)
  }

  /// Stops tracking a capture, because the output has it or it will not be requested.
  public func stopTrackingCaptureRequest(using settingsUniqueID: Int64) {
    look(isOver: settingsUniqueID, isStopped: false)
  }

  /// Notifies the delegate of a change.
  func look(isOver uniqueID: Int64?, isStopped: Bool) {
    let changed: AVCapturePhotoOutput.CaptureReadiness? = lock.withLock {
      if let uniqueID { state.tracked.remove(uniqueID) }
      // A stopping session's connections are still active.
      let now = isStopped ? .sessionNotRunning : currentReadiness
      defer { state.reported = now }
      return state.reported == now ? nil : now
    }
    if let changed { tell(changed) }
  }

  private func tell(_ readiness: AVCapturePhotoOutput.CaptureReadiness) {
    DispatchQueue.main.async { [self] in
      delegate?.readinessCoordinator(self, captureReadinessDidChange: readiness)
    }
  }
}
