import MediaCore
import TestSupport
import Testing

@testable import VideoRecorder

/// Frames that are left out to stay within a maximum rate.
@Suite struct FramePacingTests {
  private func time(_ seconds: Double) -> MediaTime {
    MediaTime(seconds: seconds, preferredTimescale: 1_000_000_000)
  }

  private func taken(_ times: [Double], _ pacing: FramePacing) -> [Double] {
    var pacing = pacing
    return times.filter { seconds in
      let time = time(seconds)
      guard pacing.isDue(time) else { return false }
      pacing.give(time)
      return true
    }
  }

  @Test func pacing_stays_close_to_the_wanted_rate() {
    var random = SeededGenerator(seed: 20)
    for _ in 0..<50 {
      let frame = Double.random(in: 0.005...0.05, using: &random)
      let least = frame * Double.random(in: 1...6, using: &random)
      let times = (0..<600).map { (number: Int) -> Double in
        let jitter = Double.random(in: -0.1...0.1, using: &random)
        return (Double(number) + jitter) * frame
      }
      let given = taken(
        times, FramePacing(time(least)))
      #expect(zip(given, given.dropFirst()).allSatisfy { $1 - $0 > least * 0.874 })
      let span = times[599] - times[0]
      #expect(Double(given.count) <= span / least + 1.3, "\(frame), \(least)")
      // A frame that is late by one frame duration costs no more than that.
      let longest = least + frame * 1.3
      #expect(Double(given.count) >= span / longest - 1, "\(frame), \(least)")
    }
  }

  @Test func half_the_rate_passes_every_second_frame_despite_jitter() {
    let times = (0..<100).map { (number: Int) -> Double in
      Double(number) / 30 + (number % 3 == 0 ? 0.002 : -0.001)
    }
    let given = taken(times, FramePacing(MediaTime(value: 1, timescale: 15)))
    let seconds = times.indices.filter { $0 % 2 == 0 }.map { times[$0] }
    #expect(given == seconds)
  }

  @Test func frames_pass_without_a_limit_and_after_a_backward_jump() {
    let times: [Double] = [0, 0.01, 0.02]
    for none in [MediaTime.invalid, .zero, .positiveInfinity, MediaTime(value: -1, timescale: 5)] {
      #expect(taken(times, FramePacing(none)) == times)
    }
    let second = FramePacing(MediaTime(value: 1, timescale: 1))
    #expect(taken([100, 100.5, 7, 7.5, 8], second) == [100, 7, 8])
    var pacing = second
    pacing.give(.zero)
    pacing.give(.invalid)
    #expect(pacing.isDue(.invalid) && !pacing.isDue(.zero))
  }
}
