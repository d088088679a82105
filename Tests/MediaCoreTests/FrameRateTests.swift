import MediaCore
import Testing

@Suite struct FrameRateTests {
  @Test(arguments: [
    ("23.976", FrameRate.fps23_976), ("23.98", .fps23_976), ("24000/1001", .fps23_976),
    ("24", .fps24), ("24/1", .fps24), ("25", .fps25), ("25.0", .fps25), ("50/2", .fps25),
    ("29.97", .fps29_97), ("30000/1001", .fps29_97), ("30", .fps30), ("47.952", .fps47_952),
    ("47.95", .fps47_952), ("48", .fps48), ("50", .fps50), ("59.94", .fps59_94), ("60", .fps60),
    ("59.940", .fps59_94),
  ])
  func usual_spellings_mean_the_exact_rate(text: String, rate: FrameRate) {
    #expect(FrameRate(text) == rate)
  }

  @Test(arguments: [
    "", "abc", "25fps", "-25", "0", "25/0", "0/1", "-1/-1", "1e3", "nan", "inf", "25/1/1", "1000.5",
    "+25", "99999999999",
    "25 ", " 25", "٢٥", "2,5", "99999999999/1", ".", "..",
  ])
  func other_strings_are_not_rates(text: String) {
    #expect(FrameRate(text) == nil)
  }

  @Test func every_rate_is_read_from_its_description() {
    for rate in FrameRate.standard { #expect(FrameRate(rate.description) == rate) }
    for numerator: Int32 in 1...130 {
      for denominator: Int32 in [1, 2, 3, 1001] {
        guard let rate = FrameRate(numerator * 1000, denominator * 100) else {
          Issue.record("\(numerator)/\(denominator) was rejected")
          continue
        }
        #expect(FrameRate(rate.description) == rate)
      }
    }
  }

  @Test func media_timescales_express_a_frame_in_whole_units() {
    #expect(FrameRate.fps23_976.mediaTimescale == 24000)
    #expect(FrameRate.fps29_97.mediaTimescale == 30000)
    #expect(FrameRate.fps59_94.mediaTimescale == 60000)
    #expect(FrameRate.fps25.mediaTimescale == 25000)
    for rate in FrameRate.standard {
      let frame = rate.time(ofFrame: 1)
      #expect(frame == rate.frameDuration)
      #expect(frame.timescale == rate.mediaTimescale)
    }
  }

  @Test func rates_sort_by_speed_and_are_reduced() {
    #expect(FrameRate.standard == FrameRate.standard.sorted())
    #expect(FrameRate(50, 2) == .fps25)
    #expect(FrameRate.fps23_976.nominalFramesPerSecond == 24)
    #expect(FrameRate.fps59_94.nominalFramesPerSecond == 60)
    #expect(FrameRate.fps25.nominalFramesPerSecond == 25)
    #expect(FrameRate.fps29_97.isNTSC && !FrameRate.fps30.isNTSC)
  }
}
