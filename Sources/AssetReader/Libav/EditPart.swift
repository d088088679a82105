import MediaCore
import QuickTime

/// An entry of an edit list, with times rounded as in libavformat.
struct EditPart: Hashable {
  /// Its start in the movie.
  let start: MediaTime
  /// Its end in the movie.
  let end: MediaTime
  /// ``start`` in the track's time scale, to the nearest tick.
  let startTick: Int64
  /// The media it shows, in the track's time scale. For a gap, the media that libavformat delivers
  /// instead.
  let media: Range<Int64>
  /// True for a gap.
  let isEmpty: Bool

  /// The movie time at which this part shows a media time, in the track's time scale.
  func place(of time: Int64) -> Int64 { startTick &+ time &- media.lowerBound }

  /// The parts after an empty beginning; nil if there are none or their numbers are invalid.
  static func parts(_ edits: [MovieEdit], timescale: Int32) -> [EditPart]? {
    var (parts, time) = ([EditPart](), MediaTime.zero)
    for edit in edits {
      guard let length = edit.duration,
        case let (start, count) = (
          time.converted(toTimescale: timescale), length.converted(toTimescale: timescale)
        ), start.isNumeric, count.isNumeric, count.value >= 0
      else { return nil }
      // libavformat looks up a gap's media one tick before the media's start.
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
