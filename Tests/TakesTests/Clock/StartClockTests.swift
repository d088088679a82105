import MediaCore
import Testing
import VideoRecorder

@testable import Takes

/// How a start at a time of day handles a clock that is set.
struct StartClockTests {
  private func reading(_ unixTime: Double, _ seconds: Double) -> StartClock.Reading {
    .init(unixTime: unixTime, instant: Int64(seconds * 1e9))
  }

  @Test func setting_the_clock_is_detected_as_a_step() throws {
    var steps = ClockSteps(from: reading(1000, 5))
    let shown: [(Double, Double)] = [
      // Normal; a tenth faster, more than any program slews a clock; set forward; normal; set back.
      (1000.5, 5.5), (1001.05, 6), (4601.05, 6), (4601.55, 6.5), (4541.55, 7),
    ]
    let found = shown.map { steps.step(to: reading($0, $1)) }
    #expect(found[0] == nil && found[1] == nil && found[3] == nil, "\(found)")
    let (forward, back) = (try #require(found[2]), try #require(found[4]))
    #expect(abs(forward - 3600) < 0.001 && abs(back + 60.5) < 0.001, "\(found)")
    #expect(ClockSteps.words(-60.5) == "the system's clock was set back by 60.500 s")
    #expect(ClockSteps.words(3600.0004) == "the system's clock was set forward by 3600.000 s")
  }

  @Test func a_start_mark_is_the_instant_of_its_wall_clock_time() {
    let mark = StartMark(StartTime.Moment(unixTime: 1002.5), by: reading(1000, 5))
    #expect(mark.instant == MediaTime(value: 7_500_000_000, timescale: 1_000_000_000))
    let past = StartMark(StartTime.Moment(unixTime: 0), by: reading(1e30, 5))
    #expect(past.instant.seconds < -9e9)
  }
}
