import MediaCore
import Testing

@testable import Takes
@testable import VideoRecorder

@Suite struct RecordingDurationTests {
  @Test(
    arguments: [
      ("10", RecordingDuration.seconds(10)), ("10s", .seconds(10)), ("1.5s", .seconds(1.5)),
      ("1m30s", .seconds(90)), ("2h", .seconds(7200)), ("1h1m1s", .seconds(3661)),
      ("300f", .frames(300)), ("1m30", nil), ("", nil), ("0", nil), ("0f", nil), ("-5f", nil),
      ("-5", nil),
      ("+5f", nil), ("f", nil), ("s", nil), ("1s1m", nil), ("1m1m", nil), ("1.5f", nil),
      ("10x", nil), ("1..2s", nil),
      ("nan", nil), ("1e3", nil), ("999999999h", nil),
      ("8784h", .seconds(8784 * 3600)), ("8784h1s", nil),
    ] as [(String, RecordingDuration?)])
  func durations_are_parsed_as_documented(text: String, wanted: RecordingDuration?) {
    #expect(RecordingDuration(text) == wanted)
  }

  @Test func a_partial_frame_counts_as_a_whole_one() {
    #expect(RecordingDuration.seconds(10).frameCount(at: .fps29_97) == 300)
    #expect(RecordingDuration.seconds(10).frameCount(at: .fps25) == 250)
    #expect(RecordingDuration.seconds(0.001).frameCount(at: .fps25) == 1)
    #expect(
      RecordingDuration.frames(150).time(at: .fps29_97)
        == MediaTime(value: 150 * 1001, timescale: 30000))
  }

  @Test(
    arguments: [
      ("1", 1), ("64GB", 64_000_000_000), ("500 MB", 500_000_000), ("1.5kB", 1500), ("0", nil),
      ("GB", nil), ("-1", nil), ("1EB", nil), ("99999999999TB", nil), ("1gb", nil),
    ] as [(String, Int64?)])
  func byte_counts_are_parsed_with_decimal_units(text: String, wanted: Int64?) {
    #expect(ByteCount.parse(text) == wanted)
  }
}
