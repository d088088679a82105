#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Counts audio samples above full scale, which integers cannot hold, so they were clipped.
package struct AudioExcess: Sendable, Hashable {
  /// A clipped sample of a run of audio.
  package struct Sample: Sendable, Hashable {
    /// Its audio frame in the run, from 0.
    package let frame: Int
    /// Its channel, from 0.
    package let channel: Int
    /// Its absolute value; 1 is full scale.
    package let level: Double

    /// The same sample relative to a part of the run; nil if it lies outside.
    func moved(into part: Range<Int>) -> Sample? {
      part.contains(frame)
        ? Sample(frame: frame - part.lowerBound, channel: channel, level: level) : nil
    }
  }

  /// The number of samples, over all channels.
  package private(set) var sampleCount = 0
  /// The highest absolute value; 1 is full scale.
  package private(set) var peak = 0.0

  /// How far the peak exceeds full scale, in decibels.
  package var decibels: Double { peak > 1 ? 20 * log10(peak) : 0 }

  /// No samples.
  package init() {}

  /// Adds the samples of other audio.
  package mutating func add(_ other: AudioExcess) {
    sampleCount += other.sampleCount
    peak = max(peak, other.peak)
  }

  package mutating func add(_ samples: some Sequence<Sample>) {
    for sample in samples { add(level: sample.level) }
  }

  /// Adds a sample by its absolute value.
  package mutating func add(level: Double) {
    sampleCount += 1
    // Infinity counts as clipped but gives no peak.
    if level.isFinite { peak = max(peak, level) }
  }
}
