// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
public import MediaCore

public let kCMTimeValueKey = "value"
public let kCMTimeScaleKey = "timescale"
public let kCMTimeEpochKey = "epoch"
public let kCMTimeFlagsKey = "flags"

/// A time as a dictionary of its parts.
public func CMTimeCopyAsDictionary(_ time: CMTime, allocator: CFAllocator?) -> CFDictionary? {
  [
    kCMTimeValueKey: time.value, kCMTimeScaleKey: time.timescale, kCMTimeEpochKey: time.epoch,
    kCMTimeFlagsKey: time.flags.rawValue,
  ]
}

/// A time from a dictionary of its parts; invalid where one is missing or wrong, and for times that are no
/// numbers.
public func CMTimeMakeFromDictionary(_ dictionaryRepresentation: CFDictionary?) -> CMTime {
  guard let parts = dictionaryRepresentation,
    let value = (parts[kCMTimeValueKey] as? NSNumber)?.int64Value,
    let scale = (parts[kCMTimeScaleKey] as? NSNumber)?.int32Value, scale > 0,
    let flags = (parts[kCMTimeFlagsKey] as? NSNumber)?.uint32Value, flags & 1 == 1
  else { return .invalid }
  let epoch = (parts[kCMTimeEpochKey] as? NSNumber)?.int64Value ?? 0
  return CMTimeMakeWithEpoch(value: value, timescale: scale, epoch: epoch)
}

/// A time as text, for people.
public func CMTimeCopyDescription(allocator: CFAllocator?, time: CMTime) -> CFString? {
  "\(time)"
}

/// A range of a source and where it goes.
public struct CMTimeMapping: Sendable, Hashable {
  /// Of no times.
  public init() { self.init(source: CMTimeRange(), target: CMTimeRange()) }

  /// The range of the source.
  public var source: CMTimeRange
  /// Where it goes.
  public var target: CMTimeRange
  /// A mapping.
  public init(source: CMTimeRange, target: CMTimeRange) {
    self.source = source
    self.target = target
  }

  /// A mapping of nothing to nowhere.
  public static var invalid: CMTimeMapping { CMTimeMapping(source: .invalid, target: .invalid) }
  /// True if the target is a range, also of a mapping that leaves it empty.
  public var isValid: Bool { target.isValid }
  /// True for a target that is left empty: its source begins at no time.
  public var isEmpty: Bool { isValid && !source.start.isNumeric }
}

/// A range of a source and where it goes.
public func CMTimeMappingMake(source: CMTimeRange, target: CMTimeRange) -> CMTimeMapping {
  CMTimeMapping(source: source, target: target)
}
/// A range that is left empty.
public func CMTimeMappingMakeEmpty(target: CMTimeRange) -> CMTimeMapping {
  CMTimeMapping(source: .invalid, target: target)
}

extension CMTimeRange {
  /// A range of no length, from 0.
  public static var zero: CMTimeRange { kCMTimeRangeZero }
  /// A range that begins at no time.
  public static var invalid: CMTimeRange { kCMTimeRangeInvalid }
  /// True if start and length are times, and the length is not below 0.
  public var isValid: Bool { start.isValid && duration.isValid && !(duration < .zero) }
  /// True if start or length is not known.
  public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }
}
