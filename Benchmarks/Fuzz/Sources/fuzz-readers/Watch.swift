import Glibc
import Synchronization

/// Limits of memory and time, and a word about the input that broke one of them.
enum Watch {
  /// Bytes that the process may take, everything included.
  static let memoryLimit: UInt = 768 << 20
  /// Seconds that an input may take.
  static let timeLimit: Int64 = 5

  private static let started = Atomic<Int64>(0)
  private static let number = Atomic<Int>(0)
  private static let seed = Atomic<UInt64>(0)
  private static let subject = Mutex("")

  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  static func limitMemory() {
    var limit = rlimit(rlim_cur: memoryLimit, rlim_max: memoryLimit)
    setrlimit(__rlimit_resource_t(UInt32(RLIMIT_DATA.rawValue)), &limit)
  }

  /// Starts the watch on time, and on signals that a crash raises.
  static func begin() {
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
      signal(number) { number in
        Watch.tell("signal \(number)")
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { _ in
        while true {
          sleep(1)
          let start = Watch.started.load(ordering: .relaxed)
          guard start > 0, Watch.now - start > Watch.timeLimit * 1_000_000_000 else { continue }
          Watch.tell("longer than \(Watch.timeLimit) s")
          _exit(1)
        }
      }, nil)
  }

  static func enter(_ name: String, _ index: Int, _ from: UInt64) -> Int64 {
    subject.withLock { if $0 != name { $0 = name } }
    number.store(index, ordering: .relaxed)
    seed.store(from, ordering: .relaxed)
    let start = now
    started.store(start, ordering: .relaxed)
    return start
  }

  static func leave(since start: Int64) -> Int64 {
    started.store(0, ordering: .relaxed)
    return now - start
  }

  private static func tell(_ what: String) {
    let name = subject.withLock { $0 }
    let line =
      "fuzz-readers: \(what); replay with --seed \(seed.load(ordering: .relaxed)) "
      + "--replay \(name) \(number.load(ordering: .relaxed))\n"
    _ = line.utf8.withContiguousStorageIfAvailable { write(2, $0.baseAddress, $0.count) }
  }
}

/// A small generator of chance that can be started anew for each input.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
