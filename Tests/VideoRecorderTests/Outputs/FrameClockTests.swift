import MediaCore
import TestSupport
import Testing

@testable import VideoRecorder

@Suite("Frame clock")
struct FrameClockTests {
  @Test(
    "jitter below half a frame neither loses nor repeats a frame",
    arguments: [FrameRate.fps23_976, .fps25, .fps29_97, .fps59_94])
  func jitter(_ rate: FrameRate) {
    var generator = SeededGenerator(seed: 1)
    var clock = FrameClock(rate: rate)
    var wrong = 0
    for index in 0..<4000 as Range<Int64> {
      let time = rate.time(ofFrame: index) + Self.jitter(0.35, rate, &generator)
      // The first frame's own jitter adds to each later one's; it is given none.
      let placed = clock.place(time: index == 0 ? .zero : time)
      if placed != .slot(index, missing: 0) { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test("every lost frame leaves its slot empty, with and without numbers, under jitter")
  func losses() {
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

  @Test(
    "a source 100 ppm fast or slow loses nothing in twenty minutes", arguments: [100e-6, -100e-6])
  func drift(_ drift: Double) {
    var clock = FrameClock(rate: .fps25)
    var wrong = 0
    for index in 0..<30_000 as Range<Int64> {
      let seconds = Double(index) / 25 * (1 + drift)
      let time = MediaTime(seconds: seconds, preferredTimescale: 1_000_000_000)
      if clock.place(time: time) != .slot(index, missing: 0) { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test("a source that claims 30 and gives 29.97 is kept in time by empty slots")
  func wrongRate() {
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
      // Ten are missing; what may pass for drift, 500 ppm, needs not be made up.
      #expect((10_002...10_010).contains(last))
    }
  }

  @Test("a frame in a slot that is taken is a duplicate, and costs the next one nothing")
  func duplicates() {
    var clock = FrameClock(rate: .fps25)
    #expect(clock.place(time: .zero) == .slot(0, missing: 0))
    #expect(clock.place(time: MediaTime(value: 1, timescale: 1000)) == .duplicate)
    #expect(clock.place(time: FrameRate.fps25.time(ofFrame: 1)) == .slot(1, missing: 0))
    #expect(clock.place(time: .zero) == .duplicate)
    #expect(clock.place(time: FrameRate.fps25.time(ofFrame: 2)) == .slot(2, missing: 0))
  }

  @Test("numbers that count something else than frames are not believed")
  func wrongNumbers() {
    var clock = FrameClock(rate: .fps25)
    for index in 0..<100 as Range<Int64> {
      let placed = clock.place(
        time: FrameRate.fps25.time(ofFrame: index), sequence: UInt32(index * 5))
      #expect(placed == .slot(index, missing: 0))
    }
  }

  @Test("a jump of time by more than ten seconds starts a new count at the next slot")
  func jump() {
    var clock = FrameClock(rate: .fps25)
    _ = clock.place(time: .zero)
    let far = MediaTime(value: 3600, timescale: 1)
    #expect(clock.place(time: far) == .restarted(1))
    #expect(clock.place(time: far + FrameRate.fps25.frameDuration) == .slot(2, missing: 0))
    #expect(clock.place(time: .zero) == .restarted(3))
  }

  @Test("after a pause the next frame takes the next slot")
  func pause() {
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
