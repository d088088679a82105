import CFFmpeg
import MediaCore

/// The time stamps of a track's packets that its decoder has had and given nothing of yet.
///
/// Decoders lag behind packets, by the pictures that they hold to bring them in order and by their threads: where
/// one fails, these tell what the failure can be of.
struct PendingPackets {
  /// True where pictures are shown in another order than they are decoded in.
  private let isReordered: Bool
  /// When what the packets hold is shown or heard, in the order of decoding.
  private var packets: [(times: ClosedRange<MediaTime>, isDiscarded: Bool)] = []
  /// When pictures are shown whose packets came before the first picture did; nil behind that one.
  private var early: [MediaTime]?

  /// Packets that are remembered: some hold nothing that is ever shown.
  private static let limit = 512
  /// Pictures further apart than this are not taken for neighbors.
  private static let pause = MediaTime(value: 10, timescale: 1)

  init(of codec: AVCodecID, _ mediaType: MediaType) {
    let properties = avcodec_descriptor_get(codec)?.pointee.props ?? 0
    isReordered = mediaType == .video && properties & AV_CODEC_PROP_REORDER != 0
    early = mediaType == .video ? [] : nil
  }

  /// A packet goes to the decoder.
  mutating func send(_ packet: CompressedPacket, _ mediaType: MediaType) {
    let time = packet.presentationTimeStamp
    guard time.isNumeric else { return }
    let isLong = mediaType == .audio && packet.duration.isNumeric
    packets.append((time...(isLong ? time + packet.duration : time), packet.isDiscarded))
    if packets.count > Self.limit { packets.removeFirst() }
    if !packet.isDiscarded { early?.append(time) }
  }

  /// The decoder gave what is shown or heard at a time: of what lies before it nothing follows.
  mutating func deliver(_ time: MediaTime) {
    packets.removeAll { $0.times.lowerBound <= time }
  }

  /// The decoder failed.
  ///
  /// - Returns: When what it failed at is shown or heard, at the earliest and at the latest, nil where the
  ///   packets have no time stamps; and whether an edit list leaves all that it can be out.
  mutating func fail() -> (times: ClosedRange<MediaTime>?, isUnseen: Bool) {
    guard let first = packets.first else { return (nil, false) }
    let areUnseen = packets.allSatisfy(\.isDiscarded)
    guard isReordered else {
      // Pictures that an edit list leaves out are never given, so the first other packet is the one that failed.
      let failed = areUnseen ? 0 : packets.firstIndex { !$0.isDiscarded } ?? 0
      return (packets.remove(at: failed).times, areUnseen)
    }
    let (start, end) = packets.reduce((first.times.lowerBound, first.times.upperBound)) {
      (min($0.0, $1.times.lowerBound), max($0.1, $1.times.upperBound))
    }
    return (start...end, areUnseen)
  }

  /// The decoder begins anew.
  mutating func restart() { packets = [] }

  /// The track's first picture has come.
  ///
  /// - Parameter holdsBack: True where the decoder holds pictures back to bring them in order.
  /// - Returns: Frames from the first picture of the packets to it, which nothing was given of; nil where it is
  ///   not the first one, and where packets have no time stamps.
  mutating func lead(to first: MediaTime, rate: FrameRate?, holdsBack: Bool) -> Int64? {
    guard let times = early.take(), !times.isEmpty, let rate else { return nil }
    // Of what is decoded behind the first picture only leading pictures may be left out, which lie close before
    // it; all others may still come, and stand for a clock that steps back.
    let own = times.lastIndex(of: first) ?? times.endIndex
    var origin = first
    if holdsBack {
      origin = Self.origin(of: times[own...], before: origin, apart: rate.frameDuration * 16)
    }
    origin = Self.origin(of: times[..<own], before: origin, apart: Self.pause)
    return rate.frameIndex(nearest: first - origin)
  }

  /// The first of those times before one that lie no further apart than a pause.
  private static func origin(
    of times: ArraySlice<MediaTime>, before first: MediaTime, apart pause: MediaTime
  ) -> MediaTime {
    times.sorted(by: >).reduce(first) { $1 < $0 && $0 - $1 <= pause ? $1 : $0 }
  }
}
