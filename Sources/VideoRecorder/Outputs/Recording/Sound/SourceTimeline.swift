import MediaCore

/// Where the instants of a source of pictures lie in a recording, as far as its last frames tell.
///
/// The pictures make the time of a recording: a frame fills its slot, however fast the camera's
/// crystal runs. What else was captured is laid on the timeline through this map.
struct SourceTimeline: Sendable {
  /// An instant on the source's clock.
  var instant: MediaTime
  /// Its place in the recording.
  var place: MediaTime

  /// Samples beyond which no place of a recording lies: centuries.
  private static let furthest = 1e15

  /// Where an instant lies, in samples of a rate, as far as a recording could reach; nil where it is no
  /// number.
  func sample(at time: MediaTime, rate: Int) -> Double? {
    let offset = time - instant
    let sample = (offset.seconds + place.seconds) * Double(rate)
    return sample.isFinite ? min(max(sample, -Self.furthest), Self.furthest) : nil
  }
}
