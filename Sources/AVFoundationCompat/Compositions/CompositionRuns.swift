import AssetReader
import MediaCore
import MovieExport

/// What a composition's track shows: runs end to end, from 0.
struct CompositionRuns: Sendable {
  /// A stretch of a file's track, or nothing, for a time.
  struct Run: Sendable {
    /// The file's track and what is taken of it; nil for nothing.
    struct Source: Sendable {
      var location: AssetLocation
      var track: AssetTrack
      var range: CMTimeRange
      /// What keeps a file without a name; nil for one with a name.
      var bytes: MovieBytes?
    }

    var source: Source?
    /// How long it is shown.
    var length: CMTime

    /// Both sides of a time of the run, counted from its start.
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

  /// Where the last run ends.
  var end: CMTime { list.reduce(.zero) { $0 + $1.length } }

  /// The runs within a range of the track, cut to it.
  func within(_ range: CMTimeRange) -> [Run] {
    var copy = self
    let first = copy.cut(at: range.start)
    let last = copy.cut(at: range.end)
    return first < last ? Array(copy.list[first..<last]) : []
  }

  /// Puts runs at a time; what was there comes after them. Nothing is shown between the end and a later
  /// time.
  mutating func insert(_ runs: [Run], at time: CMTime) {
    if time > end { list.append(Run(source: nil, length: time - end)) }
    let index = cut(at: time)
    list.insert(contentsOf: runs.filter { $0.length > .zero }, at: index)
  }

  /// Takes a range away; what comes after it moves up.
  mutating func remove(_ range: CMTimeRange) {
    let first = cut(at: range.start)
    let last = cut(at: range.end)
    if first < last { list.removeSubrange(first..<last) }
  }

  /// Makes a range longer or shorter; what comes after it moves. Where the track has a part of the range, that
  /// part alone changes, at the range's ratio: tracks that ran side by side still do.
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

  /// Makes a time a border between runs.
  ///
  /// - Returns: The run that begins there; the number of runs for the end and what is behind it.
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

  /// The clips that are shown within a range, at their places.
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
