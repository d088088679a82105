package import AssetReader
package import MediaCore

/// Damage of a source that concerns a movie: that between the points, and that before them which pictures of the
/// movie refer to.
package struct SourceDamage {
  private let pictures: AssetTrack.ID
  private let packets: PacketWatch
  /// Known with the source's first picture.
  private var range: ChosenRange?
  /// What packets said before that.
  private var early: [PacketMark] = []
  /// Pictures that the decoder refused before that.
  package private(set) var refused = RefusedPictures()
  /// Places between the points where data is missing.
  private var inside = 0
  /// Places behind the last sync frame before the in point.
  private var before = 0
  /// When that sync frame is shown.
  private var sync: MediaTime?

  /// - Parameters:
  ///   - pictures: The track of the pictures. Sound does not refer to what lies before it.
  ///   - packets: What says where data is missing.
  package init(pictures: AssetTrack.ID, packets: PacketWatch) {
    (self.pictures, self.packets) = (pictures, packets)
  }

  /// Places where data is missing, but for pictures of the movie that do not decode.
  package var count: Int { inside + before }

  /// The source's first picture has said which part of it is wanted.
  package mutating func begin(in range: ChosenRange) { self.range = range }

  /// Takes what packets have said, which were read ahead of the pictures.
  mutating func takeMarks(on timeline: SourceTimeline) {
    early += packets.takeMarks()
    guard range != nil else { return }
    for mark in early {
      if let time = timeline.place(of: mark.time) { take(mark, at: time) }
    }
    early = []
  }

  /// Takes what a packet says, at its time on the timeline.
  package mutating func take(_ mark: PacketMark, at time: MediaTime) {
    if mark.isSync, range?.isReached(from: time) ?? false {
      sync = max(sync ?? time, time)
      before = 0
    }
    if mark.isBroken { takePlace(time...time, of: mark.trackID) }
  }

  /// Takes a picture that the decoder refused.
  ///
  /// - Returns: True where the movie lacks it.
  mutating func takeRefused(_ error: AssetReaderError, on timeline: SourceTimeline) -> Bool {
    early += packets.takeMarks()
    // The movie lacks nothing of it, but what refers to it may look otherwise. Behind the sync frames that were
    // read before it, which it is to be compared with.
    if error.isUnseen { early.append(PacketMark(unseen: error, of: pictures)) }
    takeMarks(on: timeline)
    guard !error.isUnseen else { return false }
    guard let range, let times = timeline.place(of: error.times) else {
      refused.take(error)
      return false
    }
    if range.concerns(times) { return true }
    takePlace(times, of: pictures)
    return false
  }

  private mutating func takePlace(_ times: ClosedRange<MediaTime>, of track: AssetTrack.ID) {
    guard let range else { return }
    if range.concerns(times) {
      inside += 1
    } else if track == pictures, range.isBehind(times),
      times.upperBound >= sync ?? .negativeInfinity
    {
      before += 1
    }
  }
}
