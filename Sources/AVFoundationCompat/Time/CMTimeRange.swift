public import MediaCore
import MovieExport

// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A range that begins at no time.
public let kCMTimeRangeInvalid = CMTimeRange(start: .invalid, duration: .invalid)
/// A range of no length, from 0.
public let kCMTimeRangeZero = CMTimeRange(start: .zero, duration: .zero)

/// True for ranges with the same start and length.
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool {
  range1 == range2
}

/// True if all of a range is in another one.
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

/// The time itself where it is in the range, else the range's nearer end.
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
  min(max(time, range.start), range.end)
}

/// The time at the same share of another range, exactly where a time scale holds it; moved and not scaled
/// where both ranges are infinite. Invalid where a range is empty, only one is infinite, or the time is of
/// another epoch than the range.
public func CMTimeMapTimeFromRangeToRange(
  _ time: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange
) -> CMTime {
  guard time.epoch == fromRange.start.epoch else { return .invalid }
  return toRange.start
    + CMTimeMapDurationFromRangeToRange(
      (time - fromRange.start).inEpochZero, fromRange: fromRange, toRange: toRange)
}

/// A duration as long in another range as it is in its own, as ``CMTimeMapTimeFromRangeToRange(_:fromRange:toRange:)``
/// has it. Invalid for one of another epoch than 0.
public func CMTimeMapDurationFromRangeToRange(
  _ dur: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange
) -> CMTime {
  let (from, to) = (fromRange.duration, toRange.duration)
  guard dur.epoch == 0, !fromRange.isEmpty, !toRange.isEmpty else { return .invalid }
  if from.isPositiveInfinity, to.isPositiveInfinity { return dur }
  return dur.scaled(by: to, over: from)
}

extension CMTime {
  /// The span between two times of an epoch, which has none.
  fileprivate var inEpochZero: CMTime {
    CMTime(value: value, timescale: timescale, flags: flags, epoch: 0)
  }
}

extension CMTimeRange {
  /// True if all of another range is in it.
  public func containsTimeRange(_ otherRange: CMTimeRange) -> Bool {
    CMTimeRangeContainsTimeRange(self, otherRange: otherRange)
  }
  /// The range from the earlier start to the later end.
  public func union(_ otherRange: CMTimeRange) -> CMTimeRange {
    CMTimeRangeGetUnion(self, otherRange: otherRange)
  }
}

/// Rows and columns as text, for people.
public func CMTimeRangeShow(_ range: CMTimeRange) { print(range) }
