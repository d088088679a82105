import CTurboJPEG
import MediaCore

/// Baseline JPEG through libjpeg-turbo.
package enum JPEGCodec {
  /// Compresses interleaved sRGB bytes.
  ///
  /// - Parameter quality: 0 to 1. From 0.9 up, chroma is not subsampled.
  /// - Throws: ``DNGError/Code/codecFailed``.
  package static func encode(
    _ pixels: [UInt8], width: Int, height: Int, quality: Double
  ) throws(DNGError) -> EncodedPreview {
    let full = quality >= 0.9
    let file = try compress(
      pixels, width: width, height: height, format: TJPF_RGB,
      sampling: full ? TJSAMP_444 : TJSAMP_420, quality: quality)
    return EncodedPreview(
      data: file, width: width, height: height, subsampling: full ? (1, 1) : (2, 2))
  }

  /// Compresses three components without color conversion, for 8-bit raw pixels.
  ///
  /// - Throws: ``DNGError/Code/codecFailed``.
  static func compress(
    _ pixels: [UInt8], width: Int, height: Int, format: TJPF, sampling: TJSAMP, quality: Double
  ) throws(DNGError) -> [UInt8] {
    guard let compressor = tjInitCompress() else { throw failure(nil) }
    defer { tjDestroy(compressor) }
    var buffer: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    defer { tjFree(buffer) }
    let status = pixels.withUnsafeBufferPointer {
      tjCompress2(
        compressor, $0.baseAddress, Int32(width), 0, Int32(height), Int32(format.rawValue), &buffer,
        &size, Int32(sampling.rawValue), Int32(min(max((quality * 100).rounded(), 1), 100)),
        TJFLAG_ACCURATEDCT)
    }
    guard status == 0, let buffer else { throw failure(compressor) }
    return Array(UnsafeBufferPointer(start: buffer, count: Int(size)))
  }

  /// The most samples that a byte can stand for: a block of 64 samples takes at least two bits, and with
  /// subsampling, two chroma blocks accompany four luma blocks.
  static let samplesPerByte = 512

  /// Decompresses to gray, or to interleaved red, green and blue.
  ///
  /// - Throws: ``DNGError/Code/invalidFile`` for damaged data, an image of another size, or a size that the data
  ///   cannot hold.
  package static func decode(
    _ bytes: ArraySlice<UInt8>, width: Int, height: Int, components: Int = 3
  ) throws(DNGError) -> [UInt8] {
    guard components * width * height <= bytes.count * samplesPerByte else {
      throw .damaged("an image claims more pixels than its data can hold")
    }
    guard let decompressor = tjInitDecompress() else { throw failure(nil) }
    defer { tjDestroy(decompressor) }
    var pixels: [UInt8] = []
    let status = bytes.withUnsafeBufferPointer { source -> Int32 in
      var (foundWidth, foundHeight) = (Int32(0), Int32(0))
      var (sampling, colors) = (Int32(0), Int32(0))
      let header = tjDecompressHeader3(
        decompressor, source.baseAddress, UInt(source.count), &foundWidth, &foundHeight, &sampling,
        &colors)
      guard header == 0, Int(foundWidth) == width, Int(foundHeight) == height else { return -1 }
      pixels = [UInt8](repeating: 0, count: components * width * height)
      return pixels.withUnsafeMutableBufferPointer {
        tjDecompress2(
          decompressor, source.baseAddress, UInt(source.count), $0.baseAddress, Int32(width), 0,
          Int32(height), Int32((components == 1 ? TJPF_GRAY : TJPF_RGB).rawValue),
          TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS)
      }
    }
    guard status == 0 else {
      throw DNGError(.invalidFile, "a JPEG image is damaged, or not \(width)x\(height)")
    }
    return pixels
  }

  private static func failure(_ handle: tjhandle?) -> DNGError {
    let reason = tjGetErrorStr2(handle).map { String(cString: $0) } ?? "no memory"
    return DNGError(.codecFailed, "libjpeg-turbo refused: \(reason)")
  }
}

extension EncodedPreview {
  /// Compresses interleaved sRGB bytes into a preview.
  ///
  /// - Parameters:
  ///   - pixels: Red, green and blue of each pixel, row by row.
  ///   - width: Width in pixels.
  ///   - height: Height in pixels.
  ///   - quality: 0 to 1.
  /// - Throws: ``DNGError/Code/invalidArgument`` if the byte count does not match the size,
  ///   ``DNGError/Code/codecFailed``.
  public init(
    rendering pixels: [UInt8], width: Int, height: Int, quality: Double
  ) throws(DNGError) {
    guard width > 0, height > 0, pixels.count == 3 * width * height else {
      throw DNGError(
        .invalidArgument, "\(pixels.count) bytes do not fit an image of \(width)x\(height)")
    }
    self = try JPEGCodec.encode(pixels, width: width, height: height, quality: quality)
  }
}
