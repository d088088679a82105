import CFFmpeg
import MediaCore

/// How pictures of one of libav's layouts become pictures of ours.
struct PictureLayout: Sendable, Hashable {
  /// What has to be done.
  enum Way: Sendable, Hashable {
    /// The layouts are the same: the decoder's memory is the picture.
    case same
    /// Luma is the same; chroma is made.
    case luma
    /// swscale converts.
    case convert
  }

  /// Our layout.
  let format: PixelFormat
  /// What has to be done.
  let way: Way
  /// libav's name of its layout.
  let sourceName: String
  /// Significant bits of a sample of it.
  let sourceDepth: Int
  /// True where it has an alpha plane.
  let hasAlpha: Bool
  /// True where it is red, green and blue.
  let isRGB: Bool
  /// True where libav's layout itself says full range.
  let isFullRange: Bool

  /// libav's number of each layout that is the same as one of ours.
  private static let same: [Int32: PixelFormat] = {
    var map: [Int32: PixelFormat] = [:]
    for format in PixelFormat.allCases {
      guard let name = format.descriptor.libavName else { continue }
      map[av_get_pix_fmt(name).rawValue] = format
    }
    // The old full-range names, and fewer bits at the top of the same words.
    let more: [(String, PixelFormat)] = [
      ("yuvj420p", .yuv420p8), ("yuvj422p", .yuv422p8), ("yuvj444p", .yuv444p8),
      ("p012le", .p016), ("p212le", .p216), ("y216le", .y216),
    ]
    for (name, format) in more { map[av_get_pix_fmt(name).rawValue] = format }
    map[AV_PIX_FMT_NONE.rawValue] = nil
    return map
  }()

  /// The way for a layout of libav's; nil where there is none: hardware surfaces, raw sensor data.
  init?(_ number: Int32) {
    guard let facts = av_pix_fmt_desc_get(AVPixelFormat(rawValue: number)),
      let name = libavText(facts.pointee.name)
    else { return nil }
    let isRGB = cffmpeg_pixel_is_rgb(facts) != 0
    let depth = Int(cffmpeg_pixel_depth(facts))
    let isPalette = cffmpeg_pixel_is_palette(facts) != 0
    let hasAlpha = cffmpeg_pixel_has_alpha(facts) != 0 && !isPalette
    sourceName = name
    sourceDepth = depth
    self.hasAlpha = hasAlpha
    self.isRGB = isRGB
    isFullRange = name.hasPrefix("yuvj") || isRGB || isPalette
    if let format = Self.same[number] {
      (self.format, way) = (format, .same)
    } else if facts.pointee.nb_components == 1, !isRGB, !isPalette,
      let format = Self.gray[name]
    {
      (self.format, way) = (format, .luma)
    } else {
      guard sws_isSupportedInput(AVPixelFormat(rawValue: number)) != 0,
        cffmpeg_pixel_is_hardware_or_bitstream(facts) == 0 || name.hasPrefix("mono"),
        !name.hasPrefix("bayer")
      else { return nil }
      format = Self.nearest(
        depth: depth, horizontal: Int(facts.pointee.log2_chroma_w),
        vertical: Int(facts.pointee.log2_chroma_h), isRGB: isRGB || isPalette || depth == 1,
        hasAlpha: hasAlpha)
      way = .convert
    }
  }

  private static let gray: [String: PixelFormat] = [
    "gray": .yuv422p8, "gray10le": .yuv422p10, "gray12le": .yuv422p12, "gray16le": .yuv422p16,
  ]

  /// The smallest layout that holds every bit.
  private static func nearest(
    depth: Int, horizontal: Int, vertical: Int, isRGB: Bool, hasAlpha: Bool
  ) -> PixelFormat {
    if isRGB {
      // Red, green and blue through a matrix need more bits than they had.
      if hasAlpha { return depth <= 8 ? .yuva444p12 : .yuva444p16 }
      return depth <= 8 ? .bgr24 : depth <= 10 ? .yuv444p12 : .yuv444p16
    }
    let step = depth <= 8 ? 0 : depth <= 10 ? 1 : depth <= 12 ? 2 : 3
    if hasAlpha { return [.yuva444p8, .yuva444p10, .yuva444p12, .yuva444p16][step] }
    switch (horizontal, vertical) {
    case (1..., 1...): return [.yuv420p8, .yuv420p10, .yuv420p12, .p016][step]
    case (1..., 0): return [.yuv422p8, .yuv422p10, .yuv422p12, .yuv422p16][step]
    default: return [.yuv444p8, .yuv444p10, .yuv444p12, .yuv444p16][step]
    }
  }
}
