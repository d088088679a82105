public import Foundation
public import MediaCore

/// Times as values, for `NSArray` and older calls. The epoch, which is almost always 0, is dropped.
extension NSValue {
  /// A value with a time.
  public convenience init(time: CMTime) {
    let packed = PackedTime(time)
    self.init(range: NSRange(location: packed.value, length: packed.rest))
  }

  /// A value with a time range.
  public convenience init(timeRange: CMTimeRange) {
    let (start, duration) = (PackedTime(timeRange.start), PackedTime(timeRange.duration))
    // Stores the integers' bits in a rectangle, which has the same size and is never interpreted.
    func number(_ bits: Int) -> CGFloat {
      CGFloat(Double(bitPattern: UInt64(bitPattern: Int64(bits))))
    }
    self.init(
      rect: CGRect(
        x: number(start.value), y: number(start.rest), width: number(duration.value),
        height: number(duration.rest)))
  }

  /// The time that the value was created with; meaningless for other values.
  public var timeValue: CMTime {
    PackedTime(value: rangeValue.location, rest: rangeValue.length).time
  }

  /// The time range that the value was created with; meaningless for other values.
  public var timeRangeValue: CMTimeRange {
    let rect = rectValue
    func bits(_ number: CGFloat) -> Int { Int(truncatingIfNeeded: Double(number).bitPattern) }
    return CMTimeRange(
      start: PackedTime(value: bits(rect.origin.x), rest: bits(rect.origin.y)).time,
      duration: PackedTime(value: bits(rect.size.width), rest: bits(rect.size.height)).time)
  }
}

/// A time packed in two words.
private struct PackedTime {
  var value: Int
  /// The flags in the upper half, the time scale in the lower.
  var rest: Int

  init(value: Int, rest: Int) { (self.value, self.rest) = (value, rest) }

  init(_ time: CMTime) {
    value = Int(time.value)
    rest = Int(time.flags.rawValue) << 32 | Int(UInt32(bitPattern: time.timescale))
  }

  var time: CMTime {
    CMTime(
      value: Int64(value), timescale: Int32(bitPattern: UInt32(truncatingIfNeeded: rest)),
      flags: CMTimeFlags(rawValue: UInt32(truncatingIfNeeded: rest >> 32)), epoch: 0)
  }
}

extension AVAssetImageGenerator {
  /// Generates images for times in values: see ``generateCGImagesAsynchronously(forTimes:completionHandler:)``.
  public func generateCGImagesAsynchronously(
    forTimes requestedTimes: [NSValue],
    completionHandler handler:
      @escaping @Sendable (CMTime, CGImage?, CMTime, Result, (any Error)?) -> Void
  ) {
    generateCGImagesAsynchronously(
      forTimes: requestedTimes.map(\.timeValue), completionHandler: handler)
  }
}

extension AVAssetReaderOutput {
  /// Reads other ranges, given as values: see ``reset(forReadingTimeRanges:)``.
  public func reset(forReadingTimeRanges timeRanges: [NSValue]) {
    reset(forReadingTimeRanges: timeRanges.map(\.timeRangeValue))
  }
}
