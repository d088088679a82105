import Foundation
import Testing

@testable import EncodeJobs

struct WorkerMarkTests {
  private let machine = WorkerMark.System(name: "here") { $0 == 7 ? 70 : nil }

  private func mark(_ process: Int32, _ system: String = "here", start: UInt64 = 70) -> WorkerMark {
    WorkerMark(host: "node-1.lan", process: process, system: system, start: start, token: "ab")
  }

  @Test func a_worker_mark_is_read_back_from_a_folder_name() {
    #expect(WorkerMark(mark(7).text) == mark(7))
    for text in ["", "host", "host-7-ab", "h-x-here-70-ab", "h-7-here-x-ab", "h--7-here-70-ab-"] {
      #expect(WorkerMark(text) == nil, "\(text)")
    }
  }

  @Test func only_the_machine_of_a_worker_knows_that_it_is_gone() {
    #expect(mark(7).presence(machine) == .running)
    // Its process number was reused.
    #expect(mark(7, start: 69).presence(machine) == .gone)
    #expect(mark(8).presence(machine) == .gone)
    #expect(mark(8, "there").presence(machine) == .unknown)
    let unknown = WorkerMark.System(name: WorkerMark.System.unknownName) { _ in nil }
    #expect(mark(8, unknown.name).presence(unknown) == .unknown)
  }

  @Test func the_current_process_is_running() {
    #expect(WorkerMark.current().presence() == .running)
  }
}
