public import CaptureDevices
public import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A time of day at which a recording begins: `09:30`, `09:30:00`, or, as a timecode of the time of
/// day, `09:30:00:12`.
public struct StartTime: Sendable, Hashable {
  /// A moment of the wall clock, and what a frame of that moment is called.
  public struct Moment: Sendable, Hashable {
    /// Seconds since 1970 UTC.
    public var unixTime: Double
    /// The time of day as timecode; nil where the timecode is another one.
    public var timecode: Timecode?

    /// A moment.
    public init(unixTime: Double, timecode: Timecode? = nil) {
      self.unixTime = unixTime
      self.timecode = timecode
    }
  }

  /// Seconds since midnight.
  public let second: Int
  /// Frames beyond; nil where none were said.
  public let frame: Int?

  /// Reads a time of day; nil for anything else. `;` and `.` may stand before the frames.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      .flatMap { $0.split(omittingEmptySubsequences: false, whereSeparator: { ";.".contains($0) }) }
    let numbers = parts.compactMap { part in
      part.count <= 2 && part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
    }
    guard (2...4).contains(parts.count), numbers.count == parts.count, numbers[0] < 24,
      numbers[1] < 60, numbers.count < 3 || numbers[2] < 60
    else { return nil }
    second = numbers[0] * 3600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0)
    frame = numbers.count > 3 ? numbers[3] : nil
  }

  /// The time of day as timecode, drop-frame at rates that have it. Without a frame number it is the first
  /// timecode of the second.
  ///
  /// - Throws: `CaptureError.Code.invalidArgument` for a frame number that the rate does not have, or that
  ///   drop-frame counting skips.
  public func timecode(at rate: FrameRate) throws(CaptureError) -> Timecode {
    let format = TimecodeFormat(standardFor: rate)
    let last = format.framesPerSecond - 1
    guard frame ?? 0 <= last else {
      throw CaptureError(
        .invalidArgument,
        "start time with frame \(frame ?? 0): at \(rate) frames per second frames range from 0 to \(last)"
      )
    }
    func address(_ frame: Int) -> Timecode? {
      Timecode(
        hours: second / 3600, minutes: second / 60 % 60, seconds: second % 60, frames: frame,
        format: format)
    }
    if let timecode = address(frame ?? 0) { return timecode }
    let first = format.droppedPerMinute
    guard frame == nil, let timecode = address(first) else {
      throw CaptureError(
        .invalidArgument,
        "start time with frame \(frame ?? 0): drop-frame timecode skips it at the beginning of this "
          + "minute; use frame \(first)")
    }
    return timecode
  }

  /// The next moment at which the clock, in local time, shows this: where clocks are set back, a time of day may
  /// come twice, and where they are set forward not at all on that day.
  ///
  /// - Parameters:
  ///   - unixTime: The moment to begin from, in seconds since 1970 UTC.
  ///   - rate: The rate of the frames; 25 where it is not known.
  /// - Throws: As ``timecode(at:)``.
  public func next(after unixTime: Double, rate: FrameRate?) throws(CaptureError) -> Moment {
    try next(after: unixTime, rate: rate, offset: Self.localOffset)
  }

  /// As ``next(after:rate:)``.
  ///
  /// - Parameter offset: Seconds by which local time is ahead of UTC at a moment, which is given in seconds
  ///   since 1970 UTC.
  func next(
    after unixTime: Double, rate: FrameRate?, offset: (Int64) -> Int64
  ) throws(CaptureError) -> Moment {
    let timecode = try timecode(at: rate ?? .fps25)
    let format = timecode.format
    let frames = format.frameRate.framesPerSecond
    // The inverse of the time of day's timecode: drop-frame counts real time, others each second.
    let seconds =
      format.isDropFrame
      ? Double(timecode.frameNumber) / frames
      : Double(second) + Double(timecode.components.frames) / frames
    let (whole, day) = (Int64(seconds), Int64(86_400))
    // No calendar goes farther.
    let now = min(max(Int64(saturating: unixTime.rounded(.down)), -1 << 50), 1 << 50)
    let midnight = ((now + offset(now)) / day) * day
    for number in Int64(0)...3 {
      // First as if the zone were UTC, then with the offsets that the zone has a day before and a day after.
      let shown = midnight + number * day + whole
      let moments = [shown - day, shown + day].map { shown - offset($0) }
        .filter { $0 + offset($0) == shown }
        .map { Double($0) + seconds - Double(whole) }
      if let moment = moments.filter({ $0 > unixTime }).min() {
        return Moment(unixTime: moment, timecode: timecode)
      }
    }
    return Moment(unixTime: unixTime, timecode: timecode)
  }

  private static func localOffset(_ unixTime: Int64) -> Int64 {
    var (time, parts) = (time_t(unixTime), tm())
    return localtime_r(&time, &parts) == nil ? 0 : Int64(parts.tm_gmtoff)
  }
}
