package import MediaCore

/// The part of a source that makes up a movie, on the source's timeline.
package struct ChosenRange {
  /// The in point; nil for everything from the source's beginning.
  let start: MediaTime?
  /// The out point; nil for the source's end.
  let end: MediaTime?
  /// Half a frame duration: a sample belongs to the nearest frame.
  let slack: MediaTime

  /// The whole source.
  static let whole = Self(start: nil, end: nil, slack: .zero)

  /// True for what is or may be between the points.
  ///
  /// - Parameter times: The earliest and latest possible time.
  package func concerns(_ times: ClosedRange<MediaTime>) -> Bool {
    !isBehind(times) && (end.map { times.lowerBound < $0 - slack } ?? true)
  }

  /// True for what lies before the in point.
  func isBehind(_ times: ClosedRange<MediaTime>) -> Bool {
    start.map { times.upperBound < $0 - slack } ?? false
  }

  /// True for a frame at or before the in point.
  func isReached(from time: MediaTime) -> Bool { start.map { time < $0 + slack } ?? false }
}
