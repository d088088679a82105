import MediaCore
import MovieExport
import TestSupport
import Testing

/// Positions in clips that play faster or slower.
@Suite struct MovieTimelineTests {
  private let billion: Int32 = 1_000_000_000

  private func nanoseconds(_ value: Int64) -> MediaTime {
    MediaTime(value: value, timescale: billion)
  }

  @Test func hours_in_nanoseconds_are_scaled_exactly() {
    let hour = nanoseconds(3_600_000_000_000)
    let longer = nanoseconds(5_400_000_000_001)
    #expect(hour.scaled(by: longer, over: hour) == longer)
    #expect(longer.scaled(by: hour, over: longer) == hour)
    let third = hour.scaled(by: nanoseconds(1), over: nanoseconds(3))
    #expect(third == MediaTime(value: 1200, timescale: 1) && !third.hasBeenRounded)
    let back = (MediaTime.zero - hour).scaled(by: longer, over: hour)
    #expect(back == .zero - longer)
  }

  @Test func inexact_times_are_rounded_to_a_nanosecond_or_coarser() {
    let odd = MediaTime(value: 1, timescale: 2_147_483_629)
    let rounded = MediaTime(value: 1, timescale: 1).scaled(
      by: odd, over: MediaTime(value: 3, timescale: 2))
    #expect(rounded.value == 0 && rounded.timescale == billion && rounded.hasBeenRounded)
    let half = nanoseconds(1).scaled(by: nanoseconds(3), over: nanoseconds(2))
    #expect(half == MediaTime(value: 3, timescale: 2_000_000_000) && !half.hasBeenRounded)
    let long = MediaTime(value: .max / 4, timescale: 1_000_003).scaled(
      by: nanoseconds(10_000_019), over: nanoseconds(10_000_079))
    #expect(long.isNumeric && long.hasBeenRounded && long.timescale < billion)
    #expect((long.seconds / 2_305_822_256_798.0 - 1).magnitude < 1e-9)
  }

  @Test func scaling_extreme_times_does_not_trap() {
    var random = SeededGenerator(seed: 11)
    let values: [Int64] = [.min, .min + 1, -1, 0, 1, 3, .max - 1, .max]
    let scales: [Int32] = [1, 3, 30_000, 1_000_000_000, 2_147_483_629, .max]
    func any() -> MediaTime {
      MediaTime(
        value: values.randomElement(using: &random) ?? 0,
        timescale: scales.randomElement(using: &random) ?? 1)
    }
    for _ in 0..<5000 {
      let (span, top, bottom) = (any(), any(), any())
      let result = span.scaled(by: top, over: bottom)
      guard bottom > .zero else {
        #expect(!result.isValid)
        continue
      }
      let expected = span.seconds * top.seconds / bottom.seconds
      if result.isNumeric {
        #expect((result.seconds - expected).magnitude <= 1e-9 + expected.magnitude * 1e-9)
      } else {
        #expect(expected.magnitude > 9e18 && result.isPositiveInfinity == (expected > 0))
      }
    }
    for time in [MediaTime.positiveInfinity, .indefinite, .invalid] {
      #expect(!time.scaled(by: .zero, over: any()).isValid)
      #expect(!MediaTime.zero.scaled(by: time, over: nanoseconds(1)).isValid)
      #expect(!MediaTime.zero.scaled(by: .zero, over: time).isValid)
    }
  }
}
