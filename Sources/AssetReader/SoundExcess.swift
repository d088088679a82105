#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Sound above full scale, which integers do not hold: it was clipped.
package struct SoundExcess: Sendable, Hashable {
  /// A sample of a run of sound.
  package struct Sample: Sendable, Hashable {
    /// Its place in the run, from 0.
    package let frame: Int
    /// Its channel, from 0.
    package let channel: Int
    /// Its distance from zero; 1 is full scale.
    package let level: Double

    /// The same in a part of the run; nil where it lies outside.
    func moved(into part: Range<Int>) -> Sample? {
      part.contains(frame)
        ? Sample(frame: frame - part.lowerBound, channel: channel, level: level) : nil
    }
  }

  /// Samples, each channel's counted.
  package private(set) var sampleCount = 0
  /// The furthest of them from zero; 1 is full scale.
  package private(set) var peak = 0.0

  /// Its level above full scale, in decibels.
  package var decibels: Double { peak > 1 ? 20 * log10(peak) : 0 }

  /// None.
  package init() {}

  /// Adds that of other sound.
  package mutating func add(_ other: SoundExcess) {
    sampleCount += other.sampleCount
    peak = max(peak, other.peak)
  }

  /// Adds samples.
  package mutating func add(_ samples: some Sequence<Sample>) {
    for sample in samples { add(level: sample.level) }
  }

  /// Adds a sample at a distance from zero.
  package mutating func add(level: Double) {
    sampleCount += 1
    // Infinity has no level.
    if level.isFinite { peak = max(peak, level) }
  }
}
