import Glibc
import Synchronization
import Testing

@testable import MediaCore

/// Threads, and what the system grants them.
struct MediaThreadTests {
  @Test func a_named_thread_runs_once_and_join_waits_for_it() throws {
    let runs = Mutex<[String]>([])
    let thread = try MediaThread(name: "a-name-that-is-too-long", role: .encoding) {
      MonotonicClock.sleep(until: MonotonicClock.now + 20_000_000)
      runs.withLock { $0.append(ThreadScheduling.current.thread) }
    }
    thread.join()
    #expect(runs.withLock { $0 } == ["a-name-that-is-"])
    // The second call returns immediately.
    thread.join()
    #expect(thread.scheduling.thread == "a-name-that-is-")
    #expect(!thread.isCurrent)
  }

  @Test func captured_objects_are_released_when_join_returns() throws {
    final class Witness: Sendable {}
    weak var witness: Witness?
    let thread = try {
      let held = Witness()
      witness = held
      return try MediaThread(name: "holder", role: .capture) { withExtendedLifetime(held) {} }
    }()
    thread.join()
    #expect(witness == nil)
  }

  /// Recurses until the stack is used up.
  @inline(never) private static func descend(_ depth: Int) -> Int {
    depth == .max
      ? 0
      : withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) {
        $0[depth % 1024] = 1
        return descend(depth + 1) + Int($0[depth % 1024])
      }
  }

  @Test func a_signal_handler_runs_after_a_stack_overflow() async {
    await #expect(processExitsWith: .exitCode(42)) {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in _exit(42) }
      action.sa_flags = SA_ONSTACK
      sigaction(SIGSEGV, &action, nil)
      try MediaThread(name: "deep", role: .encoding) { _ = MediaThreadTests.descend(0) }.join()
    }
  }

  @Test(.timeLimit(.minutes(20)))
  func a_thread_may_join_itself_without_effect() throws {
    let slot = Slot()
    let isSelf = Atomic(false)
    try slot.thread.withLock { thread in
      thread = try MediaThread(name: "self", role: .writing) {
        // Waits until the slot is filled.
        let own = slot.thread.withLock { $0 }
        own?.join()
        isSelf.store(own?.isCurrent == true, ordering: .releasing)
      }
    }
    slot.thread.withLock { $0 }?.join()
    let wasSelf = isSelf.load(ordering: .acquiring)
    #expect(wasSelf)
  }

  private final class Slot: Sendable { let thread = Mutex<MediaThread?>(nil) }

  @Test func an_ordinary_thread_is_scheduled_like_the_process() throws {
    let thread = try MediaThread(name: "plain", role: .encoding) {}
    thread.join()
    let own = ThreadScheduling.current
    #expect(thread.scheduling.policy == .timeSharing)
    #expect(thread.scheduling.niceness == own.niceness)
    #expect(thread.scheduling.processors == nil)
  }

  @Test func encoding_threads_are_pinned_to_one_processor_others_to_the_set() throws {
    let all = ProcessorSet(ofThread: 0).processors
    let own = try #require(all.last)
    let pinned = ThreadOptions(isRaised: false, processors: [own])
    let thread = try MediaThread(name: "pinned", role: .encoding, options: pinned, index: 3) {}
    thread.join()
    #expect(thread.scheduling.processors == (all.count > 1 ? [own] : nil))
    for (role, expected) in [
      (ThreadRole.encoding, [[4], [6], [4]]), (.writing, [[4, 6], [4, 6], [4, 6]]),
    ] {
      for index in 0..<3 {
        let system = FakeSystem()
        ThreadScheduling.apply(
          role, ThreadOptions(isRaised: false, processors: [4, 6]), index: index,
          calls: system.calls)
        #expect(system.log == [.processors(expected[index])])
      }
    }
  }

  @Test func a_missing_processor_only_prevents_pinning() throws {
    let options = ThreadOptions(isRaised: false, processors: [8191])
    let ran = Mutex(false)
    let thread = try MediaThread(name: "nowhere", role: .encoding, options: options) {
      ran.withLock { $0 = true }
    }
    thread.join()
    #expect(ran.withLock { $0 })
    #expect(thread.scheduling.processors == nil)
  }
}

/// The requests to the system, and their order if it refuses.
struct ThreadSchedulingTests {
  @Test func each_role_requests_real_time_with_its_own_priority() {
    for (role, priority) in [(ThreadRole.capture, 30), (.writing, 20), (.encoding, 10)] {
      let system = FakeSystem()
      ThreadScheduling.apply(role, ThreadOptions(), index: 0, calls: system.calls)
      #expect(system.log == [.realTime(priority)])
    }
  }

  @Test func after_refused_real_time_lower_priorities_and_niceness_are_tried() {
    let strict = FakeSystem(realTimeLimit: 5, nicenessLimit: 24, refusesAll: true)
    ThreadScheduling.apply(.capture, ThreadOptions(), index: 0, calls: strict.calls)
    #expect(strict.log == [.realTime(30), .realTime(5), .niceness(-15), .niceness(-4)])
    let closed = FakeSystem(realTimeLimit: 0, nicenessLimit: 0, refusesAll: true)
    ThreadScheduling.apply(.capture, ThreadOptions(), index: 0, calls: closed.calls)
    #expect(closed.log == [.realTime(30), .niceness(-15)])
  }

  @Test func ordinary_threads_request_no_priority() {
    let system = FakeSystem()
    ThreadScheduling.apply(.capture, .ordinary, index: 0, calls: system.calls)
    #expect(system.log.isEmpty)
  }

  @Test func children_of_a_raised_thread_are_ordinary() throws {
    let inherited = Mutex<ThreadScheduling?>(nil)
    let thread = try MediaThread(name: "raised", role: .capture, options: ThreadOptions()) {
      let child = try? MediaThread(name: "child", role: .encoding) {}
      child?.join()
      inherited.withLock { $0 = child.map(\.scheduling) }
    }
    thread.join()
    let child = try #require(inherited.withLock { $0 })
    #expect(child.policy == .timeSharing)
    #expect(child.niceness >= 0)
  }

  @Test(arguments: [
    (ThreadScheduling(thread: "a"), "normal"),
    (ThreadScheduling(thread: "a", niceness: -10), "nice -10"),
    (ThreadScheduling(thread: "a", policy: .realTime, priority: 30), "real time 30"),
    (ThreadScheduling(thread: "a", niceness: 5, processors: [2, 3]), "nice 5 on processor 2, 3"),
  ])
  func scheduling_is_described_in_words(_ scheduling: ThreadScheduling, _ text: String) {
    #expect("\(scheduling)" == text)
  }

  @Test func each_processor_is_tested_separately_and_refusals_are_reported() throws {
    let system = FakeSystem(refusesAll: true)
    let options = ThreadOptions(processors: [99, 2, 99])
    #expect(options.refusedProcessors(by: system.calls) == [2, 99])
    #expect(system.log == [.processors([2]), .processors([99])])
    let line = try #require(ThreadOptions.warning(ofRefused: [2, 99]))
    #expect(line.hasPrefix("the system cannot pin a thread to processor 2, 99: "))
    #expect(options.refusedProcessors(by: FakeSystem().calls) == [])
    #expect(ThreadOptions.warning(ofRefused: []) == nil)
    #expect(ThreadOptions().refusedProcessors(by: system.calls) == [])
  }

  @Test func refused_processors_do_not_affect_the_calling_thread()
    throws
  {
    let before = ThreadScheduling.current.processors
    let own = try #require(ProcessorSet(ofThread: getpid()).processors.last)
    // The highest number for which Linux can be built.
    try #require(own < 8191)
    #expect(ThreadOptions(processors: [own, 8191]).refusedProcessors == [8191])
    #expect(ThreadScheduling.current.processors == before)
  }
}

/// A system that logs its requests, and refuses when told to.
private final class FakeSystem: Sendable {
  enum Call: Equatable {
    case realTime(Int)
    case niceness(Int)
    case processors([Int])
  }

  private let entries = Mutex<[Call]>([])
  private let realTimeLimit: Int
  private let nicenessLimit: Int
  private let refusesAll: Bool

  init(realTimeLimit: Int = 0, nicenessLimit: Int = 0, refusesAll: Bool = false) {
    self.realTimeLimit = realTimeLimit
    self.nicenessLimit = nicenessLimit
    self.refusesAll = refusesAll
  }

  var log: [Call] { entries.withLock { $0 } }

  var calls: SchedulingCalls {
    SchedulingCalls(
      setRealTime: { self.note(.realTime($0)) }, setNiceness: { self.note(.niceness($0)) },
      setProcessors: { self.note(.processors($0)) }, realTimeLimit: { self.realTimeLimit },
      nicenessLimit: { self.nicenessLimit }, current: { ThreadScheduling(thread: "fake") })
  }

  private func note(_ call: Call) -> Bool {
    entries.withLock { $0.append(call) }
    return !refusesAll
  }
}
