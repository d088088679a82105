import CFFmpeg
import MediaCore
import QuickTime

/// When the packets of a track of pictures are shown, by its edit list.
///
/// libavformat lays the packets of all parts of an edit list one after the other, but counts times from the first
/// packet of a part that is shown, in the order of decoding: where pictures are reordered, that is not the part's
/// first picture, and all of the part is late by the pictures between them. It takes the least of these delays off
/// all parts, so that one part alone is right. Here times are counted from where a part begins in the movie.
struct EditedPackets {
  /// A packet as libavformat has it in its index.
  struct Entry {
    /// Its first byte in the file.
    let position: Int64
    let byteCount: Int
    let decodeTime: Int64
    /// True for one that libavformat gives to be decoded alone.
    let isLeftOut: Bool
  }

  /// What becomes of a packet.
  struct Place: Hashable {
    /// When its picture is shown in the movie, in the track's time scale.
    let time: Int64
    let isShown: Bool
  }

  private var cursor: PacketCursor
  private let places: [Place]

  /// Finds the place of each packet; nil where nothing is reordered, for a list of one part, which libavformat
  /// reads rightly, and where its index is not that of this list.
  ///
  /// - Parameter entries: All packets, in libavformat's order.
  init?(_ entries: [Entry], of track: MovieIndex.Track) {
    guard track.mediaType == .video, !track.compositionOffsets.isEmpty,
      let parts = EditPart.parts(track.edits, timescale: track.timescale), parts.count > 1,
      let places = Self.places(entries, parts, track.samples, track.compositionOffsets)
    else { return nil }
    (cursor, self.places) = (PacketCursor(entries), places)
  }

  /// What becomes of a packet that is read; nil for one that is not in the index.
  mutating func place(ofPacketAt position: Int64, decodedAt time: Int64) -> Place? {
    guard let found = cursor.find(packetAt: position, decodedAt: time) else { return nil }
    return places[found]
  }

  /// Where each packet belongs. libavformat's packets of a part are neighbors in the media: where the next packet is
  /// no neighbor another part begins, and so does one with a packet that it would have left out of the present one.
  private static func places(
    _ entries: [Entry], _ parts: [EditPart], _ samples: SampleTable, _ offsets: CompositionOffsets
  ) -> [Place]? {
    var numbers: [Int64: Int] = [:]
    numbers.reserveCapacity(samples.count)
    for (number, sample) in samples.enumerated() {
      numbers[Int64(clamping: sample.offset)] = number
    }
    var (places, part, last, lead) = ([Place](), 0, Int?.none, Int64?.none)
    places.reserveCapacity(entries.count)
    for entry in entries {
      guard let number = numbers[entry.position], let sample = samples[number] else { return nil }
      if let last, number != last + 1 { part += 1 }
      last = number
      let time = sample.time + offsets[number]
      if !entry.isLeftOut {
        while part < parts.count, !parts[part].media.contains(time) { part += 1 }
      }
      guard part < parts.count else { return nil }
      let owner = parts[part]
      let place = Place(
        time: owner.place(of: time), isShown: !owner.isEmpty && owner.media.contains(time))
      if part == 0, place.isShown { lead = min(lead ?? .max, place.time - owner.startTick) }
      places.append(place)
    }
    // As libavformat has it: the movie begins with a picture, also where the list begins within one.
    guard let lead, lead > 0 else { return places }
    return places.map { Place(time: $0.time &- lead, isShown: $0.isShown) }
  }
}
