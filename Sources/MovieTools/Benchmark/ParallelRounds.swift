import AssetWriter
import MediaCore

/// Measures an encoder's frames per second on all processors, in rounds.
///
/// One long run would hide disturbances. With rounds, the median is the result, and their spread
/// shows how reliable it is.
struct ParallelRounds {
  /// A round.
  struct Round {
    /// Frames per second.
    var framesPerSecond: Double
    /// The number of processors that the program got: processor time divided by elapsed time.
    var processors: Double
  }

  /// The total number of frames.
  private(set) var frames = 0
  /// The rounds, in order.
  private(set) var rounds: [Round] = []

  /// More rounds do not improve the median.
  private static let most = 9

  /// The median frames per second; 0 without rounds.
  var framesPerSecond: Double { Self.median(rounds.map(\.framesPerSecond)) }

  /// The median number of processors; 0 without rounds.
  var processors: Double { Self.median(rounds.map(\.processors)) }

  /// The difference between the highest and lowest frames per second, as a fraction of the median;
  /// nil for fewer than three rounds, which are too few to compare.
  var spread: Double? {
    let rates = rounds.map(\.framesPerSecond)
    guard rates.count >= 3, let least = rates.min(), let largest = rates.max() else { return nil }
    return (largest - least) / framesPerSecond
  }

  /// Starts with given rounds, by default none.
  init(_ rounds: [Round] = []) { self.rounds = rounds }

  /// Runs an encoder with `threads` threads for about `duration` seconds, but at least one round.
  ///
  /// - Parameters:
  ///   - encoder: A fresh encoder.
  ///   - frameTime: The expected time of a frame on one thread, in seconds.
  mutating func run(
    _ encoder: BenchmarkedEncoder, _ images: [PixelBuffer], threads: Int, frameTime: Double,
    duration: Double
  ) throws(AssetWriterError) {
    let began = MonotonicClock.now
    var elapsed: Double { Double(MonotonicClock.now - began) / 1e9 }
    let depth = threads + 1
    // Until every frame in flight has memory, the time is mostly the kernel's for clearing new
    // pages. A second pass lets the encoder's rate control settle.
    let warmUp = 3 * depth
    if Double(warmUp) * frameTime < duration * Double(threads) {
      _ = try encoder.encode(images, count: warmUp, depth: depth)
    }
    // The same number for each thread, so that none waits at the end.
    let wanted = duration / Double(Self.most) / max(frameTime, 1e-6)
    let count = threads * min(max(Int(wanted), 1), 10_000)
    var longest = 0.0
    while rounds.isEmpty || (rounds.count < Self.most && elapsed + longest < duration) {
      let before = elapsed
      let pass = try encoder.encode(images, count: count, depth: depth)
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
