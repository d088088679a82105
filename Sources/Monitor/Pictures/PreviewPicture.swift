public import MediaCore

/// A picture for monitors: 10-bit 4:2:2 at video range, smaller than its source.
///
/// A scope that is made of it shows what 8 bits would hide: codes beyond the legal range, clipping,
/// and chroma.
public struct PreviewPicture: Sendable, Hashable {
  /// Pixels in a row; even.
  public let width: Int
  /// Rows.
  public let height: Int
  /// What the numbers mean; the range is always `ColorDescription.Range.video`.
  public let color: ColorDescription
  /// The shape of a pixel of the preview, width to height.
  public let pixelAspectRatio: PixelAspectRatio
  /// The size of the source.
  public let sourceDimensions: VideoDimensions
  /// Codes of luma, 4 to 1019, row by row.
  public var luma: [UInt16]
  /// Codes of blue difference, 4 to 1019; half as many a row as of luma, on the even pixels.
  public var cb: [UInt16]
  /// Codes of red difference.
  public var cr: [UInt16]

  /// A picture from its samples.
  ///
  /// - Throws: `MediaCoreError.Code.invalidDimensions` for a size that a preview cannot have,
  ///   `MediaCoreError.Code.invalidLayout` where the samples are not as many as the size has.
  public init(
    width: Int, height: Int, color: ColorDescription, pixelAspectRatio: PixelAspectRatio = .square,
    sourceDimensions: VideoDimensions? = nil, luma: [UInt16], cb: [UInt16], cr: [UInt16]
  ) throws(MediaCoreError) {
    try Self.check(width: width, height: height)
    guard luma.count == width * height, cb.count == luma.count / 2, cr.count == cb.count else {
      throw MediaCoreError(
        .invalidLayout,
        "a preview of \(width)x\(height) has \(width * height) samples of luma and half as many "
          + "of each chroma, not \(luma.count), \(cb.count) and \(cr.count)")
    }
    self.init(
      width, height, color, pixelAspectRatio,
      sourceDimensions ?? VideoDimensions(width: width, height: height), luma, cb, cr)
  }

  init(
    _ width: Int, _ height: Int, _ color: ColorDescription, _ aspect: PixelAspectRatio,
    _ source: VideoDimensions, _ luma: [UInt16], _ cb: [UInt16], _ cr: [UInt16]
  ) {
    self.width = width
    self.height = height
    self.color = color.with(range: .video)
    pixelAspectRatio = aspect
    sourceDimensions = source
    self.luma = luma
    self.cb = cb
    self.cr = cr
  }

  static func check(width: Int, height: Int) throws(MediaCoreError) {
    guard width >= 2, width % 2 == 0, width <= 4096, (1...4096).contains(height) else {
      throw MediaCoreError(
        .invalidDimensions,
        "a preview of \(width)x\(height) cannot be; its width is even, and each side at most 4096")
    }
  }
}

/// As bytes: luma, blue difference and red difference one after the other, row by row, each code in
/// 16 bits, the lower byte first.
extension PreviewPicture {
  /// Bytes of a picture of a size.
  public static func byteCount(width: Int, height: Int) -> Int {
    width.multipliedSaturating(by: height).multipliedSaturating(by: 4)
  }

  /// The planes in that order, whose memory has the lower byte of each code first.
  public var sentPlanes: [[UInt16]] {
    // Nothing to do where the processor has it first as well.
    let isSent = UInt16(1).littleEndian == 1
    return [luma, cb, cr].map { isSent ? $0 : $0.map(\.littleEndian) }
  }

  /// The samples as bytes.
  public var bytes: [UInt8] {
    let count = Self.byteCount(width: width, height: height)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      for plane in sentPlanes {
        plane.withUnsafeBytes { bytes in
          _ = buffer[initialized...].initialize(fromContentsOf: bytes)
          initialized += bytes.count
        }
      }
    }
  }

  /// A picture from its bytes.
  ///
  /// - Throws: As ``init(width:height:color:pixelAspectRatio:sourceDimensions:luma:cb:cr:)``.
  public init(
    width: Int, height: Int, color: ColorDescription, pixelAspectRatio: PixelAspectRatio = .square,
    sourceDimensions: VideoDimensions? = nil, bytes: [UInt8]
  ) throws(MediaCoreError) {
    try Self.check(width: width, height: height)
    guard bytes.count == Self.byteCount(width: width, height: height) else {
      throw MediaCoreError(
        .invalidLayout,
        "a preview of \(width)x\(height) has \(Self.byteCount(width: width, height: height)) "
          + "bytes, not \(bytes.count)")
    }
    func codes(_ first: Int, _ count: Int) -> [UInt16] {
      [UInt16](unsafeUninitializedCapacity: count) { codes, initialized in
        bytes.withUnsafeBufferPointer { bytes in
          for index in 0..<count {
            let place = 2 * (first + index)
            // No code has more than ten bits, whatever was sent.
            codes[index] = (UInt16(bytes[place]) | UInt16(bytes[place + 1]) &<< 8) & 0x3FF
          }
        }
        initialized = count
      }
    }
    let count = width * height
    self.init(
      width, height, color, pixelAspectRatio,
      sourceDimensions ?? VideoDimensions(width: width, height: height),
      codes(0, count), codes(count, count / 2), codes(count + count / 2, count / 2))
  }
}
