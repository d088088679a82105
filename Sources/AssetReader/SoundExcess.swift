#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Sound above full scale, which integers do not hold: it was clipped.
package struct SoundExcess: Sendable, Hashable {
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

  @inline(__always)
  mutating func add(_ value: Double) {
    sampleCount += 1
    // Infinity has no level.
    if value.isFinite { peak = max(peak, value.magnitude) }
  }
}
