/// A span of a timeline: from ``start``, which it holds, to ``end``, which it does not.
public struct MediaTimeRange: Hashable, Sendable {
  /// The first instant.
  public var start: MediaTime
  /// The length, not negative.
  public var duration: MediaTime

  /// A range from its first instant and length.
  public init(start: MediaTime, duration: MediaTime) {
    self.start = start
    self.duration = duration
  }

  /// A range from its first instant to the first one after it.
  public init(start: MediaTime, end: MediaTime) {
    self.init(start: start, duration: end - start)
  }

  /// The first instant after the range.
  public var end: MediaTime { start + duration }

  /// True where the range holds no instant.
  public var isEmpty: Bool { !(duration > .zero) }

  /// True where `time` lies in the range.
  public func contains(_ time: MediaTime) -> Bool { time >= start && time < end }

  /// What both ranges hold; an empty range at this one's start where they do not meet.
  public func intersection(_ other: MediaTimeRange) -> MediaTimeRange {
    let first = max(start, other.start)
    let last = min(end, other.end)
    return last > first
      ? MediaTimeRange(start: first, end: last) : MediaTimeRange(start: start, duration: .zero)
  }
}
