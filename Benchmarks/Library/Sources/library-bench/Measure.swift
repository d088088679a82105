import Foundation

/// Takes times.
enum Measure {
  static func seconds(_ work: () async throws -> Void) async rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try await work()
    return (clock.now - start) / .seconds(1)
  }

  /// The median of some runs, in milliseconds.
  static func milliseconds(_ runs: Int = 9, _ work: () throws -> Void) async rethrows -> Double {
    var times: [Double] = []
    for _ in 0..<runs { times.append(try await seconds { try work() } * 1000) }
    return times.sorted()[runs / 2]
  }

  static func text(_ value: Double) -> String { String(format: "%.2f", value) }
}
