public import MediaCore

/// A frame for monitoring: 10-bit 4:2:2 at video range, smaller than its source.
///
/// Scopes made from it show what 8 bits would hide: codes beyond the legal range, clipping, and
/// chroma.
public struct PreviewFrame: Sendable, Hashable {
  /// Width in pixels; even.
  public let width: Int
  /// Height in pixels.
  public let height: Int
  /// The colorimetry of the codes; the range is always `ColorDescription.Range.video`.
  public let color: ColorDescription
  /// The pixel aspect ratio of the preview, width to height.
  public let pixelAspectRatio: PixelAspectRatio
  /// The size of the source.
  public let sourceDimensions: VideoDimensions
  /// Luma codes, 4 to 1019, row by row.
  public var luma: [UInt16]
  /// Codes of blue difference, 4 to 1019; half as many per row as luma, cosited with even pixels.
  public var cb: [UInt16]
  /// Codes of red difference.
  public var cr: [UInt16]

  /// A frame from its samples.
  ///
  /// - Throws: `MediaCoreError.Code.invalidDimensions` for an impossible preview size,
  ///   `MediaCoreError.Code.invalidLayout` if the number of samples does not match the size.
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
        "no preview can be \(width)x\(height); use an even width, and at most 4096 a side")
    }
  }
}

/// Conversion to and from bytes: luma, blue difference and red difference in sequence, row by row,
/// each code in 16 bits, little-endian.
extension PreviewFrame {
  /// The number of bytes for a frame size.
  public static func byteCount(width: Int, height: Int) -> Int {
    width.multipliedSaturating(by: height).multipliedSaturating(by: 4)
  }

  /// The planes in that order, with the codes in memory little-endian.
  public var sentPlanes: [[UInt16]] {
    // Nothing to do on a little-endian processor.
    let isSent = UInt16(1).littleEndian == 1
    return [luma, cb, cr].map { isSent ? $0 : $0.map(\.littleEndian) }
  }

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

  /// A frame from its bytes.
  ///
  /// - Throws: Errors of
  ///   ``init(width:height:color:pixelAspectRatio:sourceDimensions:luma:cb:cr:)``.
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
            // Keep codes within ten bits, whatever was sent.
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
