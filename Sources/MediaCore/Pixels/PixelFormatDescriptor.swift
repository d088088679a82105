extension PixelFormat {
  /// How much chroma a format has.
  public enum Subsampling: String, Sendable, Hashable {
    /// A chroma sample for each two by two pixels.
    case yuv420 = "4:2:0"
    /// A chroma sample for each two pixels of a row.
    case yuv422 = "4:2:2"
    /// Full chroma.
    case yuv444 = "4:4:4"
    /// No chroma: red, green, blue.
    case rgb = "RGB"
    /// One color for each pixel, by the filters of a sensor.
    case mosaic

    /// log2 of the pixels that share a chroma sample in a row.
    public var horizontalShift: Int { self == .yuv420 || self == .yuv422 ? 1 : 0 }
    /// log2 of the rows that share a chroma sample.
    public var verticalShift: Int { self == .yuv420 ? 1 : 0 }
  }

  /// How samples sit in planes.
  public enum Packing: Sendable, Hashable {
    /// A plane for each component: Y, Cb, Cr, then alpha where there is one.
    case planar
    /// A luma plane, and a plane of Cb and Cr in turn.
    case biplanar
    /// A luma plane and a plane of Cb and Cr in turn, four 10-bit samples in five bytes, the first
    /// in the lowest bits.
    case biplanarPacked10
    /// One plane of Y Cb Y Cr.
    case packedYCbYCr
    /// One plane of Cb Y Cr Y.
    case packedCbYCrY
    /// One plane of v210 words.
    case v210
    /// One plane of B G R.
    case packedBGR
    /// One plane of B G R and a byte of no meaning.
    case packedBGRX
    /// One plane of a byte of no meaning and R G B.
    case packedXRGB
    /// One plane of a sensor's samples, a byte or a word each.
    case mosaic
    /// One plane of a sensor's samples, packed as MIPI CSI-2 has them: the upper eight bits of a
    /// group's samples, a byte each, then their lower bits, the first sample's lowest.
    case mosaicPacked
  }

  /// The facts of a format. ``PixelFormat/descriptor`` is the one table of them.
  public struct Descriptor: Sendable, Hashable {
    /// The usual name.
    public let name: String
    /// V4L2's codes for the layout, the usual one first; empty where V4L2 has none.
    public let v4l2Codes: [FourCharCode]
    /// libav's name of the layout (`av_get_pix_fmt`); nil where it has none.
    public let libavName: String?
    /// Apple's code for video range.
    public let appleVideoRange: FourCharCode?
    /// Apple's code for full range.
    public let appleFullRange: FourCharCode?
    /// Chroma.
    public let subsampling: Subsampling
    /// Significant bits of a sample.
    public let bitDepth: Int
    /// Bits from the bottom of a stored word to the lowest significant bit: 6 where 10 bits lie
    /// at the top of 16.
    public let shift: Int
    /// How samples sit in planes.
    public let packing: Packing
    /// True where there is an alpha plane.
    public let hasAlpha: Bool
    /// Bytes that a row's length is a multiple of, as the format or its writers demand.
    public let rowAlignment: Int
    /// The order of the color filters, where the format is a sensor's mosaic.
    public var bayerPattern: BayerPattern?
  }

  /// Bytes of a stored sample where samples are whole bytes or words; 0 for bit-packed formats.
  public var bytesPerSample: Int {
    switch descriptor.packing {
    case .v210, .biplanarPacked10, .mosaicPacked: 0
    default: descriptor.bitDepth > 8 ? 2 : 1
    }
  }

  /// Planes in memory.
  public var planeCount: Int {
    switch descriptor.packing {
    case .planar: descriptor.hasAlpha ? 4 : 3
    case .biplanar, .biplanarPacked10: 2
    case .packedYCbYCr, .packedCbYCrY, .v210, .packedBGR, .packedBGRX, .packedXRGB, .mosaic,
      .mosaicPacked:
      1
    }
  }

  /// The least bytes a row of a plane takes, with the format's own padding.
  ///
  /// An odd width is rounded up to whole chroma samples.
  public func minimumBytesPerRow(plane: Int, width: Int) -> Int {
    let table = descriptor
    let width = Self.sensible(width)
    let chromaWidth =
      (width + (1 << table.subsampling.horizontalShift) - 1)
      >> table.subsampling.horizontalShift
    let bytes: Int
    switch table.packing {
    case .planar:
      bytes = (plane == 0 || plane == 3 ? width : chromaWidth) * bytesPerSample
    case .biplanar:
      bytes = (plane == 0 ? width : chromaWidth * 2) * bytesPerSample
    case .biplanarPacked10:
      bytes = ((plane == 0 ? width : chromaWidth * 2) + 3) / 4 * 5
    case .packedYCbYCr, .packedCbYCrY:
      bytes = chromaWidth * 4 * bytesPerSample
    case .v210:
      bytes = (width + 5) / 6 * 16
    case .packedBGR:
      bytes = width * 3
    case .packedBGRX, .packedXRGB:
      bytes = width * 4
    case .mosaic:
      bytes = width * bytesPerSample
    case .mosaicPacked:
      // Two samples of 12 bits make whole bytes, four of 10 or 14.
      let group = table.bitDepth == 12 ? 2 : 4
      bytes = (width + group - 1) / group * (group * table.bitDepth / 8)
    }
    return (bytes + table.rowAlignment - 1) / table.rowAlignment * table.rowAlignment
  }

  /// Bytes of a row that carry samples: v210 without the padding that its writers add.
  package func sampleBytesPerRow(plane: Int, width: Int) -> Int {
    self == .v210 ? (width + 5) / 6 * 16 : minimumBytesPerRow(plane: plane, width: width)
  }

  /// True for a sensor's mosaic.
  public var isBayer: Bool { descriptor.bayerPattern != nil }

  /// Rows of a plane; an odd height is rounded up to whole chroma samples.
  public func rows(plane: Int, height: Int) -> Int {
    let isChroma =
      switch descriptor.packing {
      case .planar: plane == 1 || plane == 2
      case .biplanar, .biplanarPacked10: plane == 1
      default: false
      }
    let shift = isChroma ? descriptor.subsampling.verticalShift : 0
    return (Self.sensible(height) + (1 << shift) - 1) >> shift
  }

  /// A side as far as rows and bytes can be counted: sizes come from devices and files.
  private static func sensible(_ side: Int) -> Int { min(max(side, 0), 1 << 40) }

  /// Bytes of a whole frame without padding beyond the format's own.
  public func byteCount(width: Int, height: Int) -> Int {
    (0..<planeCount).reduce(0) { total, plane in
      total.addingSaturating(
        minimumBytesPerRow(plane: plane, width: width)
          .multipliedSaturating(by: rows(plane: plane, height: height)))
    }
  }

  /// The format that a V4L2 code names, or nil.
  public init?(v4l2 code: FourCharCode) {
    guard let match = Self.allCases.first(where: { $0.descriptor.v4l2Codes.contains(code) })
    else { return nil }
    self = match
  }

  /// The format and range that one of Apple's codes names, or nil.
  public static func named(
    apple code: FourCharCode
  ) -> (format: PixelFormat, range: ColorDescription.Range)? {
    for format in allCases {
      if format.descriptor.appleVideoRange == code { return (format, .video) }
      if format.descriptor.appleFullRange == code { return (format, .full) }
    }
    return nil
  }

  /// Apple's code for the layout at a range, or nil where Apple names none.
  public func appleName(range: ColorDescription.Range) -> FourCharCode? {
    range == .video ? descriptor.appleVideoRange : descriptor.appleFullRange
  }

  /// Apple's code for the class of source that the format belongs to at a range: every 10-bit
  /// 4:2:2 layout answers `x422`, every 8-bit 4:2:0 one `420v` or `420f`.
  ///
  /// TN3104's test, whether a format is `x422`, is about this class; on Linux the same samples
  /// come in many layouts.
  public func appleClass(range: ColorDescription.Range) -> FourCharCode? {
    let table = descriptor
    switch (table.subsampling, table.bitDepth) {
    case (.yuv420, 8): return range == .video ? "420v" : "420f"
    case (.yuv420, 10): return range == .video ? "x420" : "xf20"
    case (.yuv422, 8): return range == .video ? "422v" : "422f"
    case (.yuv422, 10): return range == .video ? "x422" : "xf22"
    case (.yuv422, 11...): return range == .video ? "sv22" : nil
    case (.yuv444, 8): return range == .video ? "444v" : "444f"
    case (.yuv444, 10): return range == .video ? "x444" : "xf44"
    case (.yuv444, 11...): return range == .video ? "sv44" : nil
    case (.rgb, 8): return table.appleFullRange
    case (.mosaic, _): return table.v4l2Codes.first
    default: return nil
    }
  }
}
