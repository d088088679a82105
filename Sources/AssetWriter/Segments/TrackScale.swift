import MediaCore

/// Relates the slots of the first video track to the places of a track: slots of its own, or
/// samples.
struct TrackScale {
  /// What a track is counted in.
  enum Unit {
    /// The first video track itself.
    case lead
    case slots(FrameRate)
    case samples(rate: Int)
    /// The track is not known yet.
    case unknown
  }

  let unit: Unit
  /// The rate of the first video track; nil before its first frame, and for audio alone.
  let leadRate: FrameRate?

  /// The place of a slot in the track.
  func place(ofSlot slot: Int64) -> Int64 {
    guard let leadRate else { return slot }
    let time = leadRate.time(ofFrame: slot)
    return switch unit {
    case .lead: slot
    case .unknown: 0
    case .slots(let rate): rate.frameIndex(nearest: time) ?? 0
    case .samples(let rate): time.converted(toTimescale: Int32(clamping: rate)).value
    }
  }

  /// The slot in which a place of the track lies; nil where that cannot be told.
  func slot(ofPlace place: Int64) -> Int64? {
    if case .lead = unit { return place }
    guard let leadRate else { return nil }
    let time: MediaTime
    switch unit {
    case .lead, .unknown: return nil
    case .slots(let rate): time = rate.time(ofFrame: place)
    case .samples(let rate): time = MediaTime(value: place, timescale: Int32(clamping: rate))
    }
    guard var slot = leadRate.frameIndex(nearest: time) else { return nil }
    while self.place(ofSlot: slot) > place { slot -= 1 }
    while self.place(ofSlot: slot + 1) <= place { slot += 1 }
    return slot
  }

  /// The first slot that begins at a place of the track or behind it; nil where that cannot be told.
  func firstSlot(behind place: Int64) -> Int64? {
    slot(ofPlace: place).map { self.place(ofSlot: $0) == place ? $0 : $0 + 1 }
  }
}
