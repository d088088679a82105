import Foundation
import Glibc

/// Measures durations.
enum Measure {
  static func seconds(_ work: () async throws -> Void) async rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try await work()
    return (clock.now - start) / .seconds(1)
  }

  /// The median of some runs in milliseconds, by the clock and as processor time, which other processes hardly
  /// affect.
  static func milliseconds(
    _ runs: Int = 9, _ work: () throws -> Void
  ) async rethrows -> (clock: Double, processor: Double) {
    var times: [Double] = []
    var processor: [Double] = []
    for _ in 0..<runs {
      let start = processorSeconds
      times.append(try await seconds { try work() } * 1000)
      processor.append((processorSeconds - start) * 1000)
    }
    return (times.sorted()[runs / 2], processor.sorted()[runs / 2])
  }

  /// The process's processor time.
  static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The minimum; 0 if there are none.
  static func least(_ times: [Double]) -> Double { times.min() ?? 0 }

  /// The median; 0 if there are none.
  static func median(_ times: [Double]) -> Double {
    times.isEmpty ? 0 : times.sorted()[times.count / 2]
  }

  static func text(_ value: Double) -> String { String(format: "%.2f", value) }
}
