import Dispatch
import Foundation
import Synchronization

/// What begins a recording that stands by: Enter on a terminal, SIGUSR2, or a time.
final class StartTrigger: Sendable {
  private struct State {
    var isPulled = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())
  private let signal: Mutex<SignalHandler?> = Mutex(nil)

  /// A trigger that pulls itself after so many seconds, where given.
  init(after seconds: Double?) {
    signal.withLock { $0 = SignalHandler(SIGUSR2) { [weak self] in self?.pull() } }
    let queue = DispatchQueue(label: "recordctl.start")
    if let seconds {
      // The wall clock: a time of day is what was asked for.
      queue.asyncAfter(wallDeadline: .now() + seconds) { [weak self] in self?.pull() }
    }
    guard TerminalKeys.arePresent else { return }
    // A thread that waits for a key for ever ends with the program.
    DispatchQueue(label: "recordctl.keys").async { [weak self] in
      if TerminalKeys.waitForEnter() { self?.pull() }
    }
  }

  /// Begins the recording; once.
  func pull() {
    let waiter = state.withLock { state in
      state.isPulled = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// Waits for it.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isPulled = state.withLock { state in
        if !state.isPulled { state.waiter = continuation }
        return state.isPulled
      }
      if isPulled { continuation.resume() }
    }
  }
}
