// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
public import MediaCore

public let kCMTimeValueKey = "value"
public let kCMTimeScaleKey = "timescale"
public let kCMTimeEpochKey = "epoch"
public let kCMTimeFlagsKey = "flags"

/// A time as a dictionary of its fields.
public func CMTimeCopyAsDictionary(_ time: CMTime, allocator: CFAllocator?) -> CFDictionary? {
  [
    kCMTimeValueKey: time.value, kCMTimeScaleKey: time.timescale, kCMTimeEpochKey: time.epoch,
    kCMTimeFlagsKey: time.flags.rawValue,
  ]
}

/// A time from a dictionary of its fields; invalid if one is missing or wrong, or if the time is not numeric.
public func CMTimeMakeFromDictionary(_ dictionaryRepresentation: CFDictionary?) -> CMTime {
  guard let parts = dictionaryRepresentation,
    let value = (parts[kCMTimeValueKey] as? NSNumber)?.int64Value,
    let scale = (parts[kCMTimeScaleKey] as? NSNumber)?.int32Value, scale > 0,
    let flags = (parts[kCMTimeFlagsKey] as? NSNumber)?.uint32Value, flags & 1 == 1
  else { return .invalid }
  let epoch = (parts[kCMTimeEpochKey] as? NSNumber)?.int64Value ?? 0
  return CMTimeMakeWithEpoch(value: value, timescale: scale, epoch: epoch)
}

/// A description of a time.
public func CMTimeCopyDescription(allocator: CFAllocator?, time: CMTime) -> CFString? {
  "\(time)"
}

/// Maps a source range to a target range.
public struct CMTimeMapping: Sendable, Hashable {
  /// A mapping with invalid ranges.
  public init() { self.init(source: CMTimeRange(), target: CMTimeRange()) }

  public var source: CMTimeRange
  public var target: CMTimeRange
  public init(source: CMTimeRange, target: CMTimeRange) {
    self.source = source
    self.target = target
  }

  public static var invalid: CMTimeMapping { CMTimeMapping(source: .invalid, target: .invalid) }
  /// True if the target range is valid, even if the mapping is empty.
  public var isValid: Bool { target.isValid }
  /// True for an empty mapping: a valid target without a source.
  public var isEmpty: Bool { isValid && !source.start.isNumeric }
}

public func CMTimeMappingMake(source: CMTimeRange, target: CMTimeRange) -> CMTimeMapping {
  CMTimeMapping(source: source, target: target)
}
/// A mapping that leaves the target range empty.
public func CMTimeMappingMakeEmpty(target: CMTimeRange) -> CMTimeMapping {
  CMTimeMapping(source: .invalid, target: target)
}

extension CMTimeRange {
  public static var zero: CMTimeRange { kCMTimeRangeZero }
  /// A range whose start and duration are invalid.
  public static var invalid: CMTimeRange { kCMTimeRangeInvalid }
  /// True if start and duration are valid, and the duration is not negative.
  public var isValid: Bool { start.isValid && duration.isValid && !(duration < .zero) }
  /// True if the start or the duration is indefinite.
  public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }
}
