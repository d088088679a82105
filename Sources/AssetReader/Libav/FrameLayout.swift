import CFFmpeg
import MediaCore

/// How frames of a libav pixel format become frames of this package's formats.
struct FrameLayout: Sendable, Hashable {
  /// How the conversion is done.
  enum Way: Sendable, Hashable {
    /// The formats are the same: the decoder's memory is used directly.
    case same
    /// Each component is read with libav's descriptor; see ``FrameConverter``.
    case components
  }

  /// The format of the result.
  let format: PixelFormat
  let way: Way
  /// libav's name of the source format.
  let sourceName: String
  /// Significant bits of a source sample.
  let sourceDepth: Int
  /// True if the source has alpha.
  let hasAlpha: Bool
  /// True if the source is RGB, or a palette of RGB.
  let isRGB: Bool
  /// True if full-range codes are converted to video range: no format of ours has the source's
  /// depth, and at another depth chroma below the lowest code would be clipped.
  let becomesVideoRange: Bool
  private let rangeRule: RangeRule
  /// True if chroma keeps the source's siting.
  private let keepsChromaPlaces: Bool

  private enum RangeRule { case always, unlessStated, stated }

  /// The libav formats that are the same as one of ours.
  private static let same: [Int32: PixelFormat] = {
    var map: [Int32: PixelFormat] = [:]
    for format in PixelFormat.allCases {
      guard let name = format.descriptor.libavName else { continue }
      map[av_get_pix_fmt(name).rawValue] = format
    }
    // Old full-range names, and formats that use fewer bits at the top of the same words.
    let more: [(String, PixelFormat)] = [
      ("yuvj420p", .yuv420p8), ("yuvj422p", .yuv422p8), ("yuvj444p", .yuv444p8),
      ("y216le", .y216),
    ]
    for (name, format) in more { map[av_get_pix_fmt(name).rawValue] = format }
    map[AV_PIX_FMT_NONE.rawValue] = nil
    return map
  }()

  /// Twelve bits at the top of 16-bit words: the same memory, but only at video range, where
  /// scaling is a shift.
  private static let sameAtVideoRange: [Int32: PixelFormat] = {
    var map: [Int32: PixelFormat] = [:]
    for (name, format) in [("p012le", PixelFormat.p016), ("p212le", .p216)] {
      map[av_get_pix_fmt(name).rawValue] = format
    }
    map[AV_PIX_FMT_NONE.rawValue] = nil
    return map
  }()

  /// Planar formats whose first three planes are one of our formats and whose fourth is alpha.
  private static let sameWithoutAlpha: [Int32: PixelFormat] = {
    var map: [Int32: PixelFormat] = [:]
    let pairs: [(String, PixelFormat)] = [
      ("yuva420p", .yuv420p8), ("yuva420p10le", .yuv420p10), ("yuva422p", .yuv422p8),
      ("yuva422p10le", .yuv422p10), ("yuva422p12le", .yuv422p12), ("yuva422p16le", .yuv422p16),
    ]
    for (name, format) in pairs { map[av_get_pix_fmt(name).rawValue] = format }
    map[AV_PIX_FMT_NONE.rawValue] = nil
    return map
  }()

  /// Finds the conversion for a libav pixel format; nil if there is none, with the reason in
  /// ``refusal(_:)``.
  ///
  /// - Parameters:
  ///   - keepsAlpha: False if alpha is not needed, so that chroma need not be upsampled to 4:4:4.
  ///   - range: The declared range, for formats whose conversion depends on it.
  init?(_ number: Int32, keepsAlpha: Bool = true, range: AVColorRange = AVCOL_RANGE_UNSPECIFIED) {
    guard let facts = av_pix_fmt_desc_get(AVPixelFormat(rawValue: number)),
      let name = libavText(facts.pointee.name), Self.refusal(number) == nil
    else { return nil }
    let isPalette = cffmpeg_pixel_is_palette(facts) != 0
    let isGray = facts.pointee.nb_components <= 2 && !isPalette
    hasAlpha = cffmpeg_pixel_has_alpha(facts) != 0 && !isPalette
    isRGB = (cffmpeg_pixel_is_rgb(facts) != 0 && !isGray) || isPalette
    sourceName = name
    sourceDepth = Int(cffmpeg_pixel_depth(facts))
    let rule: RangeRule =
      name.hasPrefix("yuvj") || cffmpeg_pixel_is_float(facts) != 0 || name.hasPrefix("mono")
      ? .always : isRGB || isGray ? .unlessStated : .stated
    rangeRule = rule
    let isFull = Self.isFull(rule, range)
    let usesAlpha = hasAlpha && keepsAlpha
    if let format = Self.same[number] ?? (isFull ? nil : Self.sameAtVideoRange[number])
      ?? (keepsAlpha ? nil : Self.sameWithoutAlpha[number])
    {
      (self.format, way) = (format, .same)
      becomesVideoRange = false
      keepsChromaPlaces = true
      return
    }
    way = .components
    let isResampled = Self.isResampled(facts.pointee, isGray: isGray, usesAlpha: usesAlpha)
    keepsChromaPlaces = !isGray && !isRGB && !isResampled
    if isRGB {
      let isBytes =
        isPalette || (0..<3).allSatisfy { cffmpeg_pixel_component(facts, $0).depth == 8 }
      format = usesAlpha ? .yuva444p16 : isBytes ? .bgr24 : .yuv444p16
      becomesVideoRange = format != .bgr24
    } else {
      format = Self.nearest(
        facts.pointee, depth: sourceDepth, isFull: isFull, isGray: isGray, usesAlpha: usesAlpha)
      becomesVideoRange =
        isFull && (format.descriptor.bitDepth != sourceDepth || isResampled)
    }
  }

  /// The range of the codes, given the declared one.
  ///
  /// RGB and gray are full range if nothing is declared, as in libswscale.
  func range(said: AVColorRange) -> ColorDescription.Range {
    Self.isFull(rangeRule, said) ? .full : .video
  }

  /// The chroma siting of the result, given the source's.
  func chromaSiting(said: ChromaSiting) -> ChromaSiting {
    switch format.descriptor.subsampling {
    case _ where !keepsChromaPlaces: .left
    case .yuv420: said
    // Every row has its own chroma.
    case .yuv422: said.isBetweenColumns ? .center : .left
    case .yuv444, .rgb, .mosaic: .left
    }
  }

  private static func isFull(_ rule: RangeRule, _ said: AVColorRange) -> Bool {
    switch rule {
    case .always: true
    case .unlessStated: said != AVCOL_RANGE_MPEG
    case .stated: said == AVCOL_RANGE_JPEG
    }
  }

  /// Why a pixel format is rejected, with its name and what to do; nil if it is supported.
  static func refusal(_ number: Int32) -> String? {
    guard let facts = av_pix_fmt_desc_get(AVPixelFormat(rawValue: number)),
      let name = libavText(facts.pointee.name)
    else { return "its frames have a pixel format unknown to libavutil" }
    if cffmpeg_pixel_is_hardware(facts) != 0 {
      return "\(name) is graphics memory; decode without hardware acceleration"
    }
    if cffmpeg_pixel_is_bayer(facts) != 0 {
      return "\(name) is a sensor's mosaic, which cannot be recorded to a movie; develop it first"
    }
    if name.hasPrefix("xyz") {
      return "\(name) is CIE XYZ, which ProRes cannot carry; convert it to RGB first, for example "
        + "with ffmpeg -pix_fmt gbrp12le"
    }
    guard (1...4).contains(facts.pointee.nb_components), cffmpeg_pixel_depth(facts) > 0 else {
      return "\(name) is not supported; convert it first, for example with ffmpeg -pix_fmt "
        + "yuv444p16le"
    }
    return nil
  }

  /// True if chroma is upsampled because no format of ours has the source's subsampling.
  private static func isResampled(
    _ facts: AVPixFmtDescriptor, isGray: Bool, usesAlpha: Bool
  ) -> Bool {
    let (horizontal, vertical) = (facts.log2_chroma_w, facts.log2_chroma_h)
    return !isGray
      && (horizontal > 1 || vertical > 1 || (horizontal == 0 && vertical == 1)
        || (usesAlpha && horizontal > 0))
  }

  /// The smallest format that holds every bit.
  private static func nearest(
    _ facts: AVPixFmtDescriptor, depth: Int, isFull: Bool, isGray: Bool, usesAlpha: Bool
  ) -> PixelFormat {
    let (horizontal, vertical) = (facts.log2_chroma_w, facts.log2_chroma_h)
    let isResampled = isResampled(facts, isGray: isGray, usesAlpha: usesAlpha)
    let hasExactDepth = [8, 10, 12, 16].contains(depth)
    // Scaling full-range codes to another depth gives fractions, for which 16 bits are precise
    // enough.
    let step =
      isResampled || ((isFull || usesAlpha) && !hasExactDepth) || depth > 12
      ? 3 : depth <= 8 ? 0 : depth <= 10 ? 1 : 2
    if usesAlpha { return [.yuva444p8, .yuva444p10, .yuva444p12, .yuva444p16][step] }
    if isGray { return [.yuv422p8, .yuv422p10, .yuv422p12, .yuv422p16][step] }
    switch (horizontal, vertical) {
    case (0, _): return [.yuv444p8, .yuv444p10, .yuv444p12, .yuv444p16][step]
    case (1, 1): return [.yuv420p8, .yuv420p10, .yuv420p12, .p016][step]
    default: return [.yuv422p8, .yuv422p10, .yuv422p12, .yuv422p16][step]
    }
  }
}
