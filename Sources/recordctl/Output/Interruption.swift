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

/// Signals as a wish to come to an end: the first one calls a handler; SIGINT, SIGTERM or SIGQUIT
/// more than a second later ends the program as it always does. What was ignored when the program
/// started, as `nohup` and shells without job control have it, stays ignored.
///
/// A terminal that goes away may send SIGHUP several times, and a shell Ctrl-C to a whole group: that
/// is one wish.
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
      // A terminal that went away may say so again while the report is written.
      SignalHandler(number, afterwards: number == SIGHUP ? .nothing : .itsDefault) { [weak self] in
        self?.receive(number)
      }
    }
    handlers.withLock { $0 = watched }
  }

  /// Watches no signal: a test hands them to ``receive(_:)``, has a time of its own, and is told when the program
  /// would end.
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

  /// Begins anew with what is left to do: the next signal is a first one again, and calls `handler`.
  func renew(_ handler: @escaping @Sendable () -> Void) {
    state.withLock { state in
      var earliest: ContinuousClock.Instant?
      if case .requested(let first) = state { earliest = first + Self.grace }
      state = .watching(handler: handler, earliest: earliest)
    }
  }

  /// Takes a signal that came.
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
