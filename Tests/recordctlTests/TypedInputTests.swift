import Foundation
import Synchronization
import Testing

@testable import recordctl

@Suite struct TypedInputTests {
  /// The system's answers to successive reads, and a log of the calls.
  private final class Script: Sendable {
    private let answers: Mutex<[(Int, UInt8, Int32)]>
    private let looks: Mutex<[Bool]>
    let steps = Mutex<[String]>([])

    init(_ answers: [(Int, UInt8, Int32)], isOtherJobs: [Bool] = []) {
      self.answers = Mutex(answers)
      looks = Mutex(isOtherJobs)
    }

    var input: TypedInput {
      var input = TypedInput()
      input.calls.read = { [self] in
        steps.withLock { $0.append("read") }
        return answers.withLock { $0.isEmpty ? (0, 0, 0) : $0.removeFirst() }
      }
      input.calls.isOtherJobs = { [self] in
        looks.withLock { $0.isEmpty ? false : $0.removeFirst() }
      }
      input.calls.waitUntilReadable = { [self] in steps.withLock { $0.append("wait") } }
      input.calls.pause = { [self] in steps.withLock { $0.append("pause") } }
      return input
    }
  }

  @Test func keys_work_again_after_returning_to_the_foreground() {
    let script = Script(
      [(-1, 0, EIO), (1, 112, 0), (1, 113, 0)], isOtherJobs: [true, true, true, false])
    let input = script.input
    let key = input.next { script.steps.withLock { $0.append("back") } }
    #expect(key == 112)
    #expect(
      script.steps.withLock { $0 } == ["read", "pause", "pause", "pause", "back", "read"])
    #expect(input.next() == 113)
    #expect(input.next() == nil, "the input has ended")
  }

  @Test func a_lost_terminal_delivers_no_more_keys() {
    let script = Script([(-1, 0, EIO), (1, 112, 0)], isOtherJobs: [false])
    #expect(script.input.next() == nil)
    #expect(script.steps.withLock { $0 } == ["read"])
  }

  @Test func interrupted_and_nonblocking_reads_are_retried() {
    let script = Script([(-1, 0, EINTR), (-1, 0, EAGAIN), (1, 10, 0)])
    #expect(script.input.next() == 10)
    #expect(script.steps.withLock { $0 } == ["read", "read", "wait", "read"])
  }
}
