import MediaCore

/// Ranges of time that are read one after the other, and which samples of them were given.
struct ReadingRanges: Sendable {
  private var waiting: ArraySlice<CMTimeRange> = []
  /// When the last picture was shown, or data held, that was given; nil before the first.
  private var lastTime: CMTime?
  /// True until a range has given its first picture or data.
  private var isAtStart = false

  /// Nothing more to read.
  init() {}

  /// Ranges in their order; those that touch are one. Nil for none, and for ranges that are no numbers, empty,
  /// overlap, or are not in order.
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

  /// The next range; nil behind the last one.
  mutating func popFirst() -> CMTimeRange? {
    isAtStart = true
    return waiting.popFirst()
  }

  /// False for a picture, timecode or metadata that a range before has given: it holds through the end of that one and
  /// into this one.
  mutating func takes(_ sample: CMSampleBuffer) -> Bool {
    // Audio is cut to its range.
    if case .audio = sample.content, sample.dataSample == nil { return true }
    let time = sample.presentationTimeStamp
    if isAtStart, let lastTime, time <= lastTime { return false }
    (lastTime, isAtStart) = (time, false)
    return true
  }
}
