import CSignals
import Dispatch
import Foundation
import Synchronization

/// A signal as an event: each arrival calls a handler, on a thread that all signals share. Before the handler exists
/// and after it is gone, the signal has its usual effect.
final class SignalHandler: Sendable {
  private let number: Int32
  private let afterwards: Afterwards

  /// What the signal does when its handler is gone.
  enum Afterwards: Sendable { case nothing, itsDefault }

  init(
    _ number: Int32, afterwards: Afterwards = .nothing, _ handler: @escaping @Sendable () -> Void
  ) {
    self.number = number
    self.afterwards = afterwards
    SignalRelay.shared.register(number, handler)
  }

  deinit {
    switch afterwards {
    case .nothing: signal_ignore(number)
    case .itsDefault: signal_restore_default(number)
    }
    SignalRelay.shared.remove(number)
  }
}

/// Reads the numbers of signals from the pipe into which the signal handler writes them.
private final class SignalRelay: Sendable {
  static let shared = SignalRelay()
  private let hearing = DispatchQueue(label: "recordctl.hearing")

  private struct State {
    var handlers: [Int32: @Sendable () -> Void] = [:]
    var hasThread = false
  }

  private let state = Mutex(State())

  func register(_ number: Int32, _ handler: @escaping @Sendable () -> Void) {
    let startsThread = state.withLock { state in
      state.handlers[number] = handler
      defer { state.hasThread = true }
      return !state.hasThread
    }
    guard signal_watch(number) == 0, startsThread else { return }
    let thread = Thread { [self] in relay() }
    thread.name = "signals"
    thread.start()
  }

  func remove(_ number: Int32) { state.withLock { $0.handlers[number] = nil } }

  private func relay() {
    while case let number = signal_next(), number > 0 {
      let handler = state.withLock { $0.handlers[number] }
      handler?()
      // On another thread: one that cannot be started is what the wish to end may fail for.
      hearing.async { signal_heard() }
    }
  }
}
