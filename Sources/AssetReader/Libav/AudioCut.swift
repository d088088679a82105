import MediaCore

/// Cuts decoded audio to the parts of an edit list, to the sample.
struct AudioCut {
  /// The part of a run that is kept.
  struct Piece: Hashable {
    /// The samples of each channel.
    let samples: Range<Int>
    /// The presentation time of the first sample.
    let time: MediaTime
  }

  /// The sample rate in hertz.
  private let rate: Int32
  /// Packets sent to the decoder that have produced no output yet: with threads, output comes
  /// later.
  private var waiting: [EditedAudio.Place] = []
  /// The packet of the last run.
  private var place: EditedAudio.Place?
  /// The end of the last run in the media, in samples.
  private var position: Int64?
  /// The number of the packet after the last one.
  private var following: Int?
  /// True once a packet belonged to an edit list.
  private(set) var isWanted = false

  /// The most packets remembered: some never produce output.
  private static let limit = 512

  init(rate: Int) { self.rate = Int32(clamping: rate) }

  /// Records a packet sent to the decoder.
  mutating func send(_ place: EditedAudio.Place?) {
    guard let place else { return }
    isWanted = true
    // The decoder produces no output for packets that are left out.
    guard place.isHeard else { return }
    waiting.append(place)
    if waiting.count > Self.limit { waiting.removeFirst() }
  }

  /// Cuts a run from the decoder. Empty if nothing of it is kept; several pieces if several parts
  /// begin in it.
  ///
  /// - Parameters:
  ///   - count: The run's samples per channel.
  ///   - stamp: Its packet's time; nil for a further run of the same packet.
  mutating func pieces(ofSamples count: Int, at stamp: Int64?) -> [Piece] {
    guard count > 0 else { return [] }
    var begin = position
    if let stamp,
      let found = waiting.firstIndex(where: {
        $0.time <= stamp && stamp - $0.time < max($0.length, 1)
      })
    {
      let next = waiting[found]
      waiting.removeFirst(found + 1)
      // A later time stamp means that the decoder itself dropped samples.
      begin = self.begin(of: next, count) + samples(stamp - next.time, next)
      place = next
    }
    guard let place, let media = begin else { return [] }
    (position, following) = (media + Int64(count), place.number + 1)
    return ([place.part] + place.otherParts).compactMap {
      piece(ofSamples: count, from: media, in: $0, of: place)
    }
  }

  private func piece(
    ofSamples count: Int, from media: Int64, in part: EditPart, of place: EditedAudio.Place
  ) -> Piece? {
    let start = samples(part.start)
    let shift = start - samples(part.media.lowerBound, place)
    let first = max(media + shift, start)
    let last = min(media + shift + Int64(count), end(of: part, place, shift: shift))
    guard first < last else { return nil }
    let left = Int(first - media - shift)
    return Piece(
      samples: left..<left + Int(last - first),
      time: MediaTime(value: first, timescale: rate))
  }

  /// Where a packet begins in the media, in samples. If a coarse clock rounds the time, samples are
  /// counted instead: from the packet before, or from the first one if all packets may be equally
  /// long.
  private func begin(of place: EditedAudio.Place, _ count: Int) -> Int64 {
    let said = samples(place.mediaTime, place)
    guard rate > place.timescale else { return said }
    let tick = UInt64(tick(of: place))
    let counted = Int64(place.number).multipliedReportingOverflow(by: Int64(count)).partialValue
    let candidates = [following == place.number ? position : nil, counted]
    return candidates.lazy.compactMap(\.self).first {
      ($0 &- said).magnitude <= tick
    } ?? said
  }

  /// Where a part ends in the movie, in samples. It ends with the media at the latest, because
  /// encoders pad their last packet beyond that.
  private func end(of part: EditPart, _ place: EditedAudio.Place, shift: Int64) -> Int64 {
    let end = samples(part.end)
    let mediaEnd = samples(place.mediaEnd, place) + shift
    // A clock coarser than a sample does not give the exact end.
    let slack = rate > place.timescale ? tick(of: place) : 0
    guard end <= mediaEnd + slack else { return mediaEnd + slack }
    // Nor does the movie's clock, in which the edit list counts.
    let isRounded = Double(mediaEnd - end) * Double(part.end.timescale) < Double(rate)
    let isLast = place.isOfLastPart && part == place.otherParts.last ?? place.part
    return isLast && isRounded ? mediaEnd + slack : end
  }

  /// The samples in a tick of the track's clock, rounded up.
  private func tick(of place: EditedAudio.Place) -> Int64 { Int64(rate / place.timescale) + 1 }

  private func samples(_ time: MediaTime) -> Int64 {
    let time = time.converted(toTimescale: rate)
    return time.isNumeric ? time.value : 0
  }

  private func samples(_ ticks: Int64, _ place: EditedAudio.Place) -> Int64 {
    samples(MediaTime(value: ticks, timescale: place.timescale))
  }
}
