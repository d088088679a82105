import Foundation
import Synchronization

/// A recording does not let itself be suspended: frames would be lost. Ctrl-Z is answered with a
/// note, unless it means something else; after a stop that cannot be refused (SIGSTOP) a note and the
/// report tell how long it was.
final class Suspension: Sendable {
  private struct State {
    var lastBeat = ContinuousClock.now
    /// A beat that came late, until the next one.
    var gap: Duration?
    var wasContinued = false
  }

  /// A beat that comes later than this was held up.
  private static let longestBeat = Duration.milliseconds(500)

  private let state = Mutex(State())
  private let handlers: Mutex<[SignalHandler]> = Mutex([])
  private let didStop: @Sendable (Duration) -> Void

  /// - Parameters:
  ///   - refusesStop: True to answer Ctrl-Z (SIGTSTP).
  ///   - didStop: Told how long the process was stopped.
  init(refusesStop: Bool = true, _ didStop: @escaping @Sendable (Duration) -> Void) {
    self.didStop = didStop
    let refusal = refusesStop ? Self.refusal : nil
    let notice = SignalHandler(SIGCONT, afterwards: .itsDefault) { [weak self] in
      self?.tell { $0.wasContinued = true }
    }
    handlers.withLock { $0 = [refusal, notice].compactMap { $0 } }
  }

  private static var refusal: SignalHandler {
    SignalHandler(SIGTSTP, afterwards: .itsDefault) {
      Console.note("a recording is not suspended, for it would lose frames; Ctrl-C ends it")
    }
  }

  /// To be called several times a second: a stop is a gap between two calls and SIGCONT. That alone
  /// is no stop: it also comes when a terminal hangs up.
  func beat() {
    let now = ContinuousClock.now
    tell { state in
      let gap = now - state.lastBeat
      state.gap = gap > Self.longestBeat ? gap : nil
      state.lastBeat = now
    }
  }

  private func tell(_ change: (inout State) -> Void) {
    let gap = state.withLock { state -> Duration? in
      change(&state)
      guard state.wasContinued, let gap = state.gap else { return nil }
      state.wasContinued = false
      state.gap = nil
      return gap
    }
    guard let gap else { return }
    didStop(gap)
    Console.note(
      "the process was stopped for \(Quantity.seconds(gap.seconds)) by SIGSTOP; the report names the "
        + "frames that are missing")
  }
}
