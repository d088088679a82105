import CFFmpeg
import MediaCore
import QuickTime

/// What an edit list plays of the packets of an audio track.
///
/// libavformat puts the packets of all parts of an edit list one after the other. Before each part
/// it adds the packets of the preceding second, which the decoder may need. It marks unheard
/// packets, but only whole ones: only the beginning of the first part is cut to the sample. Here
/// each packet is located in the media, so that the decoded audio can be cut at both ends of its
/// part.
struct EditedAudio {
  /// A packet and the part of the edit list that it is read for.
  struct Place: Hashable {
    /// The part.
    let part: EditPart
    /// Further parts that begin in the same packet.
    var otherParts: [EditPart] = []
    /// The index of its first sample in the track: a packet for compressed audio, an audio frame
    /// for PCM.
    let number: Int
    /// Its start in the media, in the track's time scale.
    let mediaTime: Int64
    /// Its duration, in the track's time scale.
    let length: Int64
    /// The end of the media, in the track's time scale.
    let mediaEnd: Int64
    /// The track's time scale, in ticks per second.
    let timescale: Int32
    /// True if its part, or the last of several, is the last one that plays anything.
    let isOfLastPart: Bool

    /// Its start in the movie according to its part, in the track's time scale.
    var time: Int64 { part.place(of: mediaTime) }

    /// False if none of it is heard. One tick either way is allowed for rounding.
    var isHeard: Bool {
      !part.isEmpty && mediaTime <= part.media.upperBound
        && mediaTime + length >= part.media.lowerBound
    }
  }

  /// A packet in libavformat's index.
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

  /// Finds the part of each packet. Nil if the list leaves nothing out, and if libavformat's index
  /// does not match this list, as for codecs whose packets are not the file's samples.
  ///
  /// - Parameter entries: All packets, in libavformat's order.
  init?(_ entries: [EditedPackets.Entry], of track: MovieIndex.Track) {
    let end = track.samples.duration
    guard track.mediaType == .audio, track.timescale > 0, track.compositionOffsets.isEmpty,
      let parts = EditPart.parts(track.edits, timescale: track.timescale),
      parts.count > 1 || parts[0].media.lowerBound > 0 || parts[0].media.upperBound < end,
      parts.allSatisfy({ Self.isCountable($0, timescale: track.timescale) }),
      let last = parts.lastIndex(where: { !$0.isEmpty && !$0.media.isEmpty }),
      let packets = Self.packets(entries, parts, track.samples, track.soundBlock)
    else { return nil }
    (cursor, self.packets, self.parts) = (PacketCursor(entries), packets, parts)
    // A last packet stated to be empty is assumed to be as long as the first.
    let unstated = track.samples.last?.duration == 0 ? track.samples.first?.duration ?? 0 : 0
    (lastPart, mediaEnd, timescale) = (last, end + Int64(unstated), track.timescale)
  }

  /// The place of a packet; nil if it is not in the index.
  mutating func place(ofPacketAt position: Int64, decodedAt time: Int64) -> Place? {
    guard let found = cursor.find(packetAt: position, decodedAt: time) else { return nil }
    let packet = packets[found]
    return Place(
      part: parts[packet.part], number: packet.number, mediaTime: packet.time,
      length: packet.length, mediaEnd: mediaEnd, timescale: timescale,
      isOfLastPart: packet.part == lastPart)
  }

  /// False for a part with impossibly large times, so that sums of samples stay within 64 bits.
  private static func isCountable(_ part: EditPart, timescale: Int32) -> Bool {
    let longest = 1e9
    return part.end.seconds < longest
      && Double(part.media.upperBound) < longest * Double(timescale)
  }

  /// Assigns libavformat's packets to parts. Those of one part are consecutive in the media, from a
  /// second before its beginning to the packet that contains its end.
  private static func packets(
    _ entries: [EditedPackets.Entry], _ parts: [EditPart], _ samples: SampleTable,
    _ block: SoundBlock?
  ) -> [Packet]? {
    let places = SamplePlaces(samples, block: block)
    var (packets, part, isWhole) = ([Packet](), 0, false)
    packets.reserveCapacity(entries.count)
    for (index, entry) in entries.enumerated() {
      guard let number = UInt64(exactly: entry.position).flatMap(places.sample),
        let sample = samples[number], case let size = block?.byteCount ?? Int(sample.size),
        size > 0, entry.byteCount % size == 0
      else { return nil }
      let count = entry.byteCount / size * (block?.sampleCount ?? 1)
      // The last packet may be padded.
      let behind = block == nil ? number + count : min(number + count, samples.count)
      guard count > 0, behind <= samples.count else { return nil }
      let length = (samples[behind]?.time ?? samples.duration) - sample.time
      if isWhole || packets.isEmpty {
        if isWhole { part += 1 }
        guard part < parts.count,
          number == 0 || sample.time <= parts[part].media.lowerBound
        else { return nil }
      } else if let last = packets.last {
        // The time between two packets must be the same in libavformat's index and in the media.
        let step = entry.decodeTime &- entries[index - 1].decodeTime
        guard sample.time == last.time + last.length, entry.isDiscarded || step == last.length
        else {
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
