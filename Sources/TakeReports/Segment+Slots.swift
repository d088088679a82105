package import AssetWriter
package import MediaCore

extension Segment {
  /// The number of timeline slots: the duration at a frame rate, and no less than the number of
  /// frames. It exceeds that if gaps stay open, and at a variable rate, where a frame may fill
  /// several slots.
  ///
  /// - Parameter rate: The movie's frame rate; nil if unknown.
  package func slots(at rate: FrameRate?) -> Int64 {
    max(rate?.slots(in: duration) ?? 0, frameCount)
  }
}

extension FrameRate {
  /// The number of slots in a duration in seconds.
  package func slots(in seconds: Double) -> Int64 {
    frameIndex(nearest: MediaTime(seconds: seconds, preferredTimescale: 1_000_000_000)) ?? 0
  }
}
