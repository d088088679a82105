import CFFmpeg
import MediaCore
import QuickTime

/// What is heard of the packets of a track of sound, by its edit list.
///
/// libavformat lays the packets of all parts of an edit list one after the other, each part's behind those of a
/// second before it, which its decoder may need. It marks packets that are not heard, but whole ones: only the
/// beginning of the first part is cut to the sample. Here each packet is found in the media, so that what the
/// decoder makes of it can be cut at both ends of its part.
struct EditedSound {
  /// A packet, and the part of the list that it is read for.
  struct Place: Hashable {
    /// The part.
    let part: EditPart
    /// The number of its first sample in the track: of compressed sound that of the packet, of PCM that of the frame.
    let number: Int
    /// When it begins in the media, in the track's time scale.
    let mediaTime: Int64
    /// How long it lasts, in the track's time scale.
    let length: Int64
    /// Where the media end, in the track's time scale.
    let mediaEnd: Int64
    /// Ticks a second of the track's time scale.
    let timescale: Int32
    /// True for the list's last part that shows something.
    let isOfLastPart: Bool

    /// When it begins in the movie, by its part, in the track's time scale.
    var time: Int64 { part.place(of: mediaTime) }

    /// False where nothing of it is heard. A tick more or less is a matter of rounding.
    var isHeard: Bool {
      !part.isEmpty && mediaTime <= part.media.upperBound
        && mediaTime + length >= part.media.lowerBound
    }
  }

  /// A packet of libavformat's index.
  private struct Packet {
    let number: Int
    let time: Int64
    let length: Int64
    let part: Int
  }

  private var cursor: PacketCursor
  private let packets: [Packet]
  private let parts: [EditPart]
  private let lastPart: Int
  private let mediaEnd: Int64
  private let timescale: Int32

  /// Finds the part of each packet; nil for a list that leaves nothing out, and where libavformat's index is not that
  /// of this list, as of codecs whose packets are not the file's samples.
  ///
  /// - Parameter entries: All packets, in libavformat's order.
  init?(_ entries: [EditedPackets.Entry], of track: MovieIndex.Track) {
    let end = track.samples.duration
    guard track.mediaType == .audio, track.timescale > 0, track.compositionOffsets.isEmpty,
      let parts = EditPart.parts(track.edits, timescale: track.timescale),
      parts.count > 1 || parts[0].media.lowerBound > 0 || parts[0].media.upperBound < end,
      parts.allSatisfy({ Self.isCountable($0, timescale: track.timescale) }),
      let last = parts.lastIndex(where: { !$0.isEmpty && !$0.media.isEmpty }),
      let packets = Self.packets(entries, parts, track.samples)
    else { return nil }
    (cursor, self.packets, self.parts) = (PacketCursor(entries), packets, parts)
    // A last packet of no length has its own, which nobody says.
    let unsaid = track.samples.last?.duration == 0 ? track.samples.first?.duration ?? 0 : 0
    (lastPart, mediaEnd, timescale) = (last, end + Int64(unsaid), track.timescale)
  }

  /// Where a packet that is read belongs; nil for one that is not in the index.
  mutating func place(ofPacketAt position: Int64, decodedAt time: Int64) -> Place? {
    guard let found = cursor.find(packetAt: position, decodedAt: time) else { return nil }
    let packet = packets[found]
    return Place(
      part: parts[packet.part], number: packet.number, mediaTime: packet.time,
      length: packet.length, mediaEnd: mediaEnd, timescale: timescale,
      isOfLastPart: packet.part == lastPart)
  }

  /// False for a part whose places no file has, so that sums of samples stay within 64 bits.
  private static func isCountable(_ part: EditPart, timescale: Int32) -> Bool {
    let longest = 1e9
    return part.end.seconds < longest
      && Double(part.media.upperBound) < longest * Double(timescale)
  }

  /// Goes along libavformat's packets, which of each part are neighbors in the media, from a second before its
  /// beginning up to the one that it ends in.
  private static func packets(
    _ entries: [EditedPackets.Entry], _ parts: [EditPart], _ samples: SampleTable
  ) -> [Packet]? {
    let places = SamplePlaces(samples)
    var (packets, part, isWhole) = ([Packet](), 0, false)
    packets.reserveCapacity(entries.count)
    for (index, entry) in entries.enumerated() {
      guard let number = UInt64(exactly: entry.position).flatMap(places.sample),
        let sample = samples[number], sample.size > 0,
        entry.byteCount % Int(sample.size) == 0
      else { return nil }
      let count = entry.byteCount / Int(sample.size)
      let behind = number + count
      guard count > 0, behind <= samples.count else { return nil }
      let length = (samples[behind]?.time ?? samples.duration) - sample.time
      if isWhole || packets.isEmpty {
        if isWhole { part += 1 }
        guard part < parts.count,
          number == 0 || sample.time <= parts[part].media.lowerBound
        else { return nil }
      } else if let last = packets.last {
        // What libavformat has for the time between two of them is the media's.
        let step = entry.decodeTime &- entries[index - 1].decodeTime
        guard sample.time == last.time + last.length, entry.isLeftOut || step == last.length else {
          return nil
        }
      }
      packets.append(Packet(number: number, time: sample.time, length: length, part: part))
      isWhole =
        behind == samples.count || sample.time + length >= parts[part].media.upperBound
    }
    return isWhole && part == parts.count - 1 ? packets : nil
  }
}
