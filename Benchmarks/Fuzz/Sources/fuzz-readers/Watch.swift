import Glibc
import Synchronization

/// Limits memory and time, and reports the input that exceeded a limit.
enum Watch {
  /// Bytes that reading an input may add to what the process held before the first one, including reserved
  /// addresses that were never used.
  static let memoryLimit: UInt = 128 << 20
  /// Processor time in seconds that an input may take; by the clock it may take twelve times as long, because
  /// other processes may need the processor.
  static let timeLimit: Int64 = 5

  private static let started = Atomic<Int64>(0)
  private static let startedByClock = Atomic<Int64>(0)
  private static let number = Atomic<Int>(0)
  private static let seed = Atomic<UInt64>(0)
  private static let subject = Mutex("")

  /// Processor time of all threads, in nanoseconds.
  static var processorTime: Int64 { nanoseconds(CLOCK_PROCESS_CPUTIME_ID) }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Makes any allocation beyond the limit fail.
  static func limitMemory() {
    let bound = UInt(kilobytes(of: "VmData:")) << 10 + memoryLimit
    var limit = rlimit(rlim_cur: bound, rlim_max: bound)
    setrlimit(__rlimit_resource_t(UInt32(RLIMIT_DATA.rawValue)), &limit)
  }

  /// The process's peak memory so far, in bytes.
  static var peakMemory: Int { kilobytes(of: "VmHWM:") << 10 }

  /// Resets the peak.
  static func resetPeak() {
    guard let file = fopen("/proc/self/clear_refs", "w") else { return }
    fputs("5", file)
    fclose(file)
  }

  private static func kilobytes(of key: String) -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if text.hasPrefix(key) {
        return text.split(whereSeparator: { $0 == " " || $0 == "\t" }).compactMap { Int($0) }.first
          ?? 0
      }
    }
    return 0
  }

  /// Starts watching the time, and the signals of crashes.
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
          let startByClock = Watch.startedByClock.load(ordering: .relaxed)
          let limit = Watch.timeLimit * 1_000_000_000
          guard start > 0,
            Watch.processorTime - start > limit
              || Watch.nanoseconds(CLOCK_MONOTONIC) - startByClock > 12 * limit
          else { continue }
          Watch.tell("longer than \(Watch.timeLimit) s")
          _exit(1)
        }
      }, nil)
  }

  static func enter(_ name: String, _ index: Int, _ from: UInt64) -> Int64 {
    subject.withLock { if $0 != name { $0 = name } }
    number.store(index, ordering: .relaxed)
    seed.store(from, ordering: .relaxed)
    let start = processorTime
    startedByClock.store(nanoseconds(CLOCK_MONOTONIC), ordering: .relaxed)
    started.store(start, ordering: .relaxed)
    return start
  }

  static func leave(since start: Int64) -> Int64 {
    started.store(0, ordering: .relaxed)
    return processorTime - start
  }

  private static func tell(_ what: String) {
    let name = subject.withLock { $0 }
    let line =
      "fuzz-readers: \(what); replay with --seed \(seed.load(ordering: .relaxed)) "
      + "--replay \(name) \(number.load(ordering: .relaxed))\n"
    _ = line.utf8.withContiguousStorageIfAvailable { write(2, $0.baseAddress, $0.count) }
  }
}

/// A small random generator that can be restarted for each input.
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
