import MediaCore
import TestSupport
import Testing

@testable import AssetReader

/// The frame rate that keeps frames at their times.
@Suite struct FrameTimesTests {
  private static func times(_ rate: Double, _ count: Int, tick: Double) -> [Double] {
    (0..<count).map { (Double($0) / rate / tick).rounded() * tick }
  }

  /// A millisecond clock, as in Matroska and FLV, rounds a thirtieth of a second to 33 or 34 ticks.
  @Test(arguments: [
    (30.0, 300, FrameRate.fps30), (30_000.0 / 1001, 300, .fps29_97), (25, 40, .fps25),
    (24_000.0 / 1001, 900, .fps23_976), (60, 600, .fps60), (50, 30, .fps50),
  ])
  func a_coarse_clock_does_not_hide_the_rate(rate: Double, count: Int, expected: FrameRate) throws {
    let times = FrameTimes(times: Self.times(rate, count, tick: 0.001), tick: 0.001)
    // libavformat's guess for such clocks.
    #expect(times.rate(guess: try #require(FrameRate(120))) == expected)
  }

  @Test func slow_and_fast_rates_are_recognized() throws {
    let slow = FrameTimes(times: Self.times(10, 50, tick: 1 / 90_000), tick: 1 / 90_000)
    #expect(slow.rate(guess: .fps60) == FrameRate(10))
    let fast = FrameTimes(times: Self.times(1000, 500, tick: 1 / 90_000), tick: 1 / 90_000)
    #expect(fast.rate(guess: try #require(FrameRate(1000))) == FrameRate(1000))
  }

  @Test(arguments: [8, 12, 13, 50], [FrameRate.fps25, .fps50, .fps29_97])
  func a_clock_of_one_tick_per_frame_gives_the_frame_rate(count: Int, rate: FrameRate) {
    let tick = 1 / rate.framesPerSecond
    let times = FrameTimes(times: (0..<count).map { Double($0) * tick }, tick: tick)
    #expect(times.rate(guess: rate) == rate)
  }

  @Test func a_variable_rate_gets_a_slot_for_each_frame() throws {
    // Half a second at 60 fps, then two frames a second: a mean of about 12.
    var times = Self.times(60, 30, tick: 1e-5)
    times += (1...20).map { 0.5 + Double($0) / 2 }
    let guess = try #require(FrameRate(119, 10))
    let rate = try #require(FrameTimes(times: times.shuffled(), tick: 1e-5).rate(guess: guess))
    let slots = times.map { ($0 * rate.framesPerSecond).rounded() }
    #expect(Set(slots).count == times.count && rate.framesPerSecond <= 60)
  }

  @Test func a_few_odd_intervals_do_not_double_the_rate() throws {
    var times = Self.times(30, 300, tick: 1 / 600)
    for index in [50, 120, 200] { times[index] += 0.009 }
    let rate = FrameTimes(times: times, tick: 1.0 / 600).rate(guess: try #require(FrameRate(120)))
    #expect(rate == .fps30)
  }

  /// A camera whose intervals jitter by some milliseconds around 34: at 30 fps few frames share a
  /// slot.
  @Test func jitter_does_not_change_the_rate() throws {
    var generator = SeededGenerator(seed: 3)
    var (time, times) = (0.0, [Double]())
    for _ in 0..<700 {
      times.append((time * 1000).rounded() / 1000)
      time += Double.random(in: 0.031...0.038, using: &generator)
    }
    let guess = try #require(FrameRate(117, 4))
    let rate = try #require(FrameTimes(times: times, tick: 0.001).rate(guess: guess))
    #expect((29...31).contains(rate.framesPerSecond), "\(rate)")
  }

  /// A phone sensor of 120 fps that delivers every fourth frame, and sometimes the fifth.
  @Test func a_finer_time_grid_is_not_taken_for_the_rate() throws {
    var (place, times) = (0, [Double]())
    for index in 0..<60 {
      times.append(Double(place) / 120)
      place += index % 12 == 11 ? 5 : 4
    }
    let guess = try #require(FrameRate(120))
    let rate = try #require(FrameTimes(times: times, tick: 1.0 / 90_000).rate(guess: guess))
    #expect((29...31).contains(rate.framesPerSecond), "\(rate)")
  }

  /// Some frames come in pairs that no rate separates.
  @Test func inseparable_pairs_of_frames_do_not_raise_the_rate() throws {
    var times = Self.times(15, 200, tick: 0.001)
    times += [10, 50, 90, 130, 170].map { times[$0] + 0.004 }
    let rate = try #require(FrameTimes(times: times, tick: 0.001).rate(guess: .fps60))
    #expect(rate.framesPerSecond <= 30, "\(rate)")
  }

  @Test func the_rate_of_a_few_frames_is_not_that_of_the_clock() throws {
    // libavformat's guess for GIF and APNG.
    let clock = try #require(FrameRate(100))
    #expect(FrameTimes(times: [0, 0.25], tick: 0.01).rate(guess: clock) == FrameRate(4))
    #expect(FrameTimes(times: [0, 0.04, 0.08], tick: 0.01).rate(guess: clock) == .fps25)
    #expect(FrameTimes(times: [0, 9], tick: 0.01).rate(guess: clock) == nil)
    #expect(FrameTimes(times: [0], tick: 0.01).rate(guess: clock) == nil)
  }

  @Test func a_few_frames_on_a_coarse_clock_give_no_rate() {
    #expect(FrameTimes(times: [0, 0.04, 0.08], tick: 0.001).rate(guess: .fps25) == nil)
  }
}
