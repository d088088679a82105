import MediaCore

/// Maps instants of a video source to places in the recording, according to the source's latest frames.
///
/// Video defines the time of a recording: a frame fills one slot, however fast the camera's
/// crystal runs. Everything else is placed on the timeline through this map.
struct SourceTimeline: Sendable {
  /// An instant on the source's clock.
  var instant: MediaTime
  /// Its place in the recording.
  var place: MediaTime

  /// Samples beyond which no place of a recording lies: centuries.
  private static let furthest = 1e15

  /// The place of an instant, in samples at a rate, clamped to the longest possible recording; nil for a time that
  /// is not numeric.
  func sample(at time: MediaTime, rate: Int) -> Double? {
    let offset = time - instant
    let sample = (offset.seconds + place.seconds) * Double(rate)
    return sample.isFinite ? min(max(sample, -Self.furthest), Self.furthest) : nil
  }
}
