import AssetWriter
import MediaCore

/// Frames a second of an encoder on all processors, measured in rounds.
///
/// One long run hides what disturbed it. Rounds show it: their median is the figure, and how far they
/// lie apart tells what it is worth.
struct ParallelRounds {
  /// A round.
  struct Round {
    /// Frames a second.
    var framesPerSecond: Double
    /// Processors that the program had: its processor time over the time on the clock.
    var processors: Double
  }

  /// Frames of all rounds.
  private(set) var frames = 0
  /// The rounds, in order.
  private(set) var rounds: [Round] = []

  /// More rounds than this make the median no better.
  private static let most = 9

  /// The median of the rounds' frames a second; 0 where there are none.
  var framesPerSecond: Double { Self.median(rounds.map(\.framesPerSecond)) }

  /// The median of the processors that the rounds had; 0 where there are none.
  var processors: Double { Self.median(rounds.map(\.processors)) }

  /// The largest frames a second less the least, as a part of the median; nil for fewer than three
  /// rounds, which tell nothing of each other.
  var spread: Double? {
    let rates = rounds.map(\.framesPerSecond)
    guard rates.count >= 3, let least = rates.min(), let largest = rates.max() else { return nil }
    return (largest - least) / framesPerSecond
  }

  /// None yet.
  init(_ rounds: [Round] = []) { self.rounds = rounds }

  /// Runs an encoder of `threads` threads for about `duration` seconds, but for one round at least.
  ///
  /// - Parameters:
  ///   - encoder: An encoder that nothing was submitted to.
  ///   - frameTime: Seconds that a frame is expected to take on one thread.
  mutating func run(
    _ encoder: BenchmarkedEncoder, _ pictures: [PixelBuffer], threads: Int, frameTime: Double,
    duration: Double
  ) throws(AssetWriterError) {
    let began = MonotonicClock.now
    var elapsed: Double { Double(MonotonicClock.now - began) / 1e9 }
    let depth = threads + 1
    // Until every frame in flight has its memory, the kernel is measured, which clears each page that
    // is new. A second pass brings the encoder's rate control to where it stays.
    let warmUp = 3 * depth
    if Double(warmUp) * frameTime < duration * Double(threads) {
      _ = try encoder.encode(pictures, count: warmUp, depth: depth)
    }
    // As many for each thread, so that none waits at the end for what is left over.
    let wanted = duration / Double(Self.most) / max(frameTime, 1e-6)
    let count = threads * min(max(Int(wanted), 1), 10_000)
    var longest = 0.0
    while rounds.isEmpty || (rounds.count < Self.most && elapsed + longest < duration) {
      let before = elapsed
      let pass = try encoder.encode(pictures, count: count, depth: depth)
      longest = max(longest, elapsed - before)
      frames += count
      rounds.append(
        Round(
          framesPerSecond: Double(count) / pass.time, processors: pass.processorTime / pass.time))
    }
  }

  private static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    guard sorted.count.isMultiple(of: 2) else { return sorted[middle] }
    return (sorted[middle - 1] + sorted[middle]) / 2
  }
}
