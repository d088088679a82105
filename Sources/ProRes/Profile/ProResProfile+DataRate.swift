extension ProResProfile {
  /// Bits that Apple's target data rate gives a macroblock of a picture with so many macroblocks.
  ///
  /// Computed from the rates of Apple's ProRes white paper: 720x576 at 25, 1280x720 at 59.94,
  /// 1920x1080 at 29.97, 3840x2160 at 29.97 (Proxy: 4096x2160 at 29.97). The class between
  /// standard definition and 720 is interpolated. Smaller pictures have more bits a macroblock.
  public func targetBitsPerMacroblock(macroblocks: Int) -> Int {
    let (sd, hd960, hd720, hd1080, uhd) = targetBits
    return switch macroblocks {
    case ...1620: sd
    case ...2700: hd960
    case ...6075: hd720
    case ...9216: hd1080
    default: uhd
    }
  }

  /// Bytes of a frame at Apple's target data rate, headers included.
  ///
  /// The rate is per frame: a frame that needs less is smaller, and the rest is not given to
  /// another. Pictures of a few macroblocks get room for their headers on top.
  public func targetFrameBytes(width: Int, height: Int) -> Int {
    let columns = (width + 15) / 16
    let macroblocks = columns * ((height + 15) / 16)
    let rate = targetBitsPerMacroblock(macroblocks: macroblocks) * macroblocks / 8
    return macroblocks < 396 ? rate + 192 + macroblocks * 8 : rate
  }

  private var targetBits: (Int, Int, Int, Int, Int) {
    switch self {
    case .proxy: (288, 232, 208, 184, 187)
    case .lt: (692, 535, 468, 417, 422)
    case .standard: (1008, 770, 681, 601, 606)
    case .hq: (1506, 1158, 1019, 900, 910)
    case .p4444: (2260, 1740, 1529, 1349, 1365)
    case .xq: (3390, 2610, 2294, 2024, 2047)
    }
  }
}
