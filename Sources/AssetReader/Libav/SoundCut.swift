import MediaCore

/// Cuts decoded sound to the parts of an edit list, to the sample.
struct SoundCut {
  /// What is heard of a run.
  struct Piece: Hashable {
    /// Its samples, of each channel.
    let samples: Range<Int>
    /// When the first of them is heard.
    let time: MediaTime
  }

  /// Samples of a channel a second.
  private let rate: Int32
  /// The packets that the decoder has had and given nothing of yet: with threads it gives what it makes later.
  private var waiting: [EditedSound.Place] = []
  /// The one that the last run is of.
  private var place: EditedSound.Place?
  /// Where in the media the next run begins if it follows the last one, in samples.
  private var position: Int64?
  /// The packet that would follow the last one.
  private var following: Int?
  /// True where a packet was one of an edit list.
  private(set) var isWanted = false

  /// Packets that are remembered: of some nothing comes.
  private static let limit = 512

  init(rate: Int) { self.rate = Int32(clamping: rate) }

  /// A packet goes to the decoder.
  mutating func send(_ place: EditedSound.Place?) {
    guard let place else { return }
    isWanted = true
    // What is left out does not come out of the decoder.
    guard place.isHeard else { return }
    waiting.append(place)
    if waiting.count > Self.limit { waiting.removeFirst() }
  }

  /// Cuts a run that the decoder gave; nil where nothing of it is heard.
  ///
  /// - Parameters:
  ///   - count: Its samples, of each channel.
  ///   - stamp: When it begins, as its packet said; nil for a further run of a packet.
  mutating func piece(ofSamples count: Int, at stamp: Int64?) -> Piece? {
    guard count > 0 else { return nil }
    var begin = position
    if let stamp,
      let found = waiting.firstIndex(where: {
        $0.time <= stamp && stamp - $0.time < max($0.length, 1)
      })
    {
      let next = waiting[found]
      waiting.removeFirst(found + 1)
      // A decoder that leaves samples out itself says so by a later time.
      begin = self.begin(of: next, count) + samples(stamp - next.time, next)
      place = next
    }
    guard let place, let media = begin else { return nil }
    (position, following) = (media + Int64(count), place.number + 1)
    let start = samples(place.part.start)
    let shift = start - samples(place.part.media.lowerBound, place)
    let first = max(media + shift, start)
    let last = min(media + shift + Int64(count), end(of: place, shift: shift))
    guard first < last else { return nil }
    let left = Int(first - media - shift)
    return Piece(
      samples: left..<left + Int(last - first),
      time: MediaTime(value: first, timescale: rate))
  }

  /// Where in the media a packet begins, in samples. Where a coarse clock rounds that, it is counted: from the packet
  /// before, or from the first one if all may be as long.
  private func begin(of place: EditedSound.Place, _ count: Int) -> Int64 {
    let said = samples(place.mediaTime, place)
    guard rate > place.timescale else { return said }
    let tick = UInt64(tick(of: place))
    let counted = Int64(place.number).multipliedReportingOverflow(by: Int64(count)).partialValue
    let candidates = [following == place.number ? position : nil, counted]
    return candidates.lazy.compactMap(\.self).first {
      ($0 &- said).magnitude <= tick
    } ?? said
  }

  /// Where a part ends in the movie, in samples: with the media at the latest, behind which encoders fill their last
  /// packet.
  private func end(of place: EditedSound.Place, shift: Int64) -> Int64 {
    let end = samples(place.part.end)
    let mediaEnd = samples(place.mediaEnd, place) + shift
    // A clock that is coarser than a sample does not tell where.
    let slack = rate > place.timescale ? tick(of: place) : 0
    guard end <= mediaEnd + slack else { return mediaEnd + slack }
    // Nor does the movie's, in which the list counts.
    let isRounded = Double(mediaEnd - end) * Double(place.part.end.timescale) < Double(rate)
    return place.isOfLastPart && isRounded ? mediaEnd + slack : end
  }

  /// Samples of a tick of the track's clock, rounded up.
  private func tick(of place: EditedSound.Place) -> Int64 { Int64(rate / place.timescale) + 1 }

  private func samples(_ time: MediaTime) -> Int64 {
    let time = time.converted(toTimescale: rate)
    return time.isNumeric ? time.value : 0
  }

  private func samples(_ ticks: Int64, _ place: EditedSound.Place) -> Int64 {
    samples(MediaTime(value: ticks, timescale: place.timescale))
  }
}
