package import AssetWriter
package import MediaCore

extension Segment {
  /// The length in slots of the timeline: its duration at a rate, and no less than its frames. More than these
  /// where gaps stay open, and at a variable rate, where a frame may fill several.
  ///
  /// - Parameter rate: The movie's; nil where it is not known.
  package func slots(at rate: FrameRate?) -> Int64 {
    max(rate?.slots(in: duration) ?? 0, frameCount)
  }
}

extension FrameRate {
  /// The slots that so many seconds fill.
  package func slots(in seconds: Double) -> Int64 {
    frameIndex(nearest: MediaTime(seconds: seconds, preferredTimescale: 1_000_000_000)) ?? 0
  }
}
