package import AssetReader
package import MediaCore

/// Damage in a source that affects a movie: between the in and out points, and before them in data
/// that the movie's frames refer to.
package struct SourceDamage {
  private let video: AssetTrack.ID
  private let packets: PacketWatch
  /// Known from the source's first frame on.
  private var range: ChosenRange?
  /// Marks of packets before that.
  private var early: [PacketMark] = []
  /// Frames that the decoder rejected before that.
  package private(set) var refused = RefusedFrames()
  /// The number of gaps between the points.
  private var inside = 0
  /// The number of gaps between the last sync frame before the in point and the in point.
  private var before = 0
  /// The time of that sync frame.
  private var sync: MediaTime?

  /// - Parameters:
  ///   - video: The video track. Audio does not refer to earlier data.
  ///   - packets: The source of packet marks.
  package init(video: AssetTrack.ID, packets: PacketWatch) {
    (self.video, self.packets) = (video, packets)
  }

  /// The number of gaps, except for frames of the movie that failed to decode.
  package var count: Int { inside + before }

  /// Sets the chosen range, which is known from the source's first frame on.
  package mutating func begin(in range: ChosenRange) { self.range = range }

  /// Takes the marks of packets, which were read ahead of the frames.
  mutating func takeMarks(on timeline: SourceTimeline) {
    early += packets.takeMarks()
    guard range != nil else { return }
    for mark in early {
      if let time = timeline.place(of: mark.time) { take(mark, at: time) }
    }
    early = []
  }

  /// Takes a packet's mark, at its time on the timeline.
  package mutating func take(_ mark: PacketMark, at time: MediaTime) {
    if mark.isSync, range?.isReached(from: time) ?? false {
      sync = max(sync ?? time, time)
      before = 0
    }
    if mark.isBroken { takePlace(time...time, of: mark.trackID) }
  }

  /// Takes a frame that the decoder rejected.
  ///
  /// - Returns: True if the movie lacks the frame.
  mutating func takeRefused(_ error: AssetReaderError, on timeline: SourceTimeline) -> Bool {
    early += packets.takeMarks()
    // The frame itself is not in the movie, but frames that refer to it may be damaged. Added after
    // the marks of earlier sync frames, with which it must be compared.
    if error.isUnseen { early.append(PacketMark(unseen: error, of: video)) }
    takeMarks(on: timeline)
    guard !error.isUnseen else { return false }
    guard let range, let times = timeline.place(of: error.times) else {
      refused.take(error)
      return false
    }
    if range.concerns(times) { return true }
    takePlace(times, of: video)
    return false
  }

  private mutating func takePlace(_ times: ClosedRange<MediaTime>, of track: AssetTrack.ID) {
    guard let range else { return }
    if range.concerns(times) {
      inside += 1
    } else if track == video, range.isBehind(times),
      times.upperBound >= sync ?? .negativeInfinity
    {
      before += 1
    }
  }
}
