import CFFmpeg
import MediaCore

/// The time stamps of packets that a decoder received but has not produced output for.
///
/// Decoders lag behind their packets because of reordering and threads. These time stamps tell
/// which frames a decoding error can be about.
struct PendingPackets {
  /// True if display order differs from decode order.
  private let isReordered: Bool
  /// The presentation times of the packets, in decode order.
  private var packets: [(times: ClosedRange<MediaTime>, isDiscarded: Bool)] = []
  /// Presentation times of the packets sent before the first frame came out; nil after it.
  private var early: [MediaTime]?

  /// The most packets remembered: some never produce output.
  private static let limit = 512
  /// Frames further apart than this do not count as neighbors.
  private static let pause = MediaTime(value: 10, timescale: 1)

  init(of codec: AVCodecID, _ mediaType: MediaType) {
    let properties = avcodec_descriptor_get(codec)?.pointee.props ?? 0
    isReordered = mediaType == .video && properties & AV_CODEC_PROP_REORDER != 0
    early = mediaType == .video ? [] : nil
  }

  /// Records a packet sent to the decoder.
  mutating func send(_ packet: CompressedPacket, _ mediaType: MediaType) {
    let time = packet.presentationTimeStamp
    guard time.isNumeric else { return }
    let isLong = mediaType == .audio && packet.duration.isNumeric
    packets.append((time...(isLong ? time + packet.duration : time), packet.isDiscarded))
    if packets.count > Self.limit { packets.removeFirst() }
    if !packet.isDiscarded { early?.append(time) }
  }

  /// Records output with a time. Nothing earlier will follow.
  mutating func deliver(_ time: MediaTime) {
    packets.removeAll { $0.times.lowerBound <= time }
  }

  /// Records a decoding error.
  ///
  /// - Returns: The earliest and latest presentation time of what failed, nil if packets have no
  ///   time stamps; and true if an edit list leaves out everything that it can be.
  mutating func fail() -> (times: ClosedRange<MediaTime>?, isUnseen: Bool) {
    guard let first = packets.first else { return (nil, false) }
    let areUnseen = packets.allSatisfy(\.isDiscarded)
    guard isReordered else {
      // Frames that an edit list leaves out are never delivered, so the first other packet failed.
      let failed = areUnseen ? 0 : packets.firstIndex { !$0.isDiscarded } ?? 0
      return (packets.remove(at: failed).times, areUnseen)
    }
    let (start, end) = packets.reduce((first.times.lowerBound, first.times.upperBound)) {
      (min($0.0, $1.times.lowerBound), max($0.1, $1.times.upperBound))
    }
    return (start...end, areUnseen)
  }

  /// Forgets all packets when the decoder is reset.
  mutating func restart() { packets = [] }

  /// Records the track's first frame.
  ///
  /// - Parameter holdsBack: True if the decoder delays frames for reordering.
  /// - Returns: The number of undelivered frames between the first packet's frame and this one; nil
  ///   if it is not the first frame, and if packets have no time stamps.
  mutating func lead(to first: MediaTime, rate: FrameRate?, holdsBack: Bool) -> Int64? {
    guard let times = early.take(), !times.isEmpty, let rate else { return nil }
    // Of the frames decoded after the first one, only leading frames may be missing, and these are
    // close before it. All others may still come, after a clock that steps back.
    let own = times.lastIndex(of: first) ?? times.endIndex
    var origin = first
    if holdsBack {
      origin = Self.origin(of: times[own...], before: origin, apart: rate.frameDuration * 16)
    }
    origin = Self.origin(of: times[..<own], before: origin, apart: Self.pause)
    return rate.frameIndex(nearest: first - origin)
  }

  /// The earliest of the times before `first` that follow each other without a gap over `pause`.
  private static func origin(
    of times: ArraySlice<MediaTime>, before first: MediaTime, apart pause: MediaTime
  ) -> MediaTime {
    times.sorted(by: >).reduce(first) { $1 < $0 && $0 - $1 <= pause ? $1 : $0 }
  }
}
