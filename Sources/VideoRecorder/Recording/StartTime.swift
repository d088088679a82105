public import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A time of day at which a recording begins: `09:30`, `09:30:00`, or, as a timecode of the time of
/// day, `09:30:00:12`.
public struct StartTime: Sendable, Hashable {
  /// Seconds since midnight.
  public let second: Int
  /// Frames beyond.
  public let frame: Int

  /// Reads a time of day; nil for anything else. `;` and `.` may stand before the frames.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      .flatMap { $0.split(whereSeparator: { ";.".contains($0) }) }
    let numbers = parts.compactMap { part in
      part.count <= 2 && part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
    }
    guard (2...4).contains(parts.count), numbers.count == parts.count, numbers[0] < 24,
      numbers[1] < 60, numbers.count < 3 || numbers[2] < 60
    else { return nil }
    second = numbers[0] * 3600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0)
    frame = numbers.count > 3 ? numbers[3] : 0
  }

  /// Seconds from a moment to the next time that the clock, in local time, shows this.
  ///
  /// - Parameter unixTime: The moment, in seconds since 1970 UTC.
  public func seconds(after unixTime: Double, rate: FrameRate?) -> Double {
    var whole = time_t(saturating: unixTime.rounded(.down))
    var parts = tm()
    localtime_r(&whole, &parts)
    let now =
      Double(Int(parts.tm_hour) * 3600 + Int(parts.tm_min) * 60 + Int(parts.tm_sec))
      + unixTime - unixTime.rounded(.down)
    let wanted = Double(second) + Double(frame) / (rate?.framesPerSecond ?? 25)
    return wanted > now ? wanted - now : wanted - now + 86_400
  }
}
