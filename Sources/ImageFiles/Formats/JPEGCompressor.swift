import CTurboJPEG
import MediaCore

/// Baseline JPEG from interleaved red, green and blue bytes, through libjpeg-turbo.
struct JPEGCompressor: Sendable {
  /// Pixels in a row.
  let width: Int
  /// 1 to 100.
  let quality: Int32
  /// True for 4:4:4, false for 4:2:0.
  let fullChroma: Bool

  /// Rows in a strip; each strip is compressed by one thread.
  private static let stripHeight = 128

  /// Compresses an image in strips on all processors and joins them as the restart intervals of one scan. The
  /// result decodes to the same pixels as a file of ``compress(_:rows:)`` and does not depend on the number of
  /// threads.
  ///
  /// - Throws: ``ImageFileError/Code/codecFailed``.
  func compress(_ pixels: [UInt8], height: Int) throws(ImageFileError) -> [UInt8] {
    // Strips are whole rows of blocks; a restart interval counts blocks, or groups of four with 4:2:0, in 16 bits.
    let side = fullChroma ? 8 : 16
    let blocks = (width + side - 1) / side
    let blockRows = min(Self.stripHeight / side, 65_535 / blocks)
    let rows = blockRows * side
    guard rows > 0, height > rows else { return try compress(pixels, rows: 0..<height) }
    let files = ConcurrentMap.map((height + rows - 1) / rows) { index in
      Result { () throws(ImageFileError) in
        try compress(pixels, rows: index * rows..<min((index + 1) * rows, height))
      }
    }
    var strips: [JPEGStrip] = []
    for file in files {
      if let strip = JPEGStrip(try file.get()) { strips.append(strip) }
    }
    // Environment variables can make libjpeg-turbo choose different tables for each strip.
    guard strips.count == files.count,
      let joined = JPEGStrip.joined(strips, height: height, interval: blockRows * blocks)
    else { return try compress(pixels, rows: 0..<height) }
    return joined
  }

  /// Compresses some rows of an image into a separate file, in one call of the library.
  ///
  /// - Throws: ``ImageFileError/Code/codecFailed``.
  func compress(_ pixels: [UInt8], rows: Range<Int>) throws(ImageFileError) -> [UInt8] {
    guard let compressor = tjInitCompress() else { throw failure(nil) }
    defer { tjDestroy(compressor) }
    var buffer: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    defer { tjFree(buffer) }
    let sampling = fullChroma ? TJSAMP_444 : TJSAMP_420
    let status = pixels.withUnsafeBufferPointer {
      tjCompress2(
        compressor, $0.baseAddress.map { $0 + rows.lowerBound * 3 * width }, Int32(width), 0,
        Int32(rows.count), Int32(TJPF_RGB.rawValue), &buffer, &size, Int32(sampling.rawValue),
        max(quality, 1), TJFLAG_ACCURATEDCT)
    }
    guard status == 0, let buffer else { throw failure(compressor) }
    return Array(UnsafeBufferPointer(start: buffer, count: Int(size)))
  }

  private func failure(_ handle: tjhandle?) -> ImageFileError {
    .refused("libjpeg-turbo", tjGetErrorStr2(handle).map { String(cString: $0) } ?? "no memory")
  }
}
