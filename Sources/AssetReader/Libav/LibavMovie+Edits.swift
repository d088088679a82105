import CFFmpeg
import MediaCore
import QuickTime

/// What our own reader finds of the tracks of a QuickTime or MPEG-4 file.
extension LibavMovie {
  /// A stream's track; nil for other files, and for a cover picture, which is no track.
  func indexedTrack(of stream: UnsafeMutablePointer<AVStream>) -> MovieIndex.Track? {
    // By its number: a cover picture has a place among libavformat's streams.
    index?.tracks.first { $0.id.rawValue == UInt32(clamping: stream.pointee.id) }
  }

  /// True if a track's media header says that colors are multiplied by alpha already.
  func isAlphaPremultiplied(in stream: UnsafeMutablePointer<AVStream>) -> Bool {
    guard let mode = indexedTrack(of: stream)?.video?.graphicsMode else { return false }
    return mode == 0x101 || mode == 0x102
  }

  /// Where edit lists show nothing between two parts of their media. libavformat knows such a gap at the beginning
  /// only, and gives media from its beginning in place of others.
  func findEmptyTimes() -> [Int: [Range<Int64>]] {
    var times: [Int: [Range<Int64>]] = [:]
    for stream in streams {
      let unit = stream.pointee.time_base
      guard unit.num == 1, unit.den > 0, let track = indexedTrack(of: stream) else { continue }
      times[Int(stream.pointee.index)] = Self.emptyTimes(track.edits, timescale: unit.den)
    }
    return times
  }

  /// The timecode of the first frame that is shown, of pictures whose track of timecode is cut at its beginning: libavformat
  /// reads the first of its media. Nil for others, and for a track of several samples.
  func editedTimecode(of stream: UnsafeMutablePointer<AVStream>) -> String? {
    guard let index, let pictures = indexedTrack(of: stream),
      let track = pictures.references["tmcd"]?.lazy.compactMap({ index.track($0) }).first,
      track.samples.count == 1, let start = track.timecode?.start,
      let first = track.edits.lazy.compactMap(\.mediaTime).first, first > 0,
      let frames = start.format.frameRate.frameIndex(
        nearest: MediaTime(value: first, timescale: track.timescale))
    else { return nil }
    return "\(start.advanced(by: frames))"
  }

  /// The packets of each stream whose pictures are reordered and edited, in a file whose index is whole.
  func findEditedPackets() -> [Int: EditedPackets] {
    guard let index, index.fragmentCount == 0 else { return [:] }
    var found: [Int: EditedPackets] = [:]
    for stream in streams {
      let unit = stream.pointee.time_base
      guard let track = indexedTrack(of: stream), !track.edits.isEmpty,
        !track.compositionOffsets.isEmpty, unit.num == 1, unit.den == track.timescale
      else { continue }
      let entries = (0..<avformat_index_get_entries_count(stream)).compactMap {
        avformat_index_get_entry(stream, $0).map {
          EditedPackets.Entry(
            position: $0.pointee.pos, decodeTime: $0.pointee.timestamp,
            isLeftOut: $0.pointee.flags & AVINDEX_DISCARD_FRAME != 0)
        }
      }
      found[Int(stream.pointee.index)] = EditedPackets(entries, of: track)
    }
    return found
  }

  /// The gaps behind the first part that shows something, in a track's own time scale.
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
