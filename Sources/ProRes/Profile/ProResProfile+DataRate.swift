extension ProResProfile {
  /// Bytes of a frame at Apple's target data rate, headers included.
  ///
  /// The rate applies to each frame: one that needs less is smaller, and does not pass the rest on. Between the sizes
  /// of Apple's table the rate is interpolated linearly; larger sizes have the largest one's bytes per pixel, smaller
  /// ones the smallest one's bytes per macroblock. Pictures of a few macroblocks get room for their headers
  /// on top.
  public func targetFrameBytes(width: Int, height: Int) -> Int {
    let rates = Self.rates
    let pixels = width * height
    guard let above = rates.firstIndex(where: { $0.pixels >= pixels }) else {
      let last = rates[rates.count - 1]
      return last.bytes(self) * pixels / last.pixels
    }
    guard above > 0 else {
      let macroblocks = ((width + 15) / 16) * ((height + 15) / 16)
      let rate = rates[0].bytes(self) * macroblocks / 1395
      // Room for headers, ever less towards 352x288.
      return rate + (192 + macroblocks * 8) * max(396 - macroblocks, 0) / 396
    }
    let (low, high) = (rates[above - 1], rates[above])
    let part = (high.bytes(self) - low.bytes(self)) * (pixels - low.pixels)
    return low.bytes(self) + part / (high.pixels - low.pixels)
  }

  /// A picture size of Apple's table.
  private struct Rate {
    let pixels: Int
    let bytesByProfile: [Int]

    init(_ width: Int, _ height: Int, _ bytes: Int...) {
      pixels = width * height
      bytesByProfile = bytes
    }

    func bytes(_ profile: ProResProfile) -> Int {
      let column =
        switch profile {
        case .proxy: 0
        case .lt: 1
        case .standard: 2
        case .hq: 3
        case .p4444: 4
        case .xq: 5
        }
      return bytesByProfile[column]
    }
  }

  /// The sizes of a frame that give the data rates of Apple's ProRes white paper, rounded as there,
  /// at each frame rate that it lists. The rates of 4444 and XQ are those without alpha.
  private static let rates = [
    Rate(720, 486, 50832, 120_688, 175_952, 261_984, 391_792, 588_352),
    Rate(720, 576, 60000, 140_000, 204_992, 304_992, 460_000, 690_000),
    Rate(960, 720, 79520, 181_952, 262_112, 393_360, 589_648, 884_512),
    Rate(1280, 720, 94368, 211_200, 305_888, 459_296, 688_128, 1_031_760),
    Rate(1280, 1080, 159_792, 363_728, 525_728, 786_848, 1_179_568, 1_768_752),
    Rate(1440, 1080, 159_792, 363_728, 525_728, 786_848, 1_179_568, 1_768_752),
    Rate(1920, 1080, 189_264, 425_584, 612_000, 918_000, 1_376_992, 2_064_992),
    Rate(2048, 1080, 215_312, 484_304, 699_200, 1_048_336, 1_572_976, 2_359_392),
    Rate(2048, 1556, 291_184, 655_600, 943_600, 1_416_752, 2_123_504, 3_185_968),
    Rate(3840, 2160, 757_248, 1_711_168, 2_457_584, 3_686_880, 5_530_368, 8_294_240),
    Rate(4096, 2160, 808_432, 1_824_240, 2_621_888, 3_931_648, 5_898_048, 8_846_816),
    Rate(5120, 2700, 1_267_936, 2_854_160, 4_096_016, 6_143_376, 9_215_712, 13_824_480),
    Rate(6144, 3240, 1_824_736, 4_106_448, 5_897_552, 8_846_336, 13_269_504, 19_905_296),
    Rate(8192, 4320, 3_244_640, 7_298_960, 10_485_472, 15_728_208, 23_591_792, 35_389_520),
  ]
}
