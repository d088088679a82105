import MediaCore
import TestSupport
import Testing

@testable import VideoRecorder

@Suite struct FrameClockTests {
  @Test(arguments: [FrameRate.fps23_976, .fps25, .fps29_97, .fps59_94])
  func jitter_below_half_a_frame_neither_loses_nor_repeats_a_frame(_ rate: FrameRate) {
    var generator = SeededGenerator(seed: 1)
    var clock = FrameClock(rate: rate)
    var wrong = 0
    for index in 0..<4000 as Range<Int64> {
      let time = rate.time(ofFrame: index) + Self.jitter(0.35, rate, &generator)
      // The first frame has no jitter, because it would add to that of every later one.
      let placed = clock.place(time: index == 0 ? .zero : time)
      if placed != .slot(index, missing: 0) { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test func every_lost_frame_leaves_its_slot_empty_despite_jitter() {
    for counts in [true, false] {
      var generator = SeededGenerator(seed: 2)
      var clock = FrameClock(rate: .fps29_97)
      var expected: Int64 = 0
      var wrong = 0
      for index in 0..<8000 as Range<Int64> {
        if index > 0, Double.random(in: 0..<1, using: &generator) < 0.01 { continue }
        let jitter = index == 0 ? .zero : Self.jitter(0.3, .fps29_97, &generator)
        let placed = clock.place(
          time: FrameRate.fps29_97.time(ofFrame: index) + jitter,
          sequence: counts ? UInt32(truncatingIfNeeded: index &+ 4_294_967_000) : nil)
        if placed != .slot(index, missing: index - expected) { wrong += 1 }
        expected = index + 1
      }
      #expect(wrong == 0)
    }
  }

  @Test(arguments: [100e-6, -100e-6])
  func a_source_100_ppm_fast_or_slow_loses_nothing_in_twenty_minutes(_ drift: Double) {
    var clock = FrameClock(rate: .fps25)
    var wrong = 0
    for index in 0..<30_000 as Range<Int64> {
      let seconds = Double(index) / 25 * (1 + drift)
      let time = MediaTime(seconds: seconds, preferredTimescale: 1_000_000_000)
      if clock.place(time: time) != .slot(index, missing: 0) { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test func empty_slots_keep_a_29_97_source_declared_as_30_in_time() {
    for counts in [true, false] {
      var clock = FrameClock(rate: .fps30)
      var last: Int64 = 0
      for index in 0..<10_000 as Range<Int64> {
        let time = FrameRate.fps29_97.time(ofFrame: index)
        guard
          case .slot(let slot, _) = clock.place(
            time: time, sequence: counts ? UInt32(index) : nil)
        else {
          Issue.record("frame \(index) found no slot")
          return
        }
        last = slot
      }
      // Ten are missing; up to 500 ppm may pass for drift and need not be filled.
      #expect((10_002...10_010).contains(last))
    }
  }

  @Test func a_frame_in_a_taken_slot_is_a_duplicate() {
    var clock = FrameClock(rate: .fps25)
    #expect(clock.place(time: .zero) == .slot(0, missing: 0))
    #expect(clock.place(time: MediaTime(value: 1, timescale: 1000)) == .duplicate)
    #expect(clock.place(time: FrameRate.fps25.time(ofFrame: 1)) == .slot(1, missing: 0))
    #expect(clock.place(time: .zero) == .duplicate)
    #expect(clock.place(time: FrameRate.fps25.time(ofFrame: 2)) == .slot(2, missing: 0))
  }

  @Test func implausible_sequence_numbers_are_ignored() {
    var clock = FrameClock(rate: .fps25)
    for index in 0..<100 as Range<Int64> {
      let placed = clock.place(
        time: FrameRate.fps25.time(ofFrame: index), sequence: UInt32(index * 5))
      #expect(placed == .slot(index, missing: 0))
    }
  }

  @Test func a_time_jump_restarts_the_clock_at_the_next_slot() {
    var clock = FrameClock(rate: .fps25)
    _ = clock.place(time: .zero)
    let far = MediaTime(value: 3600, timescale: 1)
    #expect(clock.place(time: far) == .restarted(1))
    #expect(clock.place(time: far + FrameRate.fps25.frameDuration) == .slot(2, missing: 0))
    #expect(clock.place(time: .zero) == .restarted(3))
  }

  @Test func elapsed_silence_is_a_gap_and_not_a_jump() {
    var clock = FrameClock(rate: .fps25)
    _ = clock.place(time: .zero)
    let late = MediaTime(value: 60, timescale: 1)
    #expect(clock.place(time: late, silence: 60) == .slot(1500, missing: 1499))
    // Time has not run backward, nor has an hour passed in a minute.
    #expect(clock.place(time: .zero, silence: 60) == .restarted(1501))
    #expect(
      clock.place(time: MediaTime(value: 3600, timescale: 1), silence: 60) == .restarted(1502))
  }

  /// A stopped process takes no frames, so those that the device kept come first.
  @Test func elapsed_silence_is_a_gap_even_after_buffered_frames() {
    var clock = FrameClock(rate: .fps25)
    func time(_ frame: Int64) -> MediaTime { FrameRate.fps25.time(ofFrame: frame) }
    _ = clock.place(time: time(0))
    #expect(clock.place(time: time(1), silence: 60) == .slot(1, missing: 0))
    for frame in 2..<9 as Range<Int64> {
      #expect(clock.place(time: time(frame)) == .slot(frame, missing: 0))
    }
    let next = clock.place(time: time(1500), silence: 0.04)
    #expect(next == .slot(1500, missing: 1491))
    // All of the elapsed time is used up now.
    for frame in 1501..<1510 as Range<Int64> {
      #expect(clock.place(time: time(frame), silence: 0.04) == .slot(frame, missing: 0))
    }
    #expect(clock.place(time: time(2000), silence: 0.04) == .restarted(1510))
  }

  @Test func a_slow_source_accumulates_no_silence() {
    var clock = FrameClock(rate: .fps25)
    for frame in 0..<90_000 as Range<Int64> {
      _ = clock.place(time: FrameRate.fps25.time(ofFrame: frame), silence: 0.0404)
    }
    // In an hour the source fell 36 s behind.
    let jump = FrameRate.fps25.time(ofFrame: 90_000 + 11 * 25)
    #expect(clock.place(time: jump, silence: 0.0404) == .restarted(90_000))
  }

  @Test func after_a_pause_the_next_frame_takes_the_next_slot() {
    var clock = FrameClock(rate: .fps25)
    _ = clock.place(time: .zero, sequence: 4)
    clock.rebase()
    #expect(
      clock.place(time: MediaTime(value: 5, timescale: 1), sequence: 99) == .slot(1, missing: 0))
  }

  private static func jitter(
    _ part: Double, _ rate: FrameRate, _ generator: inout SeededGenerator
  ) -> MediaTime {
    MediaTime(
      seconds: Double.random(in: -part...part, using: &generator) / rate.framesPerSecond,
      preferredTimescale: 1_000_000_000)
  }
}
