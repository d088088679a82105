import MediaCore
import TestSupport
import Testing

@Suite struct MediaTimeTests {
  @Test func a_week_of_frames_is_exact_at_every_rate() {
    for rate in FrameRate.standard {
      let days: Int64 = 7
      let frames =
        days * 86_400 * Int64(rate.numerator) / Int64(rate.denominator)
      var sum = MediaTime.zero
      for _ in 0..<10_000 { sum += rate.frameDuration }
      #expect(sum == rate.frameDuration * 10_000)
      #expect(!sum.hasBeenRounded)
      #expect(rate.frameDuration * frames == rate.time(ofFrame: frames))
      let week = MediaTime(value: days * 86_400, timescale: 1)
      let rest = week - rate.time(ofFrame: frames)
      #expect(rest >= .zero && rest < rate.frameDuration)
      #expect(!rest.hasBeenRounded)
    }
  }

  @Test func a_frame_index_is_recovered_from_its_time_for_weeks() {
    var random = SeededGenerator(seed: 3)
    for rate in FrameRate.standard {
      for _ in 0..<2000 {
        let index = Int64.random(in: -100_000...100_000_000, using: &random)
        let time = rate.time(ofFrame: index)
        #expect(rate.frameIndex(nearest: time) == index)
        #expect(rate.frameIndex(nearest: time + MediaTime(value: 1, timescale: 1000)) == index)
        #expect(rate.frameIndex(nearest: time - MediaTime(value: 1, timescale: 1000)) == index)
      }
    }
    let half = MediaTime(value: 1, timescale: 50)
    #expect(FrameRate.fps25.frameIndex(nearest: half) == 1, "halves are rounded up")
    #expect(FrameRate.fps25.frameIndex(nearest: .zero - half) == 0, "negative halves too")
    #expect(FrameRate.fps25.frameIndex(nearest: .positiveInfinity) == nil)
    #expect(FrameRate.fps25.time(ofFrame: .max).seconds > 3e17, "extreme indices do not trap")
  }

  @Test func arithmetic_obeys_field_laws_without_overflow() {
    var random = SeededGenerator(seed: 1)
    func any() -> MediaTime {
      MediaTime(
        value: Int64.random(in: -1_000_000_000...1_000_000_000, using: &random),
        timescale: [1, 24, 25, 600, 1000, 24000, 30000, 44100, 48000, 90000]
          .randomElement(using: &random) ?? 1)
    }
    for _ in 0..<5000 {
      let (a, b, c) = (any(), any(), any())
      #expect(a + b == b + a)
      #expect((a + b) + c == a + (b + c))
      #expect(a - a == .zero)
      #expect((a + b) - b == a)
      #expect(-(-a) == a)
      #expect(a * 3 == a + a + a)
      #expect((a < b) == (b > a))
      #expect((a < b) == (a + c < b + c))
      #expect(!(a + b).hasBeenRounded)
      let third = a.multiplied(by: 1, over: 3)
      if !third.hasBeenRounded { #expect(third * 3 == a) }
    }
  }

  @Test func equal_times_have_equal_hashes() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<2000 {
      let value = Int64.random(in: -1_000_000...1_000_000, using: &random)
      let scale = Int32.random(in: 1...100_000, using: &random)
      let factor = Int32.random(in: 1...1000, using: &random)
      let one = MediaTime(value: value, timescale: scale)
      let other = MediaTime(value: value * Int64(factor), timescale: scale * factor)
      #expect(one == other)
      #expect(one.hashValue == other.hashValue)
    }
    let least = MediaTime(value: .min, timescale: 2)
    #expect(least.hashValue == MediaTime(value: .min / 2, timescale: 1).hashValue)
    #expect(
      MediaTime(value: 0, timescale: 7).hashValue == MediaTime(value: 0, timescale: 9).hashValue)
  }

  @Test func a_timescale_conversion_rounds_as_requested() {
    let cases: [(Int64, MediaTime.RoundingMethod, Int64)] = [
      (15, .roundHalfAwayFromZero, 2), (-15, .roundHalfAwayFromZero, -2),
      (14, .roundHalfAwayFromZero, 1), (19, .roundTowardZero, 1), (-19, .roundTowardZero, -1),
      (11, .roundAwayFromZero, 2), (-11, .roundAwayFromZero, -2),
      (19, .roundTowardNegativeInfinity, 1), (-11, .roundTowardNegativeInfinity, -2),
      (11, .roundTowardPositiveInfinity, 2), (-19, .roundTowardPositiveInfinity, -1),
      (19, .quickTime, 1),
    ]
    for (value, rounding, expected) in cases {
      let result = MediaTime(value: value, timescale: 10).converted(
        toTimescale: 1, rounding: rounding)
      #expect(result.value == expected, "\(value)/10 by \(rounding)")
      #expect(result.hasBeenRounded)
    }
    let finer = MediaTime(value: 1, timescale: 3).converted(toTimescale: 4, rounding: .quickTime)
    #expect(finer.value == 2, "away from zero towards a finer scale")
    let exact = MediaTime(value: 20, timescale: 10).converted(toTimescale: 1)
    #expect(exact.value == 2 && !exact.hasBeenRounded)
    #expect((exact + finer).hasBeenRounded, "a rounded term makes a rounded sum")
    #expect(!MediaTime(value: 1, timescale: 1).converted(toTimescale: 0).isValid)
    #expect(
      MediaTime(value: .max, timescale: 1).converted(toTimescale: 2).isPositiveInfinity)
    #expect(MediaTime(value: .min, timescale: 1).converted(toTimescale: 2).isNegativeInfinity)
  }

  @Test func overflowing_times_get_coarser_and_then_infinite() {
    let large = MediaTime(value: .max, timescale: 1000)
    let sum = large + large
    #expect(sum.timescale == 500)
    #expect(sum.value == .max)
    let scales =
      MediaTime(value: 1, timescale: 2_147_483_647)
      + MediaTime(value: 1, timescale: 2_147_483_629)
    #expect(scales.timescale == .max && scales.value == 2 && scales.hasBeenRounded)
    #expect((MediaTime(value: .max, timescale: 1) * 2).isPositiveInfinity)
    #expect((MediaTime(value: .max, timescale: 1) * -2).isNegativeInfinity)
    #expect((MediaTime(value: .min, timescale: 1) * -1).isPositiveInfinity)
    #expect((-MediaTime(value: .min, timescale: 1)).isPositiveInfinity)
    #expect((large * 4).timescale == 250)
  }

  @Test func infinite_indefinite_and_invalid_times_propagate() {
    let second = MediaTime(value: 1, timescale: 1)
    #expect((MediaTime.positiveInfinity + second).isPositiveInfinity)
    #expect((second - .positiveInfinity).isNegativeInfinity)
    #expect((MediaTime.positiveInfinity + .positiveInfinity).isPositiveInfinity)
    #expect(!(MediaTime.positiveInfinity + .negativeInfinity).isValid)
    #expect((MediaTime.indefinite + .positiveInfinity).isPositiveInfinity)
    #expect((MediaTime.indefinite - .positiveInfinity).isNegativeInfinity)
    #expect((MediaTime.indefinite + second).isIndefinite)
    #expect((MediaTime.indefinite + .indefinite).isIndefinite)
    #expect((MediaTime.negativeInfinity + .negativeInfinity).isNegativeInfinity)
    #expect(!(MediaTime.invalid + second).isValid)
    #expect(!(MediaTime.invalid + .indefinite).isValid)
    #expect((MediaTime.positiveInfinity * -1).isNegativeInfinity)
    #expect(!(MediaTime.positiveInfinity * 0).isValid)
    #expect(
      [.invalid, .indefinite, .positiveInfinity, second, .zero, .negativeInfinity].sorted()
        == [.negativeInfinity, .zero, second, .indefinite, .positiveInfinity, .invalid])
    #expect(MediaTime.invalid == .invalid)
    #expect(MediaTime.positiveInfinity.seconds == .infinity)
    #expect(MediaTime.indefinite.seconds.isNaN)
    #expect(MediaTime.invalid.nanoseconds == nil)
  }

  @Test func a_value_without_a_timescale_is_not_a_valid_time() {
    for scale in [0, -1, Int32.min] {
      let time = MediaTime(value: 1, timescale: scale, flags: .valid, epoch: 0)
      #expect(!time.isValid)
      #expect(!(time + .zero).isValid)
      #expect(time != .zero)
      #expect(!MediaTime(value: 1, timescale: scale).isValid)
    }
  }

  @Test func times_of_different_epochs_do_not_mix() {
    let first = MediaTime(value: 5, timescale: 1, flags: .valid, epoch: 1)
    let second = MediaTime(value: 1, timescale: 1, flags: .valid, epoch: 2)
    #expect(first < second)
    #expect(!(first + second).isValid)
    #expect((first + MediaTime(value: 1, timescale: 1)).epoch == 1)
  }

  @Test func seconds_are_rounded_to_the_nearest_time() {
    #expect(MediaTime(seconds: 0.5, preferredTimescale: 600).value == 300)
    #expect(!MediaTime(seconds: 0.5, preferredTimescale: 600).hasBeenRounded)
    #expect(MediaTime(seconds: 1.0 / 7, preferredTimescale: 600).hasBeenRounded)
    #expect(MediaTime(seconds: -0.0025, preferredTimescale: 600).value == -2)
    #expect(!MediaTime(seconds: .nan, preferredTimescale: 600).isValid)
    #expect(MediaTime(seconds: .infinity, preferredTimescale: 600).isPositiveInfinity)
    #expect(MediaTime(seconds: -1e30, preferredTimescale: 600).isNegativeInfinity)
    #expect(!MediaTime(seconds: 1, preferredTimescale: 0).isValid)
    let century = MediaTime(seconds: 1e10, preferredTimescale: 1_000_000_000)
    #expect(century.timescale == 500_000_000 && century.seconds == 1e10)
    let coarse = MediaTime(seconds: -9.2e18, preferredTimescale: 1000)
    #expect(coarse.timescale == 1 && coarse.seconds == -9.2e18)
    #expect(MediaTime(seconds: 9.3e18, preferredTimescale: 1000).isPositiveInfinity)
    #expect(MediaTime(value: 1001, timescale: 30000).nanoseconds == 33_366_667)
  }

  @Test func ranges_contain_their_start_but_not_their_end() {
    let range = MediaTimeRange(
      start: MediaTime(value: 1, timescale: 1), end: MediaTime(value: 3, timescale: 1))
    #expect(range.contains(MediaTime(value: 1, timescale: 1)))
    #expect(!range.contains(MediaTime(value: 3, timescale: 1)))
    let other = MediaTimeRange(
      start: MediaTime(value: 2, timescale: 1), duration: MediaTime(value: 5, timescale: 1))
    #expect(range.intersection(other).duration == MediaTime(value: 1, timescale: 1))
    let far = MediaTimeRange(
      start: MediaTime(value: 3, timescale: 1), duration: MediaTime(value: 5, timescale: 1))
    #expect(range.intersection(far).isEmpty)
  }
}
