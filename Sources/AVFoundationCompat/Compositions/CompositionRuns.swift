import AssetReader
import MediaCore
import MovieExport

/// The content of a composition track: runs end to end, from 0.
struct CompositionRuns: Sendable {
  /// A range of a file's track, or an empty range.
  struct Run: Sendable {
    /// The file's track and the range used; nil for an empty run.
    struct Source: Sendable {
      var location: AssetLocation
      var track: AssetTrack
      var range: CMTimeRange
      /// Retains a movie in memory; nil for a file with a name.
      var bytes: MovieBytes?
    }

    var source: Source?
    /// Its duration in the composition.
    var length: CMTime

    /// Splits the run at a time counted from its start.
    func split(at offset: CMTime) -> (Run, Run) {
      var (head, tail) = (self, self)
      head.length = offset
      tail.length = length - offset
      if let range = source?.range {
        let cut =
          range.duration == length
          ? offset : offset.scaled(by: range.duration, over: length)
        head.source?.range = CMTimeRange(start: range.start, duration: cut)
        tail.source?.range = CMTimeRange(start: range.start + cut, end: range.end)
      }
      return (head, tail)
    }
  }

  private(set) var list: [Run] = []

  /// The end of the last run.
  var end: CMTime { list.reduce(.zero) { $0 + $1.length } }

  /// The runs within a range of the track, cut to it.
  func within(_ range: CMTimeRange) -> [Run] {
    var copy = self
    let first = copy.cut(at: range.start)
    let last = copy.cut(at: range.end)
    return first < last ? Array(copy.list[first..<last]) : []
  }

  /// Inserts runs at a time; later content moves back. A gap between the end and a later time becomes an empty run.
  mutating func insert(_ runs: [Run], at time: CMTime) {
    if time > end { list.append(Run(source: nil, length: time - end)) }
    let index = cut(at: time)
    list.insert(contentsOf: runs.filter { $0.length > .zero }, at: index)
  }

  /// Removes a range; later content moves forward.
  mutating func remove(_ range: CMTimeRange) {
    let first = cut(at: range.start)
    let last = cut(at: range.end)
    if first < last { list.removeSubrange(first..<last) }
  }

  /// Changes the duration of a range; later content moves. If the track has only part of the range, that part changes
  /// by the range's ratio, so that parallel tracks stay in sync.
  mutating func scale(_ range: CMTimeRange, to duration: CMTime) {
    let first = cut(at: range.start)
    let last = cut(at: range.end)
    guard duration > .zero, first < last else { return }
    let before = list[first..<last].reduce(CMTime.zero) { $0 + $1.length }
    let after =
      range.duration.isNumeric && range.duration != before
      ? before.scaled(by: duration, over: range.duration) : duration
    var rest = after
    for index in first..<last {
      let length = index == last - 1 ? rest : list[index].length.scaled(by: after, over: before)
      list[index].length = length
      rest = rest - length
    }
  }

  /// Splits runs so that one begins at a time.
  ///
  /// - Returns: The index of the run that begins there; the number of runs for times at or after the end.
  private mutating func cut(at time: CMTime) -> Int {
    guard time.isNumeric else { return time.isPositiveInfinity ? list.count : 0 }
    var start = CMTime.zero
    for index in list.indices {
      if time <= start { return index }
      let end = start + list[index].length
      if time < end {
        let (head, tail) = list[index].split(at: time - start)
        list.replaceSubrange(index...index, with: [head, tail])
        return index + 1
      }
      start = end
    }
    return list.count
  }

  /// The clips within a range, at their positions.
  func clips(in range: CMTimeRange) -> [MovieTimeline.Clip] {
    var clips: [MovieTimeline.Clip] = []
    var place = max(range.start, .zero)
    for run in within(range) {
      let target = CMTimeRange(start: place, duration: run.length)
      place = target.end
      guard let source = run.source else { continue }
      clips.append(
        MovieTimeline.Clip(
          location: source.location, track: source.track, source: source.range, target: target))
    }
    return clips
  }
}
