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

  /// Where an instant lies, in samples of a rate; nil where it is no number.
  func sample(at time: MediaTime, rate: Int) -> Double? {
    let offset = time - instant
    return offset.isNumeric ? (offset.seconds + place.seconds) * Double(rate) : nil
  }
}
