import MediaCore
import Testing

@testable import MovieExport

/// Values that change over time.
@Suite struct RampTests {
  private func at(_ tenths: Int64) -> MediaTime { MediaTime(value: tenths, timescale: 10) }

  @Test func values_hold_until_the_next_and_ramps_are_linear() {
    var ramp = Ramp(1.0)
    ramp.lead(from: 0, to: 4, over: MediaTimeRange(start: at(20), end: at(60)))
    ramp.set(0.5, at: at(10))
    #expect(ramp.value(at: at(0)) == 1 && ramp.value(at: at(10)) == 0.5)
    #expect(ramp.value(at: at(19)) == 0.5 && ramp.value(at: at(20)) == 0)
    #expect(ramp.value(at: at(30)) == 1 && ramp.value(at: at(60)) == 4)
    #expect(ramp.value(at: at(1000)) == 4)
    // A value set within a ramp takes over; of two at the same time, the later one.
    ramp.set(9, at: at(40))
    ramp.set(7, at: at(40))
    #expect(ramp.value(at: at(39)) == 1.9 && ramp.value(at: at(41)) == 7)
  }

  @Test func a_ramp_moves_along_with_its_timeline() {
    var ramp = Ramp(0.0)
    ramp.lead(from: 0, to: 1, over: MediaTimeRange(start: at(0), end: at(100)))
    for tenth in stride(from: Int64(0), through: 100, by: 10) {
      #expect(ramp.from(at(50)).value(at: at(tenth - 50)) == ramp.value(at: at(tenth)))
    }
  }

  @Test func non_numeric_times_change_nothing() {
    var ramp = Ramp(1.0)
    ramp.set(0, at: .invalid)
    ramp.lead(from: 0, to: 0, over: MediaTimeRange(start: .zero, duration: .positiveInfinity))
    #expect(ramp.value(at: at(5)) == 1)
  }

  @Test func a_ramp_from_an_infinite_area_jumps_at_its_end() {
    var ramp = Ramp(PlaneArea.infinite)
    let part = PlaneArea(left: 0, top: 0, right: 10, bottom: 10)
    ramp.lead(from: .infinite, to: part, over: MediaTimeRange(start: .zero, end: at(10)))
    #expect(ramp.value(at: at(5)) == .infinite && ramp.value(at: at(10)) == part)
  }
}
