import CFFmpeg
import MediaCore
import QuickTime

/// Applies edit lists to a movie's packets where libavformat deviates from them.
struct PacketEdits {
  /// Each stream's ranges in which an edit list shows nothing, in its time base.
  private var emptyTimes: [Int: [Range<Int64>]] = [:]
  /// Edited video streams with reordered frames.
  private var frames: [Int: EditedPackets] = [:]
  /// Streams whose audio is cut to the sample.
  private var editedAudio: [Int: EditedAudio] = [:]

  /// Streams of a fragmented file.
  private var fragmented: [Int: FragmentedEdits] = [:]

  /// No corrections.
  init() {}

  /// The corrections for a QuickTime or MPEG-4 file.
  ///
  /// - Parameter cutsAudio: True to locate each audio packet in the media, if the caller cuts the
  ///   decoded audio.
  init(_ movie: LibavMovie, cutsAudio: Bool) {
    for stream in movie.streams {
      let (unit, number) = (stream.pointee.time_base, Int(stream.pointee.index))
      guard unit.num == 1, unit.den > 0, let track = movie.indexedTrack(of: stream) else {
        continue
      }
      guard movie.index?.fragmentCount == 0 else {
        if unit.den == track.timescale, cutsAudio || track.mediaType == .video {
          fragmented[number] = FragmentedEdits(of: track)
        }
        continue
      }
      guard !track.edits.isEmpty else { continue }
      emptyTimes[number] = Self.emptyTimes(track.edits, timescale: unit.den)
      guard unit.den == track.timescale else { continue }
      if track.mediaType == .audio, cutsAudio {
        editedAudio[number] = EditedAudio(Self.entries(of: stream), of: track)
      } else if !track.compositionOffsets.isEmpty {
        frames[number] = EditedPackets(Self.entries(of: stream), of: track)
      }
    }
  }

  /// True for an audio stream whose packets are located in the media.
  func cutsAudio(of stream: Int) -> Bool { editedAudio[stream] != nil || fragmented[stream] != nil }

  /// True if the edit list of a stream in a fragmented file is applied.
  func areAppliedToFragments(of stream: Int) -> Bool { fragmented[stream] != nil }

  /// The duration of the media after the end of a fragmented file's edit list; zero for others.
  func restAfterEnd(of stream: Int) -> MediaTime { fragmented[stream]?.restAfterEnd ?? .zero }

  /// The start and duration of a stream in a fragmented file, in its time base; nil for others.
  ///
  /// - Parameter time: libavformat's time of the first packet.
  func extent(of stream: Int, from time: Int64) -> (start: Int64, duration: MediaTime?)? {
    guard time != cffmpeg_nopts else { return nil }
    return fragmented[stream].map { ($0.start(time), $0.duration) }
  }

  /// libavformat's time of the media that the movie shows at a time, both in the stream's time
  /// base.
  func storedTime(of time: Int64, in stream: Int) -> Int64 {
    fragmented[stream]?.storedTime(of: time) ?? time
  }

  /// Sets a packet's time and discard flag according to its edit list.
  ///
  /// - Returns: The packet's place, for audio that is to be cut.
  mutating func place(
    _ packet: UnsafeMutablePointer<AVPacket>, of stream: Int
  ) -> EditedAudio.Place? {
    let (position, time) = (packet.pointee.pos, packet.pointee.dts)
    if fragmented[stream] != nil {
      guard let place = fragmented[stream]?.place(packet.pointee) else { return nil }
      packet.pointee.pts = place.time
      Self.discard(packet, !place.isShown)
      if place.heard != nil { Self.keepAllSamples(packet) }
      return place.heard
    }
    if frames[stream] != nil {
      guard let place = frames[stream]?.place(ofPacketAt: position, decodedAt: time) else {
        return nil
      }
      packet.pointee.pts = place.time
      Self.discard(packet, !place.isShown)
    } else if let place = editedAudio[stream]?.place(ofPacketAt: position, decodedAt: time) {
      packet.pointee.pts = place.time
      Self.discard(packet, !place.isHeard)
      Self.keepAllSamples(packet)
      return place
    } else if emptyTimes[stream]?.contains(where: { $0.contains(packet.pointee.pts) }) == true {
      Self.discard(packet, true)
    }
    return nil
  }

  /// Clears the counts of samples that the decoder would skip at the beginning and end.
  private static func keepAllSamples(_ packet: UnsafeMutablePointer<AVPacket>) {
    if let skipped = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, nil) {
      skipped.update(repeating: 0, count: 8)
    }
  }

  private static func discard(_ packet: UnsafeMutablePointer<AVPacket>, _ isDiscarded: Bool) {
    if isDiscarded {
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
          isDiscarded: $0.pointee.flags & AVINDEX_DISCARD_FRAME != 0)
      }
    }
  }

  /// True if a list does more than set the start: if it has further parts, gaps between them,
  /// another rate, or an end before that of the media.
  ///
  /// - Parameters:
  ///   - mediaDuration: The duration of the media.
  ///   - timescale: The track's time scale in ticks per second, for the start of parts.
  static func leaveSomethingOut(
    _ edits: [MovieEdit], mediaDuration: MediaTime, timescale: Int32
  ) -> Bool {
    // No duration means all the rest.
    let lasting = edits.filter { $0.duration.map { $0 > .zero } ?? true }
    guard let first = lasting.firstIndex(where: { $0.mediaTime != nil }) else { return false }
    let edit = lasting[first]
    guard first == lasting.count - 1, edit.rate == 1 else { return true }
    guard let start = edit.mediaTime, let length = edit.duration else { return false }
    // Allows one tick, because the movie's clock may be coarse.
    let slack = MediaTime(value: 1, timescale: max(length.timescale, 1))
    return MediaTime(value: start, timescale: timescale) + length + slack < mediaDuration
  }

  /// The gaps after the first part that shows anything, in the track's time scale. libavformat
  /// handles a gap at the beginning only; for others it delivers media from the media's start.
  static func emptyTimes(_ edits: [MovieEdit], timescale: Int32) -> [Range<Int64>] {
    var (end, ranges, isBegun) = (Int64(0), [Range<Int64>](), false)
    for edit in edits {
      guard let duration = edit.duration?.converted(toTimescale: timescale), duration.isNumeric,
        duration.value >= 0
      else { break }
      // libavformat rounds each part, not their sum.
      let (next, overflow) = end.addingReportingOverflow(duration.value)
      guard !overflow else { break }
      if edit.mediaTime != nil { isBegun = true } else if isBegun { ranges.append(end..<next) }
      end = next
    }
    return ranges
  }
}
