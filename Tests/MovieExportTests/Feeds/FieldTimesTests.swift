import MediaCore
import Testing

@testable import MovieExport

/// Times of frames that were made from fields.
@Suite struct FieldTimesTests {
  @Test func a_lone_frame_has_its_second_field_half_a_frame_later() {
    var times = FieldTimes(of: .fps25)
    #expect(times.time(.zero) == .zero)
    #expect(times.time(.zero) == MediaTime(value: 1, timescale: 50))
    #expect(times.rate == .fps50)
  }

  @Test func increasing_field_times_are_unchanged() {
    var times = FieldTimes(of: .fps29_97)
    for place in [Int64(0), 1, 2, 5, 8] {
      let time = FrameRate.fps59_94.time(ofFrame: place)
      #expect(times.time(time) == time)
    }
  }

  @Test func a_rate_that_cannot_be_doubled_gives_no_field_rate() throws {
    #expect(try FieldTimes(of: #require(FrameRate(.max))).rate == nil)
  }
}
