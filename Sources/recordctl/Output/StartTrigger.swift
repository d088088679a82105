import Dispatch
import Foundation
import Synchronization
import Takes
import VideoRecorder

/// What begins a recording that stands by: Enter on a terminal, SIGUSR2, or a time.
final class StartTrigger: Sendable {
  private struct State {
    var mark: StartMark?
    var isPulled = false
    var waiter: CheckedContinuation<StartMark?, Never>?
  }

  private let state = Mutex(State())
  private let signal: Mutex<SignalHandler?> = Mutex(nil)
  private let clock: Mutex<WallTimer?> = Mutex(nil)

  /// A trigger that pulls itself at a moment, where given.
  init(at moment: StartTime.Moment?) {
    signal.withLock { $0 = SignalHandler(SIGUSR2) { [weak self] in self?.pull(.now) } }
    if let moment {
      clock.withLock {
        $0 = WallTimer(
          at: moment.unixTime, isAwaited: { [weak self] in self?.isPulled == false },
          { [weak self] in self?.pull(StartMark(moment)) })
      }
    }
    guard EnterKey.isPresent else { return }
    // A thread that waits for a key for ever ends with the program.
    DispatchQueue(label: "recordctl.keys").async { [weak self] in
      if EnterKey.wait() { self?.pull(.now) }
    }
  }

  private var isPulled: Bool { state.withLock { $0.isPulled } }

  /// Begins the recording at a mark; once. Nil to end it before it begins.
  func pull(_ mark: StartMark?) {
    let waiter = state.withLock { state in
      if !state.isPulled { state.mark = mark }
      state.isPulled = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: state.withLock { $0.mark })
  }

  func wait() async -> StartMark? {
    await withCheckedContinuation { continuation in
      let (isPulled, mark) = state.withLock { state in
        if !state.isPulled { state.waiter = continuation }
        return (state.isPulled, state.mark)
      }
      if isPulled { continuation.resume(returning: mark) }
    }
  }
}
