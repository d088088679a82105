import MediaCore

/// Time ranges to read one after another, and what was already returned.
struct ReadingRanges: Sendable {
  private var waiting: ArraySlice<CMTimeRange> = []
  /// The time of the last returned frame or data sample; nil before the first.
  private var lastTime: CMTime?
  /// True until the current range has returned its first frame or data sample.
  private var isAtStart = false

  /// No ranges.
  init() {}

  /// Ranges in order; adjacent ones are joined. Nil for no ranges, and for ranges that are not numeric, empty,
  /// overlapping, or out of order.
  init?(_ ranges: [CMTimeRange]) {
    guard !ranges.isEmpty else { return nil }
    for range in ranges {
      guard range.start.isNumeric, range.duration.isNumeric, range.duration > .zero,
        waiting.last.map({ $0.end <= range.start }) ?? true
      else { return nil }
      if let last = waiting.last, last.end == range.start {
        waiting[waiting.endIndex - 1] = CMTimeRange(start: last.start, end: range.end)
      } else {
        waiting.append(range)
      }
    }
  }

  /// The next range; nil at the end.
  mutating func popFirst() -> CMTimeRange? {
    isAtStart = true
    return waiting.popFirst()
  }

  /// False for a frame, timecode or metadata sample that the previous range already returned, because it extends into
  /// this range.
  mutating func takes(_ sample: CMSampleBuffer) -> Bool {
    // Audio is cut at the range's edges.
    if case .audio = sample.content, sample.dataSample == nil { return true }
    let time = sample.presentationTimeStamp
    if isAtStart, let lastTime, time <= lastTime { return false }
    (lastTime, isAtStart) = (time, false)
    return true
  }
}
