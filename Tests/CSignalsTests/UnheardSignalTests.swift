import CSignals
import Foundation
import Testing

@testable import recordctl

/// Signals that ask for the end or report a fault, in processes of their own. They are apart from the command's
/// tests because the testing library polls without a pause while it waits for such a process.
struct UnheardSignalTests {
  /// Stands for a lack of memory for a thread: libdispatch then blocks its caller forever.
  @Test func a_signal_that_cannot_be_handled_ends_the_process() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      process_prepare()
      let handler = SignalHandler(SIGTERM) { while true { sleep(1) } }
      kill(getpid(), SIGTERM)
      for _ in 0..<60 { sleep(1) }
      withExtendedLifetime(handler) {}
    }
  }

  @Test func a_trap_names_each_unfinished_movie() async {
    let result = await #expect(
      processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
    ) {
      process_prepare()
      trap_report_prepare()
      let paths = Array("/one.mov\0/two.mov".utf8CString)
      trap_report_set_movies(paths, paths.count)
      // Sent to the process, for a thread that does not block it: those that run tests do, and with them
      // `abort` of glibc 2.41 ends the process without the handler.
      kill(getpid(), SIGABRT)
      for _ in 0..<60 { sleep(1) }
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      said.contains("with: recordctl recover '/one.mov', and: recordctl recover '/two.mov'\n"),
      "\(said)")
  }

  @Test func a_trap_in_repeatable_work_says_how_to_repeat_it() async {
    let result = await #expect(
      processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
    ) {
      process_prepare()
      trap_report_prepare()
      await TrapRemedy.run("a part that is over") {}
      await TrapRemedy.run(TrapRemedy.join("/a\u{1B}b.mov")) {
        kill(getpid(), SIGABRT)
        for _ in 0..<60 { sleep(1) }
      }
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("; /a?b.mov is not joined; the same command joins it"), "\(said)")
    #expect(!said.contains("that is over") && !said.contains("recordctl recover"), "\(said)")
  }

  @Test func a_handled_signal_does_not_end_the_process() async {
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
