import MediaCore
import Testing

@testable import Takes

/// What a start at a time of day makes of a clock that is set.
struct StartClockTests {
  private func reading(_ unixTime: Double, _ seconds: Double) -> StartClock.Reading {
    .init(unixTime: unixTime, instant: Int64(seconds * 1e9))
  }

  @Test func a_clock_that_is_set_differs_from_the_one_that_goes_on() throws {
    var steps = ClockSteps(from: reading(1000, 5))
    #expect(steps.step(to: reading(1000.5, 5.5)) == nil)
    // It is made faster by a tenth, as no program does.
    #expect(steps.step(to: reading(1001.05, 6)) == nil)
    let forward = try #require(steps.step(to: reading(4601.05, 6)))
    #expect(abs(forward - 3600) < 0.001)
    #expect(steps.step(to: reading(4601.55, 6.5)) == nil, "it is told once")
    let back = try #require(steps.step(to: reading(4541.55, 7)))
    #expect(abs(back + 60.5) < 0.001)
    #expect(ClockSteps.words(-60.5) == "the system's clock was set back by 60.500 s")
    #expect(ClockSteps.words(3600.0004) == "the system's clock was set forward by 3600.000 s")
  }

  @Test func a_mark_lies_where_the_clock_shows_its_moment() {
    let mark = StartMark(StartTime.Moment(unixTime: 1002.5), by: reading(1000, 5))
    #expect(mark.instant == MediaTime(value: 7_500_000_000, timescale: 1_000_000_000))
    let past = StartMark(StartTime.Moment(unixTime: 0), by: reading(1e30, 5))
    #expect(past.instant.seconds < -9e9)
  }
}
