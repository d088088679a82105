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

  /// The time of day as timecode: drop-frame where the rate has it. Without frames it is the first
  /// address of the second.
  ///
  /// - Throws: `CaptureError.Code.invalidArgument` for a frame that the rate has not, or that
  ///   drop-frame counting skips.
  public func timecode(at rate: FrameRate) throws(CaptureError) -> Timecode {
    let format = TimecodeFormat(standardFor: rate)
    let last = format.framesPerSecond - 1
    guard frame ?? 0 <= last else {
      throw CaptureError(
        .invalidArgument,
        "start time with frame \(frame ?? 0): at \(rate) frames a second frames go from 0 to \(last)"
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

  /// The next moment at which the clock, in local time, shows this.
  ///
  /// - Parameters:
  ///   - unixTime: The moment to begin from, in seconds since 1970 UTC.
  ///   - rate: The rate of the frames; 25 where it is not known.
  /// - Throws: As ``timecode(at:)``.
  public func next(after unixTime: Double, rate: FrameRate?) throws(CaptureError) -> Moment {
    let timecode = try timecode(at: rate ?? .fps25)
    let format = timecode.format
    let frames = format.frameRate.framesPerSecond
    // The inverse of the time of day's timecode: drop-frame counts real time, others each second.
    let seconds =
      format.isDropFrame
      ? Double(timecode.frameNumber) / frames
      : Double(second) + Double(timecode.components.frames) / frames
    var now = time_t(saturating: unixTime.rounded(.down))
    var today = tm()
    localtime_r(&now, &today)
    let whole = Int(seconds)
    for day in Int32(0)...2 {
      var parts = tm()
      (parts.tm_year, parts.tm_mon, parts.tm_mday) = (today.tm_year, today.tm_mon, today.tm_mday)
      parts.tm_mday += day
      parts.tm_hour = Int32(whole / 3600)
      parts.tm_min = Int32(whole / 60 % 60)
      parts.tm_sec = Int32(whole % 60)
      parts.tm_isdst = -1
      let moment = Double(mktime(&parts)) + seconds - Double(whole)
      if moment > unixTime { return Moment(unixTime: moment, timecode: timecode) }
    }
    return Moment(unixTime: unixTime, timecode: timecode)
  }
}
