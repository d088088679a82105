import Foundation
import Synchronization

/// A recording does not let itself be suspended: frames would be lost. Ctrl-Z is answered with a
/// note, unless it means something else; after a stop that cannot be refused (SIGSTOP) a note and the
/// report tell how long it was.
final class Suspension: Sendable {
  private let state = Mutex(StopDetector())
  private let handlers: Mutex<[SignalHandler]> = Mutex([])
  private let didStop: @Sendable (Duration) -> Void

  /// - Parameters:
  ///   - refusesStop: True to answer Ctrl-Z (SIGTSTP).
  ///   - didStop: Told how long the process was stopped.
  init(refusesStop: Bool = true, _ didStop: @escaping @Sendable (Duration) -> Void) {
    self.didStop = didStop
    let refusal = refusesStop ? Self.refusal : nil
    let notice = SignalHandler(SIGCONT, afterwards: .itsDefault) { [weak self] in
      self?.tell { $0.wasContinued(at: .now) }
    }
    handlers.withLock { $0 = [refusal, notice].compactMap { $0 } }
  }

  private static var refusal: SignalHandler {
    SignalHandler(SIGTSTP, afterwards: .itsDefault) {
      Console.note("a recording cannot be suspended, because it would lose frames; Ctrl-C ends it")
    }
  }

  /// To be called several times a second.
  func beat() { tell { $0.beat(at: .now) } }

  private func tell(_ change: (inout StopDetector) -> Duration?) {
    guard let gap = state.withLock({ change(&$0) }) else { return }
    didStop(gap)
    Console.note(
      "the process was stopped for \(Quantity.seconds(gap.seconds)) by SIGSTOP; the report lists the "
        + "missing frames")
  }
}
