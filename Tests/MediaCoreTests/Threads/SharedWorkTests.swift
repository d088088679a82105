import Synchronization
import Testing

@testable import MediaCore

#if canImport(Glibc)
import Glibc
#endif

/// What threads share: monitors, handovers, maps and jobs.
struct SharedWorkTests {
  private struct OddError: Error, Equatable { let index: Int }

  @Test func an_update_wakes_waiting_threads() throws {
    let shared = WaitableMutex(0)
    let thread = try MediaThread(name: "counter", role: .encoding) {
      for _ in 0..<100 { shared.update { $0 += 1 } }
    }
    #expect(shared.wait { $0 == 100 ? "all" : nil } == "all")
    thread.join()
  }

  #if canImport(Glibc)
  /// If a lock holds its owner's thread ID instead of a 1, the kernel lends the owner the priority
  /// of the threads that wait.
  @Test func the_lock_inherits_the_priority_of_waiting_threads() {
    let shared = WaitableMutex(0)
    #expect(shared.withLock { _ in shared.mutex.pointee.__data.__lock } > 2)
    #expect(shared.mutex.pointee.__data.__lock == 0)
  }
  #endif

  @Test func a_wait_returns_nil_at_its_deadline() {
    let shared = WaitableMutex(1)
    let deadline = MonotonicClock.now + 20_000_000
    #expect(shared.wait(deadline: deadline) { $0 == 2 ? true : nil } == nil)
    #expect(MonotonicClock.now >= deadline)
    #expect(shared.wait(deadline: 0) { $0 == 1 ? true : nil } == true)
  }

  @Test func a_handover_gives_its_value_once() {
    final class Mutable { var count = 1 }
    let handover = Handover(Mutable())
    let other = Mutex(0)
    let job = BackgroundJob(label: "taker") { () throws(Never) in
      let value = handover.take()
      value?.count += 1
      other.withLock { $0 = value?.count ?? 0 }
    }
    job.outcome()
    #expect(other.withLock { $0 } == 2)
    #expect(handover.take() == nil)
  }

  @Test(arguments: [0, 1, 2, 7, 1000])
  func a_map_gives_results_in_order(count: Int) {
    #expect(ConcurrentMap.map(count) { $0 * 3 } == (0..<count).map { $0 * 3 })
  }

  @Test func each_worker_is_used_by_one_thread_at_a_time() {
    final class Worker {
      var isBusy = false
      var pieces = 0
    }
    let clashes = Atomic(0)
    let numbers = ConcurrentMap.map(500, worker: { Worker() }) { worker, index in
      if worker.isBusy { clashes.wrappingAdd(1, ordering: .relaxed) }
      worker.isBusy = true
      worker.pieces += 1
      worker.isBusy = false
      return index
    }
    #expect(numbers == Array(0..<500) && clashes.load(ordering: .relaxed) == 0)
  }

  @Test(arguments: [1, 4])
  func a_map_stopped_by_a_failure_has_completed_all_items_before_it(run: Int) throws {
    let results = ConcurrentMap.results(400, run: run, stopsAtFailure: true) {
      index throws(OddError) in
      if index >= 100 { throw OddError(index: index) }
      return index
    }
    let failure = try #require(
      results.firstIndex { if case .failure = $0 { true } else { false } })
    #expect(failure == 100)
    #expect(try results[..<100].map { try $0.get() } == Array(0..<100))
    #expect(results.count < 400)
  }

  @Test func a_map_reports_each_failure_in_its_place() {
    let results = ConcurrentMap.results(9) { index throws(OddError) in
      if index % 2 == 1 { throw OddError(index: index) }
      return index
    }
    #expect(results.count == 9 && results[3] == .failure(OddError(index: 3)))
    #expect(results[4] == .success(4))
  }

  @Test func bands_cover_all_rows_once() {
    let rows = Mutex([Int](repeating: 0, count: 70))
    ConcurrentMap.bands(70, of: 16) { band in
      rows.withLock { rows in for row in band { rows[row] += 1 } }
    }
    #expect(rows.withLock { $0 } == [Int](repeating: 1, count: 70))
  }

  @Test func each_band_gets_the_memory_of_its_rows() {
    let filled = [Int](unsafeUninitializedCapacity: 10 * 3) { memory, count in
      ConcurrentMap.bands(filling: memory, rowLength: 3, of: 4) { rows, band in
        for (place, row) in rows.enumerated() {
          for column in 0..<3 { band[place * 3 + column] = row * 10 + column }
        }
      }
      count = 10 * 3
    }
    #expect(filled == (0..<10).flatMap { row in (0..<3).map { row * 10 + $0 } })
  }

  @Test func a_failed_job_throws_on_every_query() {
    let job = BackgroundJob(label: "failing") { () throws(OddError) in throw OddError(index: 5) }
    #expect(throws: OddError(index: 5)) { try job.outcome() }
    #expect(throws: OddError(index: 5)) { try job.outcome() }
  }
}
