package import MediaCore

/// The part of a source that a movie is made of, on the source's timeline.
package struct ChosenRange {
  /// The in point; nil for the source's beginning, whatever lies there.
  let start: MediaTime?
  /// The out point; nil for the source's end.
  let end: MediaTime?
  /// Half a frame: a picture belongs to the frame that is nearest.
  let slack: MediaTime

  /// All of a source.
  static let whole = Self(start: nil, end: nil, slack: .zero)

  /// True for what is, or may be, between the points.
  ///
  /// - Parameter times: Where it lies, at the earliest and at the latest.
  package func concerns(_ times: ClosedRange<MediaTime>) -> Bool {
    !isBehind(times) && (end.map { times.lowerBound < $0 - slack } ?? true)
  }

  /// True for what lies before the in point.
  func isBehind(_ times: ClosedRange<MediaTime>) -> Bool {
    start.map { times.upperBound < $0 - slack } ?? false
  }

  /// True for a picture that is shown at the in point, or before it.
  func isReached(from time: MediaTime) -> Bool { start.map { time < $0 + slack } ?? false }
}
