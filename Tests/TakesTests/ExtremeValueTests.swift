import MediaCore
import Testing

@testable import Takes

/// Numbers at the ends of their ranges, from presets and users: none ends the process.
@Suite struct ExtremeValueTests {
  @Test func extreme_durations_and_times_of_day_do_not_crash() {
    for text in ["1e300", "9223372036854775807f", "9223372036854775808f", "99999999999h", "nan"] {
      guard let duration = RecordingDuration(text) else { continue }
      #expect(duration.frameCount(at: .fps59_94) > 0)
      _ = duration.time(at: .fps25)
    }
    for seconds in [1e300, -1e300, .infinity, .nan, 0] {
      #expect(RecordingDuration.seconds(seconds).frameCount(at: .fps60) >= 1)
      _ = Timecode(timeOfDay: seconds, rate: .fps29_97).description
      _ = try? StartTime("09:30")?.next(after: seconds, rate: nil)
    }
  }
}
