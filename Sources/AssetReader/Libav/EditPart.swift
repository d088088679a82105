import MediaCore
import QuickTime

/// An entry of an edit list, as libavformat counts it.
struct EditPart: Hashable {
  /// When it begins in the movie.
  let start: MediaTime
  /// When it ends in the movie.
  let end: MediaTime
  /// The same as ``start`` in the track's time scale, to the nearest tick.
  let startTick: Int64
  /// What it shows of the media, in the track's time scale. Of a gap, what libavformat gives in its place.
  let media: Range<Int64>
  /// True for a gap, which shows nothing.
  let isEmpty: Bool

  /// When something of the media is shown by this part, in the track's time scale.
  func place(of time: Int64) -> Int64 { startTick &+ time &- media.lowerBound }

  /// The parts behind an empty beginning; nil where there are none, or numbers make no sense.
  static func parts(_ edits: [MovieEdit], timescale: Int32) -> [EditPart]? {
    var (parts, time) = ([EditPart](), MediaTime.zero)
    for edit in edits {
      guard let length = edit.duration,
        case let (start, count) = (
          time.converted(toTimescale: timescale), length.converted(toTimescale: timescale)
        ), start.isNumeric, count.isNumeric, count.value >= 0
      else { return nil }
      // libavformat looks for the media of a gap one tick before their beginning.
      let first = edit.mediaTime ?? -1
      let (end, overflow) = first.addingReportingOverflow(count.value)
      guard !overflow else { return nil }
      let begin = time
      time += length
      guard time.isNumeric else { return nil }
      if edit.mediaTime != nil || !parts.isEmpty {
        parts.append(
          EditPart(
            start: begin, end: time, startTick: start.value, media: first..<end,
            isEmpty: edit.mediaTime == nil))
      }
    }
    return parts.isEmpty ? nil : parts
  }
}
