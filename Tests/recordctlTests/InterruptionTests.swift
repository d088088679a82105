import Foundation
import Synchronization
import Testing

@testable import recordctl

/// What signals do while a take ends and while it is saved.
struct InterruptionTests {
  /// A simulated clock, and a log of the calls.
  private final class Rig: Sendable {
    private struct State {
      var time = ContinuousClock.now
      var calls: [String] = []
    }

    private let state = Mutex(State())

    var calls: [String] { state.withLock { $0.calls } }
    var now: ContinuousClock.Instant { state.withLock { $0.time } }

    func note(_ call: String) { state.withLock { $0.calls.append(call) } }
    func wait(_ duration: Duration) { state.withLock { $0.time += duration } }

    func interruption() -> Interruption {
      let interruption = Interruption(now: { self.now }, endProcess: { self.note("end \($0)") })
      interruption.handle { self.note("end of the take") }
      return interruption
    }
  }

  private let rig = Rig()

  @Test func a_second_signal_during_saving_ends_only_the_hooks() {
    let interruption = rig.interruption()
    interruption.receive(SIGINT)
    #expect(rig.calls == ["end of the take"])
    interruption.renew { rig.note("end of the hooks") }
    // A shell and a terminal may both send it: this still counts as the first signal.
    rig.wait(.milliseconds(500))
    interruption.receive(SIGINT)
    #expect(rig.calls == ["end of the take"])
    rig.wait(.seconds(1))
    interruption.receive(SIGINT)
    #expect(rig.calls == ["end of the take", "end of the hooks"])
    rig.wait(.milliseconds(500))
    interruption.receive(SIGTERM)
    rig.wait(.seconds(1))
    // A terminal that hangs up may send SIGHUP twice.
    interruption.receive(SIGHUP)
    #expect(rig.calls.count == 2)
    interruption.receive(SIGTERM)
    #expect(rig.calls.last == "end \(SIGTERM)" && rig.calls.count == 3)
  }

  @Test func a_signal_during_saving_of_a_finished_take_ends_its_hooks() {
    let interruption = rig.interruption()
    interruption.renew { rig.note("end of the hooks") }
    interruption.receive(SIGHUP)
    #expect(rig.calls == ["end of the hooks"])
  }

  @Test func a_second_signal_before_the_take_completes_ends_the_program() {
    let interruption = rig.interruption()
    for _ in 0..<3 {
      interruption.receive(SIGQUIT)
      rig.wait(.milliseconds(500))
    }
    #expect(rig.calls == ["end of the take"], "repeated signals count as one")
    interruption.receive(SIGQUIT)
    #expect(rig.calls == ["end of the take", "end \(SIGQUIT)"])
  }
}
