import CSignals
import Foundation
import Testing

@testable import recordctl

/// A signal that asks for the end, in processes of their own. They are apart from the command's tests: while it
/// waits for such a process, the testing library asks without a pause for children that have ended.
struct UnheardSignalTests {
  /// As where there is no memory for a thread: whoever asks libdispatch for one waits for ever.
  @Test func a_signal_that_nobody_can_obey_ends_the_process() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      process_prepare()
      let handler = SignalHandler(SIGTERM) { while true { sleep(1) } }
      kill(getpid(), SIGTERM)
      for _ in 0..<60 { sleep(1) }
      withExtendedLifetime(handler) {}
    }
  }

  @Test func a_signal_that_is_obeyed_ends_nothing_more() async {
    await #expect(processExitsWith: .exitCode(42)) {
      process_prepare()
      let handler = SignalHandler(SIGTERM) {}
      kill(getpid(), SIGTERM)
      for _ in 0..<12 { sleep(1) }
      withExtendedLifetime(handler) {}
      exit(42)
    }
  }
}
