import CFFmpeg
import MediaCore
import QuickTime

/// Presentation times of a video track's packets according to its edit list.
///
/// libavformat puts the packets of all parts of an edit list one after the other, but counts times
/// from a part's first shown packet in decode order. If frames are reordered, that is not the
/// part's first frame, and the whole part is late by the frames in between. libavformat subtracts
/// the smallest of these delays from all parts, which is right only for a single part. Here times
/// are counted from each part's start in the movie.
struct EditedPackets {
  /// A packet in libavformat's index.
  struct Entry {
    /// Its byte offset in the file.
    let position: Int64
    let byteCount: Int
    let decodeTime: Int64
    /// True if libavformat delivers it for decoding only, not to be shown.
    let isDiscarded: Bool
  }

  /// How a packet is presented.
  struct Place: Hashable {
    /// The presentation time of its frame in the movie, in the track's time scale.
    let time: Int64
    let isShown: Bool
  }

  private var cursor: PacketCursor
  private let places: [Place]

  /// Finds the place of each packet. Nil if nothing is reordered, if the list has one part, which
  /// libavformat handles correctly, and if libavformat's index does not match this list.
  ///
  /// - Parameter entries: All packets, in libavformat's order.
  init?(_ entries: [Entry], of track: MovieIndex.Track) {
    guard track.mediaType == .video, !track.compositionOffsets.isEmpty,
      let parts = EditPart.parts(track.edits, timescale: track.timescale), parts.count > 1,
      let places = Self.places(entries, parts, track.samples, track.compositionOffsets)
    else { return nil }
    (cursor, self.places) = (PacketCursor(entries), places)
  }

  /// The place of a packet; nil if it is not in the index.
  mutating func place(ofPacketAt position: Int64, decodedAt time: Int64) -> Place? {
    guard let found = cursor.find(packetAt: position, decodedAt: time) else { return nil }
    return places[found]
  }

  /// The place of each packet. libavformat's packets of one part are consecutive in the media. A
  /// new part begins at a packet that is not consecutive, and at a shown packet that the current
  /// part does not contain.
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
      if !entry.isDiscarded {
        while part < parts.count, !parts[part].media.contains(time) { part += 1 }
      }
      guard part < parts.count else { return nil }
      let owner = parts[part]
      let place = Place(
        time: owner.place(of: time), isShown: !owner.isEmpty && owner.media.contains(time))
      if part == 0, place.isShown { lead = min(lead ?? .max, place.time - owner.startTick) }
      places.append(place)
    }
    // As in libavformat, the movie begins with a frame even if the list begins within one.
    guard let lead, lead > 0 else { return places }
    return places.map { Place(time: $0.time &- lead, isShown: $0.isShown) }
  }
}
