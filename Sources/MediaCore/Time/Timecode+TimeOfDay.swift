#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

extension Timecode {
  /// The wall clock's address of a moment, in local time: drop-frame where the rate has it. An
  /// address lasts from its own instant until the next one's.
  package init(timeOfDay moment: Double, rate: FrameRate) {
    let format = TimecodeFormat(standardFor: rate)
    // A number of seconds since 1970 is exact to a quarter of a microsecond, and devices to one.
    let unixTime = moment + 1e-6
    var whole = time_t(saturating: unixTime)
    var parts = tm()
    localtime_r(&whole, &parts)
    let second = Double(Int(parts.tm_hour) * 3600 + Int(parts.tm_min) * 60 + Int(parts.tm_sec))
    let fraction = unixTime - unixTime.rounded(.down)
    // Drop-frame counts real time; elsewhere the clock's digits are shown, whatever they drift.
    let frame =
      format.isDropFrame
      ? (second + fraction) * rate.framesPerSecond
      : second * Double(format.framesPerSecond) + fraction * rate.framesPerSecond
    self.init(frameNumber: Int64(saturating: frame), format: format)
  }
}
