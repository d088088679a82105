import CSignals
import Foundation
import Synchronization

/// What a terminal that hangs up means for a recording.
enum HangupPolicy: String, CaseIterable, NamedValue {
  static let noun = "hang-up policy"

  /// The recording ends in order.
  case finish
  /// The recording goes on without the terminal.
  case `continue`
}

/// Treats signals as a request to stop. The first one calls a handler; SIGINT, SIGTERM or SIGQUIT
/// more than a second later kills the program as usual. Signals that were ignored when the program
/// started, as by `nohup` and shells without job control, stay ignored.
///
/// A terminal that closes may send SIGHUP several times, and a shell sends Ctrl-C to a whole group: signals within
/// a second count as one request.
final class Interruption: Sendable {
  private enum State {
    /// A signal before `earliest` is one that was obeyed already.
    case watching(handler: (@Sendable () -> Void)?, earliest: ContinuousClock.Instant?)
    case requested(at: ContinuousClock.Instant)
  }

  /// A second wish that comes this soon is the first one still.
  private static let grace = Duration.seconds(1)
  private static let insistent = [SIGINT, SIGTERM, SIGQUIT]
  /// The limit of processor time and a power supply that fails leave some time.
  private static let others = [SIGXCPU, SIGPWR]

  private let state: Mutex<State>
  private let handlers: Mutex<[SignalHandler]>
  private let now: @Sendable () -> ContinuousClock.Instant
  private let endProcess: @Sendable (_ number: Int32) -> Void

  /// Watches from now on. A signal that comes before ``handle(_:)`` is kept.
  init(onHangup: HangupPolicy = .finish) {
    state = Mutex(.watching(handler: nil, earliest: nil))
    handlers = Mutex([])
    now = { .now }
    endProcess = { number in
      signal_restore_default(number)
      kill(getpid(), number)
    }
    // Neither reading keys nor drawing may stop a recording in the background.
    signal_ignore(SIGTTIN)
    signal_ignore(SIGTTOU)
    var numbers = Self.insistent + Self.others
    switch onHangup {
    case .finish: numbers.append(SIGHUP)
    case .continue: signal_ignore(SIGHUP)
    }
    let watched = numbers.filter { signal_was_ignored($0) == 0 }.map { number in
      // A closed terminal may send another SIGHUP while the report is written.
      SignalHandler(number, afterwards: number == SIGHUP ? .nothing : .itsDefault) { [weak self] in
        self?.receive(number)
      }
    }
    handlers.withLock { $0 = watched }
  }

  /// Handles no signals itself: a test passes them to ``receive(_:)``, supplies the time, and learns when the program
  /// would be killed.
  init(
    now: @escaping @Sendable () -> ContinuousClock.Instant,
    endProcess: @escaping @Sendable (_ number: Int32) -> Void
  ) {
    state = Mutex(.watching(handler: nil, earliest: nil))
    handlers = Mutex([])
    self.now = now
    self.endProcess = endProcess
  }

  /// Watches, and calls `handler` at the first signal.
  convenience init(_ handler: @escaping @Sendable () -> Void) {
    self.init()
    handle(handler)
  }

  /// Calls `handler` at the first signal; at once where it was there already.
  func handle(_ handler: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      guard case .watching = state else { return true }
      state = .watching(handler: handler, earliest: nil)
      return false
    }
    if isLate { handler() }
  }

  /// Starts over for the work that is left: the next signal counts as the first again, and calls `handler`.
  func renew(_ handler: @escaping @Sendable () -> Void) {
    state.withLock { state in
      var earliest: ContinuousClock.Instant?
      if case .requested(let first) = state { earliest = first + Self.grace }
      state = .watching(handler: handler, earliest: earliest)
    }
  }

  /// Handles a signal.
  func receive(_ number: Int32) {
    let now = now()
    let action = state.withLock { [endProcess] state -> (@Sendable () -> Void)? in
      switch state {
      case .watching(let handler, let earliest):
        if let earliest, now < earliest { return nil }
        state = .requested(at: now)
        return handler
      case .requested(let first):
        guard Self.insistent.contains(number), now - first > Self.grace else { return nil }
        return { endProcess(number) }
      }
    }
    action?()
  }
}
