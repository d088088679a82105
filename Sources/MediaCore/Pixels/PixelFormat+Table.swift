extension PixelFormat {
  /// The facts of the format: the one place that knows them.
  ///
  /// V4L2 codes follow videodev2.h and the kernel's pixel-format reference; Apple's follow Core
  /// Video's constants; Apple's `x422` and `x420` hold 10 bits at the top of 16.
  public var descriptor: Descriptor { Self.table[self] ?? Self.packed("?", [], nil, 8) }

  private static let table: [PixelFormat: Descriptor] = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0, $0.makeDescriptor()) })

  private func makeDescriptor() -> Descriptor {
    switch self {
    case .v210:
      Descriptor(
        name: "v210", v4l2Codes: ["v210"], libavName: nil, appleVideoRange: "v210",
        appleFullRange: nil, subsampling: .yuv422, bitDepth: 10, shift: 0, packing: .v210,
        hasAlpha: false, rowAlignment: 128)
    case .y210: Self.packed("Y210", ["Y210"], "y210le", 10, shift: 6)
    case .y212: Self.packed("Y212", ["Y212"], "y212le", 12, shift: 4)
    case .y216: Self.packed("Y216", ["Y216"], nil, 16)
    case .p210: Self.biplanar("P210", ["P210"], "p210le", .yuv422, 10, shift: 6, "x422", "xf22")
    case .p216: Self.biplanar("P216", ["P216"], "p216le", .yuv422, 16, "sv22", nil)
    case .nv20:
      Descriptor(
        name: "NV20", v4l2Codes: ["NV20"], libavName: nil, appleVideoRange: nil,
        appleFullRange: nil, subsampling: .yuv422, bitDepth: 10, shift: 0,
        packing: .biplanarPacked10, hasAlpha: false, rowAlignment: 1)
    case .p010: Self.biplanar("P010", ["P010"], "p010le", .yuv420, 10, shift: 6, "x420", "xf20")
    case .p016: Self.biplanar("P016", ["P016"], "p016le", .yuv420, 16, nil, nil)
    case .uyvy: Self.packed("UYVY", ["UYVY"], "uyvy422", 8, packing: .packedCbYCrY, "2vuy", "2vuf")
    case .yuyv: Self.packed("YUYV", ["YUYV"], "yuyv422", 8, "yuvs", "yuvf")
    case .nv16: Self.biplanar("NV16", ["NV16", "NM16"], "nv16", .yuv422, 8, "422v", "422f")
    case .nv12: Self.biplanar("NV12", ["NV12", "NM12"], "nv12", .yuv420, 8, "420v", "420f")
    case .bgr24:
      Descriptor(
        name: "BGR24", v4l2Codes: ["BGR3"], libavName: "bgr24", appleVideoRange: nil,
        appleFullRange: "24BG", subsampling: .rgb, bitDepth: 8, shift: 0, packing: .packedBGR,
        hasAlpha: false, rowAlignment: 1)
    case .bgrx32: Self.packedRGB("BGRX32", "bgr0", "BGRA", .packedBGRX)
    case .xrgb32:
      // Apple's code of this one is a number.
      Self.packedRGB("XRGB32", "0rgb", FourCharCode(rawValue: 32), .packedXRGB)
    case .yuv422p8: Self.planar("yuv422p", ["422P", "YM16"], .yuv422, 8)
    case .yuv422p10: Self.planar("yuv422p10", [], .yuv422, 10)
    case .yuv422p12: Self.planar("yuv422p12", [], .yuv422, 12)
    case .yuv422p16: Self.planar("yuv422p16", [], .yuv422, 16)
    case .yuv420p8: Self.planar("yuv420p", ["YU12", "YM12"], .yuv420, 8, "y420", "f420")
    case .yuv420p10: Self.planar("yuv420p10", [], .yuv420, 10)
    case .yuv420p12: Self.planar("yuv420p12", [], .yuv420, 12)
    case .yuv444p8: Self.planar("yuv444p", ["YM24"], .yuv444, 8)
    case .yuv444p10: Self.planar("yuv444p10", [], .yuv444, 10)
    case .yuv444p12: Self.planar("yuv444p12", [], .yuv444, 12)
    case .yuv444p16: Self.planar("yuv444p16", [], .yuv444, 16)
    case .yuva444p8: Self.planar("yuva444p", [], .yuv444, 8, hasAlpha: true)
    case .yuva444p10: Self.planar("yuva444p10", [], .yuv444, 10, hasAlpha: true)
    case .yuva444p12: Self.planar("yuva444p12", [], .yuv444, 12, hasAlpha: true)
    case .yuva444p16: Self.planar("yuva444p16", [], .yuv444, 16, hasAlpha: true)
    case .rggb8: Self.bayer("RGGB", .rggb, 8)
    case .grbg8: Self.bayer("GRBG", .grbg, 8)
    case .gbrg8: Self.bayer("GBRG", .gbrg, 8)
    case .bggr8: Self.bayer("BA81", .bggr, 8)
    case .rggb10: Self.bayer("RG10", .rggb, 10)
    case .grbg10: Self.bayer("BA10", .grbg, 10)
    case .gbrg10: Self.bayer("GB10", .gbrg, 10)
    case .bggr10: Self.bayer("BG10", .bggr, 10)
    case .rggb10p: Self.bayer("pRAA", .rggb, 10, isPacked: true)
    case .grbg10p: Self.bayer("pgAA", .grbg, 10, isPacked: true)
    case .gbrg10p: Self.bayer("pGAA", .gbrg, 10, isPacked: true)
    case .bggr10p: Self.bayer("pBAA", .bggr, 10, isPacked: true)
    case .rggb12: Self.bayer("RG12", .rggb, 12)
    case .grbg12: Self.bayer("BA12", .grbg, 12)
    case .gbrg12: Self.bayer("GB12", .gbrg, 12)
    case .bggr12: Self.bayer("BG12", .bggr, 12)
    case .rggb12p: Self.bayer("pRCC", .rggb, 12, isPacked: true)
    case .grbg12p: Self.bayer("pgCC", .grbg, 12, isPacked: true)
    case .gbrg12p: Self.bayer("pGCC", .gbrg, 12, isPacked: true)
    case .bggr12p: Self.bayer("pBCC", .bggr, 12, isPacked: true)
    case .rggb14: Self.bayer("RG14", .rggb, 14, apple: "rgg4")
    case .grbg14: Self.bayer("GR14", .grbg, 14, apple: "grb4")
    case .gbrg14: Self.bayer("GB14", .gbrg, 14, apple: "gbr4")
    case .bggr14: Self.bayer("BG14", .bggr, 14, apple: "bgg4")
    case .rggb14p: Self.bayer("pREE", .rggb, 14, isPacked: true)
    case .grbg14p: Self.bayer("pgEE", .grbg, 14, isPacked: true)
    case .gbrg14p: Self.bayer("pGEE", .gbrg, 14, isPacked: true)
    case .bggr14p: Self.bayer("pBEE", .bggr, 14, isPacked: true)
    case .rggb16: Self.bayer("RG16", .rggb, 16)
    case .grbg16: Self.bayer("GR16", .grbg, 16)
    case .gbrg16: Self.bayer("GB16", .gbrg, 16)
    case .bggr16: Self.bayer("BYR2", .bggr, 16)
    }
  }

  private static func bayer(
    _ code: FourCharCode, _ pattern: BayerPattern, _ depth: Int, isPacked: Bool = false,
    apple: FourCharCode? = nil
  ) -> Descriptor {
    Descriptor(
      name: "\(pattern.rawValue.uppercased()) \(depth)-bit" + (isPacked ? " packed" : ""),
      v4l2Codes: [code], libavName: nil, appleVideoRange: nil, appleFullRange: apple,
      subsampling: .mosaic, bitDepth: depth, shift: 0,
      packing: isPacked ? .mosaicPacked : .mosaic, hasAlpha: false, rowAlignment: 1,
      bayerPattern: pattern)
  }

  private static func packedRGB(
    _ name: String, _ libav: String, _ apple: FourCharCode, _ packing: Packing
  ) -> Descriptor {
    Descriptor(
      name: name, v4l2Codes: [], libavName: libav, appleVideoRange: nil, appleFullRange: apple,
      subsampling: .rgb, bitDepth: 8, shift: 0, packing: packing, hasAlpha: false, rowAlignment: 1)
  }

  private static func planar(
    _ name: String, _ codes: [FourCharCode], _ subsampling: Subsampling, _ depth: Int,
    _ appleVideo: FourCharCode? = nil, _ appleFull: FourCharCode? = nil, hasAlpha: Bool = false
  ) -> Descriptor {
    Descriptor(
      name: name, v4l2Codes: codes, libavName: depth > 8 ? name + "le" : name,
      appleVideoRange: appleVideo, appleFullRange: appleFull, subsampling: subsampling,
      bitDepth: depth, shift: 0, packing: .planar, hasAlpha: hasAlpha, rowAlignment: 1)
  }

  private static func biplanar(
    _ name: String, _ codes: [FourCharCode], _ libav: String?, _ subsampling: Subsampling,
    _ depth: Int, shift: Int = 0, _ appleVideo: FourCharCode?, _ appleFull: FourCharCode?
  ) -> Descriptor {
    Descriptor(
      name: name, v4l2Codes: codes, libavName: libav, appleVideoRange: appleVideo,
      appleFullRange: appleFull, subsampling: subsampling, bitDepth: depth, shift: shift,
      packing: .biplanar, hasAlpha: false, rowAlignment: 1)
  }

  private static func packed(
    _ name: String, _ codes: [FourCharCode], _ libav: String?, _ depth: Int, shift: Int = 0,
    packing: Packing = .packedYCbYCr, _ appleVideo: FourCharCode? = nil,
    _ appleFull: FourCharCode? = nil
  ) -> Descriptor {
    Descriptor(
      name: name, v4l2Codes: codes, libavName: libav, appleVideoRange: appleVideo,
      appleFullRange: appleFull, subsampling: .yuv422, bitDepth: depth, shift: shift,
      packing: packing, hasAlpha: false, rowAlignment: 1)
  }
}
