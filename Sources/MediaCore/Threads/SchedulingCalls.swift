import CLinux

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// What the system is asked about the calling thread's scheduling; a test puts its own answers here.
struct SchedulingCalls: Sendable {
  /// Gives a real-time priority; false where it was refused.
  var setRealTime: @Sendable (_ priority: Int) -> Bool
  /// Gives a niceness; false where it was refused.
  var setNiceness: @Sendable (_ niceness: Int) -> Bool
  /// Keeps the thread on processors; false where it was refused.
  var setProcessors: @Sendable (_ processors: [Int]) -> Bool
  /// The highest real-time priority that a user without privileges may take (RLIMIT_RTPRIO).
  var realTimeLimit: @Sendable () -> Int
  /// 20 less the lowest niceness that such a user may take (RLIMIT_NICE).
  var nicenessLimit: @Sendable () -> Int
  /// How the thread is scheduled.
  var current: @Sendable () -> ThreadScheduling

  /// Linux.
  static let system = SchedulingCalls(
    setRealTime: { thread_set_scheduler(roundRobin, Int32(clamping: $0)) == 0 },
    setNiceness: {
      // Threads that this one starts are not to have it as well.
      _ = thread_set_scheduler(timeSharing, 0)
      return thread_set_niceness(Int32(clamping: $0)) == 0
    },
    setProcessors: { ProcessorSet($0).apply() },
    realTimeLimit: { limit(14) },
    nicenessLimit: { limit(13) },
    current: {
      let policy = Int32(clamping: thread_get_scheduler())
      let own = ProcessorSet(ofThread: 0)
      return ThreadScheduling(
        thread: name(), policy: policy == 1 || policy == 2 ? .realTime : .timeSharing,
        priority: Int(thread_get_priority()), niceness: Int(thread_get_niceness()),
        processors: own == ProcessorSet(ofThread: getpid()) ? nil : own.processors)
    })

  private static let timeSharing: Int32 = 0
  private static let roundRobin: Int32 = 2

  private static func limit(_ resource: Int32) -> Int {
    let limit = process_limit(resource)
    return limit < 0 ? 99 : limit
  }

  private static func name() -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 17) { bytes in
      bytes.initialize(repeating: 0)
      thread_get_name(bytes.baseAddress)
      return bytes.baseAddress.map { String(cString: $0) } ?? ""
    }
  }
}

/// Processors, a bit each.
struct ProcessorSet: Equatable {
  private var words: [UInt]

  /// A set of processors by their numbers; numbers that Linux does not have are left out.
  init(_ processors: [Int]) {
    words = [UInt](repeating: 0, count: Self.wordCount)
    for processor in processors where (0..<Self.wordCount * UInt.bitWidth).contains(processor) {
      words[processor / UInt.bitWidth] |= 1 << UInt(processor % UInt.bitWidth)
    }
  }

  /// The processors that a thread may use: the calling one's for 0. Empty where it cannot be told.
  init(ofThread thread: Int32) {
    words = [UInt](repeating: 0, count: Self.wordCount)
    _ = words.withUnsafeMutableBytes { bytes in
      thread_get_processors(
        thread, bytes.assumingMemoryBound(to: UInt.self).baseAddress, bytes.count)
    }
  }

  /// 8192 processors, the most that Linux can be built for.
  private static let wordCount = 8192 / UInt.bitWidth

  /// Their numbers, in order.
  var processors: [Int] {
    words.indices.flatMap { word in
      (0..<UInt.bitWidth).filter { words[word] >> UInt($0) & 1 != 0 }
        .map { word * UInt.bitWidth + $0 }
    }
  }

  /// Keeps the calling thread on them.
  func apply() -> Bool {
    words.withUnsafeBytes { bytes in
      thread_set_processors(
        bytes.assumingMemoryBound(to: UInt.self).baseAddress, bytes.count) == 0
    }
  }
}
