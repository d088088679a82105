import CTurboJPEG
import MediaCore
import RawDevelop

extension PictureJob {
  /// Baseline JPEG with EXIF, XMP and a color profile.
  mutating func writeJPEG() throws(PictureFileError) {
    let pixels = rows.integers(0..<height, maximum: 255, as: UInt8.self)
    noteClipping(rows.clipped.count)
    try checkCancellation()
    let file = try JPEGCompressor.compress(
      pixels, width: width, height: height, quality: settings.percentage,
      fullChroma: settings.samplesChromaFully)
    try output.append([0xFF, 0xD8] + jpegHead(xmp: content.xmp))
    try output.append(Array(JPEGSegments.body(file)))
  }

  /// EXIF, XMP and profile; what is too long is noted.
  mutating func jpegHead(xmp: String?) throws(PictureFileError) -> [UInt8] {
    var head: [UInt8] = []
    if let exif = JPEGSegments.exif(try PictureEXIF.bytes(content, isJPEG: true)) {
      head += exif
    } else {
      note(.metadataLeftOut, "EXIF is longer than the 64 KiB that JPEG has for it: left out")
    }
    if let xmp {
      if let segment = JPEGSegments.xmp(xmp) {
        head += segment
      } else {
        note(.metadataLeftOut, "XMP is longer than the 64 KiB that JPEG has for it: left out")
      }
    }
    return head + JPEGSegments.profile(ICCProfile.bytes(picture.colorSpace))
  }
}

/// Baseline JPEG through libjpeg-turbo.
enum JPEGCompressor {
  /// Compresses interleaved bytes of red, green and blue.
  ///
  /// - Parameter quality: 1 to 100.
  /// - Throws: ``PictureFileError/Code/codecFailed``.
  static func compress(
    _ pixels: [UInt8], width: Int, height: Int, quality: Int32, fullChroma: Bool
  ) throws(PictureFileError) -> [UInt8] {
    guard let compressor = tjInitCompress() else { throw failure(nil) }
    defer { tjDestroy(compressor) }
    var buffer: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    defer { tjFree(buffer) }
    let sampling = fullChroma ? TJSAMP_444 : TJSAMP_420
    let status = pixels.withUnsafeBufferPointer {
      tjCompress2(
        compressor, $0.baseAddress, Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue),
        &buffer, &size, Int32(sampling.rawValue), max(quality, 1), TJFLAG_ACCURATEDCT)
    }
    guard status == 0, let buffer else { throw failure(compressor) }
    return Array(UnsafeBufferPointer(start: buffer, count: Int(size)))
  }

  private static func failure(_ handle: tjhandle?) -> PictureFileError {
    .refused("libjpeg-turbo", tjGetErrorStr2(handle).map { String(cString: $0) } ?? "no memory")
  }
}
