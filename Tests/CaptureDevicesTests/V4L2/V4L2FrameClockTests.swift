import CVideo4Linux
import MediaCore
import Testing

@testable import CaptureDevices

@Suite struct V4L2FrameClockTests {
  private let endOfFrame = UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
  private let startOfExposure =
    UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC) | UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_SOE)
  private let frame: Int64 = 40_000_000
  private let begin: Int64 = 5_000_000_000_000

  @Test func a_frame_begins_one_duration_before_its_last_byte() {
    var clock = V4L2FrameClock(frameDuration: frame)
    let reading = clock.read(stamp: begin, flags: endOfFrame, now: begin + 1_000_000)
    #expect(reading == .init(nanoseconds: begin - frame, isDiscontinuous: false))
    var other = V4L2FrameClock(frameDuration: frame)
    let exposed = other.read(stamp: begin, flags: startOfExposure, now: begin + frame)
    #expect(exposed == .init(nanoseconds: begin, isDiscontinuous: false))
  }

  @Test func a_late_consumer_is_not_reported_as_a_discontinuity() {
    var clock = V4L2FrameClock(frameDuration: frame)
    for number in 0..<20 as Range<Int64> {
      let stamp = begin + number * frame
      let late: Int64 = number == 10 ? 900_000_000 : 1_000_000
      let reading = clock.read(stamp: stamp, flags: endOfFrame, now: stamp + late)
      #expect(reading == .init(nanoseconds: stamp - frame, isDiscontinuous: false))
    }
  }

  @Test func another_clock_is_aligned_with_arrival_once() {
    var clock = V4L2FrameClock(frameDuration: frame)
    let foreign: Int64 = .max - 400_000_000
    var last: Int64 = 0
    for number in 0..<20 as Range<Int64> {
      let now = begin + number * frame + 3_000_000
      let reading = clock.read(stamp: foreign &+ number * frame, flags: endOfFrame, now: now)
      #expect(!reading.isDiscontinuous)
      #expect(abs(reading.nanoseconds - (begin + (number - 1) * frame)) <= frame)
      #expect(reading.nanoseconds > last)
      last = reading.nanoseconds
    }
  }

  @Test func clock_jumps_are_reported_and_times_still_increase() {
    for jump in [-2_000_000_000, 3_600_000_000_000, -80_000_000] as [Int64] {
      var clock = V4L2FrameClock(frameDuration: frame)
      var last: Int64 = 0
      var jumps = 0
      for number in 0..<20 as Range<Int64> {
        let now = begin + number * frame
        let stamp = now + (number >= 10 ? jump : 0)
        let reading = clock.read(stamp: stamp, flags: startOfExposure, now: now + 1_000_000)
        if reading.isDiscontinuous { jumps += 1 }
        #expect(reading.nanoseconds > last)
        last = reading.nanoseconds
      }
      #expect(jumps >= 1, "a jump of \(jump)")
      #expect(abs(last - (begin + 19 * frame)) < 5_000_000_000)
    }
  }

  /// A camera in the dark delivers fewer frames than it declares: their intervals are kept.
  @Test func a_clock_that_was_set_back_is_followed() {
    var clock = V4L2FrameClock(frameDuration: frame)
    var times: [Int64] = []
    var jumps: [Int64] = []
    for number in 0..<40 as Range<Int64> {
      let now = begin + number * 2 * frame
      let stamp = now - (number >= 10 ? 3_000_000_000 : 0)
      let reading = clock.read(stamp: stamp, flags: startOfExposure, now: now + 1_000_000)
      if reading.isDiscontinuous { jumps.append(number) }
      times.append(reading.nanoseconds)
    }
    #expect(jumps == [10])
    #expect(zip(times[11...], times[12...]).allSatisfy { $1 - $0 == 2 * frame })
    #expect(times.last.map { abs(begin + 78 * frame - $0) <= 3 * frame } == true)
  }

  @Test func a_wrong_timestamp_moves_no_other_frame() {
    var clock = V4L2FrameClock(frameDuration: frame)
    for number in 0..<20 as Range<Int64> {
      let now = begin + number * frame
      let stamp = number == 10 ? now - 1_000_000_000 : now
      let reading = clock.read(stamp: stamp, flags: startOfExposure, now: now + 1_000_000)
      #expect(reading.isDiscontinuous == (number == 10))
      if number != 10 { #expect(reading.nanoseconds == now) }
    }
  }

  @Test func a_frame_without_a_timestamp_gets_its_arrival_time() {
    var clock = V4L2FrameClock(frameDuration: nil)
    let reading = clock.read(stamp: 0, flags: 0, now: begin)
    #expect(reading == .init(nanoseconds: begin, isDiscontinuous: false))
  }

  @Test func sequence_numbers_may_wrap_repeat_and_restart() {
    var counter = V4L2SequenceCounter()
    #expect(counter.take(.max - 1) == .next)
    #expect(counter.take(.max) == .next)
    #expect(counter.take(0) == .next)
    #expect(counter.take(3) == .gap(2))
    #expect(counter.take(3) == .restart)
    #expect(counter.take(4) == .next)
    #expect(counter.take(0) == .restart)
    var idle = V4L2SequenceCounter()
    #expect([0, 0, 0, 0].map { idle.take($0) } == [.next, .restart, .next, .next])
  }

  @Test func sequence_gaps_add_up_to_the_missing_frames() {
    var random = SplitMix(seed: 7)
    for _ in 0..<50 {
      var counter = V4L2SequenceCounter()
      var number = UInt32(truncatingIfNeeded: random.next())
      _ = counter.take(number)
      var missing = 0
      var reported = 0
      for _ in 0..<200 {
        let lost = random.next() % 10 == 0 ? Int(random.next() % 100) : 0
        number = number &+ UInt32(lost) &+ 1
        missing += lost
        if case .gap(let count) = counter.take(number) { reported += count }
      }
      #expect(reported == missing)
    }
  }

  private struct SplitMix {
    var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }
}
