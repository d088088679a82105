public import MediaCore
import MovieExport

// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A range whose start and duration are invalid.
public let kCMTimeRangeInvalid = CMTimeRange(start: .invalid, duration: .invalid)
public let kCMTimeRangeZero = CMTimeRange(start: .zero, duration: .zero)

public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool {
  range1 == range2
}

/// True if a range contains another one.
public func CMTimeRangeContainsTimeRange(
  _ range: CMTimeRange, otherRange: CMTimeRange
) -> Bool {
  otherRange.start >= range.start && otherRange.end <= range.end
}

/// The range from the earlier start to the later end.
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
  let start = min(range.start, otherRange.start)
  return CMTimeRange(start: start, duration: max(range.end, otherRange.end) - start)
}

/// The time, limited to the range.
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
  min(max(time, range.start), range.end)
}

/// Maps a time linearly from one range to another, exactly if the timescale allows it. If both ranges are infinite,
/// the time is moved but not scaled. Invalid if a range is empty, only one is infinite, or the time's epoch is not
/// the range's.
public func CMTimeMapTimeFromRangeToRange(
  _ time: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange
) -> CMTime {
  guard time.epoch == fromRange.start.epoch else { return .invalid }
  return toRange.start
    + CMTimeMapDurationFromRangeToRange(
      (time - fromRange.start).inEpochZero, fromRange: fromRange, toRange: toRange)
}

/// Maps a duration linearly from one range to another, see ``CMTimeMapTimeFromRangeToRange(_:fromRange:toRange:)``.
/// Invalid if the duration's epoch is not 0.
public func CMTimeMapDurationFromRangeToRange(
  _ dur: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange
) -> CMTime {
  let (from, to) = (fromRange.duration, toRange.duration)
  guard dur.epoch == 0, !fromRange.isEmpty, !toRange.isEmpty else { return .invalid }
  if from.isPositiveInfinity, to.isPositiveInfinity { return dur }
  return dur.scaled(by: to, over: from)
}

extension CMTime {
  /// The difference of two times, which has no epoch.
  fileprivate var inEpochZero: CMTime {
    CMTime(value: value, timescale: timescale, flags: flags, epoch: 0)
  }
}

extension CMTimeRange {
  /// True if the range contains another one.
  public func containsTimeRange(_ otherRange: CMTimeRange) -> Bool {
    CMTimeRangeContainsTimeRange(self, otherRange: otherRange)
  }
  /// The range from the earlier start to the later end.
  public func union(_ otherRange: CMTimeRange) -> CMTimeRange {
    CMTimeRangeGetUnion(self, otherRange: otherRange)
  }
}

/// Prints a description of a range.
public func CMTimeRangeShow(_ range: CMTimeRange) { print(range) }
