import MediaCore
import RawDevelop

extension ImageJob {
  /// Baseline JPEG with EXIF, XMP and a color profile.
  mutating func writeJPEG() throws(ImageFileError) {
    let pixels = rows.integers(0..<height, maximum: 255, as: UInt8.self)
    noteClipping(rows.clipped.count)
    try checkCancellation()
    let file = try JPEGCompressor(
      width: width, quality: settings.percentage, fullChroma: settings.samplesChromaFully
    ).compress(pixels, height: height)
    try output.append([0xFF, 0xD8] + jpegHead(xmp: content.xmp))
    try output.append(Array(JPEGSegments.body(file)))
  }

  /// EXIF, XMP and profile; anything too long is left out and noted.
  mutating func jpegHead(xmp: String?) throws(ImageFileError) -> [UInt8] {
    var head: [UInt8] = []
    if let exif = JPEGSegments.exif(try ImageEXIF.bytes(content, isJPEG: true)) {
      head += exif
    } else {
      note(.metadataOmitted, "EXIF exceeds JPEG's limit of 64 KiB: left out")
    }
    if let xmp {
      if let segment = JPEGSegments.xmp(xmp) {
        head += segment
      } else {
        note(.metadataOmitted, "XMP exceeds JPEG's limit of 64 KiB: left out")
      }
    }
    return head + JPEGSegments.profile(ICCProfile.bytes(image.colorSpace))
  }
}
