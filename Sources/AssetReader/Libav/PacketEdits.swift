import CFFmpeg
import MediaCore
import QuickTime

/// What edit lists ask of the packets of a movie where libavformat does it otherwise.
struct PacketEdits {
  /// Stretches of each stream in which an edit list shows nothing, in ticks of its time stamps.
  private var emptyTimes: [Int: [Range<Int64>]] = [:]
  /// Streams whose pictures are reordered and edited.
  private var pictures: [Int: EditedPackets] = [:]
  /// Streams whose sound is cut to the sample.
  private var sounds: [Int: EditedSound] = [:]

  /// None.
  init() {}

  /// Those of a QuickTime or MPEG-4 file.
  ///
  /// - Parameter cutsSound: True to find each packet of sound in the media, for who cuts what is decoded of it.
  init(_ movie: LibavMovie, cutsSound: Bool) {
    for stream in movie.streams {
      let (unit, number) = (stream.pointee.time_base, Int(stream.pointee.index))
      // Of a file in fragments libavformat gives the media from where the list begins, without gaps.
      guard unit.num == 1, unit.den > 0, let track = movie.indexedTrack(of: stream),
        !track.edits.isEmpty, movie.index?.fragmentCount == 0
      else { continue }
      emptyTimes[number] = Self.emptyTimes(track.edits, timescale: unit.den)
      guard unit.den == track.timescale else { continue }
      if track.mediaType == .audio, cutsSound {
        sounds[number] = EditedSound(Self.entries(of: stream), of: track)
      } else if !track.compositionOffsets.isEmpty {
        pictures[number] = EditedPackets(Self.entries(of: stream), of: track)
      }
    }
  }

  /// True for a stream of sound whose packets are found in the media.
  func cutsSound(of stream: Int) -> Bool { sounds[stream] != nil }

  /// Puts a packet where its edit list has it.
  ///
  /// - Returns: What is heard of it, for sound that is to be cut.
  mutating func place(
    _ packet: UnsafeMutablePointer<AVPacket>, of stream: Int
  ) -> EditedSound.Place? {
    let (position, time) = (packet.pointee.pos, packet.pointee.dts)
    if pictures[stream] != nil {
      guard let place = pictures[stream]?.place(ofPacketAt: position, decodedAt: time) else {
        return nil
      }
      packet.pointee.pts = place.time
      Self.discard(packet, !place.isShown)
    } else if let place = sounds[stream]?.place(ofPacketAt: position, decodedAt: time) {
      packet.pointee.pts = place.time
      Self.discard(packet, !place.isHeard)
      // The samples that the decoder is to leave out at the beginning and at the end.
      if let skipped = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, nil) {
        skipped.update(repeating: 0, count: 8)
      }
      return place
    } else if emptyTimes[stream]?.contains(where: { $0.contains(packet.pointee.pts) }) == true {
      Self.discard(packet, true)
    }
    return nil
  }

  private static func discard(_ packet: UnsafeMutablePointer<AVPacket>, _ isLeftOut: Bool) {
    if isLeftOut {
      packet.pointee.flags |= AV_PKT_FLAG_DISCARD
    } else {
      packet.pointee.flags &= ~AV_PKT_FLAG_DISCARD
    }
  }

  private static func entries(
    of stream: UnsafeMutablePointer<AVStream>
  ) -> [EditedPackets.Entry] {
    (0..<avformat_index_get_entries_count(stream)).compactMap {
      avformat_index_get_entry(stream, $0).map {
        EditedPackets.Entry(
          position: $0.pointee.pos, byteCount: Int($0.pointee.size),
          decodeTime: $0.pointee.timestamp,
          isLeftOut: $0.pointee.flags & AVINDEX_DISCARD_FRAME != 0)
      }
    }
  }

  /// True for a list that asks for more than a beginning: further parts, gaps between them, another rate, or an end
  /// before that of the media.
  ///
  /// - Parameters:
  ///   - mediaDuration: How long the media last.
  ///   - timescale: Ticks a second of the track's clock, in which parts begin.
  static func leaveSomethingOut(
    _ edits: [MovieEdit], mediaDuration: MediaTime, timescale: Int32
  ) -> Bool {
    // No duration stands for all that follows.
    let lasting = edits.filter { $0.duration.map { $0 > .zero } ?? true }
    guard let first = lasting.firstIndex(where: { $0.mediaTime != nil }) else { return false }
    let edit = lasting[first]
    guard first == lasting.count - 1, edit.rate == 1 else { return true }
    guard let start = edit.mediaTime, let length = edit.duration else { return false }
    // The movie's clock may be coarse.
    let slack = MediaTime(value: 1, timescale: max(length.timescale, 1))
    return MediaTime(value: start, timescale: timescale) + length + slack < mediaDuration
  }

  /// The gaps behind the first part that shows something, in a track's own time scale. libavformat knows such a gap at
  /// the beginning only, and gives media from its beginning in place of others.
  static func emptyTimes(_ edits: [MovieEdit], timescale: Int32) -> [Range<Int64>] {
    var (end, ranges, isBegun) = (Int64(0), [Range<Int64>](), false)
    for edit in edits {
      guard let duration = edit.duration?.converted(toTimescale: timescale), duration.isNumeric,
        duration.value >= 0
      else { break }
      // libavformat rounds each part, and not their sum.
      let (next, overflow) = end.addingReportingOverflow(duration.value)
      guard !overflow else { break }
      if edit.mediaTime != nil { isBegun = true } else if isBegun { ranges.append(end..<next) }
      end = next
    }
    return ranges
  }
}
