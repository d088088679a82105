import CAVIF
import DNG
import MediaCore
import RawDevelop

extension ImageJob {
  /// AV1 in a HEIF file, through libavif, because libheif 1.15 gives libaom the wrong profile for 10 bits.
  mutating func writeAVIF() throws(ImageFileError) {
    let image = try AVIFImage(
      rows, bitDepth: bitDepth, fullChroma: settings.samplesChromaFully, codePoints: codePoints)
    noteClipping(rows.clipped.count)
    if settings.dynamicRange == .standard {
      image.setProfile(ICCProfile.bytes(self.image.colorSpace))
      noteUnknownCodePoints()
    }
    // libavif applies the orientation from EXIF.
    image.setEXIF(try ImageEXIF.bytes(content))
    if let xmp = content.xmp { image.setXMP(Array(xmp.utf8)) }
    try checkCancellation()
    try image.write(to: output, quality: settings.quality)
  }

  /// Notes a color space that nclx cannot express.
  mutating func noteUnknownCodePoints() {
    guard !codePoints.isWhole else { return }
    note(
      .colorSpaceApproximate,
      "nclx has no code points for \(image.colorSpace.name): readers without ICC support show "
        + "other colors")
  }
}

/// An image owned by libavif.
private final class AVIFImage {
  private let image: UnsafeMutablePointer<avifImage>

  init(
    _ rows: CodeRows, bitDepth: Int, fullChroma: Bool, codePoints: CodePoints
  ) throws(ImageFileError) {
    let (width, height) = (rows.image.width, rows.image.height)
    let format = fullChroma ? AVIF_PIXEL_FORMAT_YUV444 : AVIF_PIXEL_FORMAT_YUV420
    let made = avifImageCreate(
      .init(truncatingIfNeeded: width), .init(truncatingIfNeeded: height),
      .init(truncatingIfNeeded: bitDepth), format)
    guard let made else { throw .refused("libavif", "no memory") }
    image = made
    image.pointee.yuvRange = AVIF_RANGE_FULL
    image.pointee.colorPrimaries = .init(truncatingIfNeeded: codePoints.primaries)
    image.pointee.transferCharacteristics = .init(truncatingIfNeeded: codePoints.transfer)
    image.pointee.matrixCoefficients = .init(truncatingIfNeeded: codePoints.matrix)
    try check(avifImageAllocatePlanes(image, .init(AVIF_PLANES_YUV.rawValue)))
    let (starts, strides) = (image.pointee.yuvPlanes, image.pointee.yuvRowBytes)
    guard let luma = starts.0, let blue = starts.1, let red = starts.2 else {
      throw .refused("libavif", "no memory")
    }
    let planes = [
      (start: UnsafeMutableRawPointer(luma), stride: Int(strides.0)),
      (start: UnsafeMutableRawPointer(blue), stride: Int(strides.1)),
      (start: UnsafeMutableRawPointer(red), stride: Int(strides.2)),
    ]
    let (weights, maximum) = (codePoints.lumaWeights, 1 << bitDepth - 1)
    if bitDepth > 8 {
      ChromaPlanes.fill(
        rows, weights: weights, isFull: fullChroma, maximum: maximum, planes: planes,
        as: UInt16.self)
    } else {
      ChromaPlanes.fill(
        rows, weights: weights, isFull: fullChroma, maximum: maximum, planes: planes, as: UInt8.self
      )
    }
  }

  deinit { avifImageDestroy(image) }

  func setProfile(_ bytes: [UInt8]) { image_set_profile(image, bytes, bytes.count) }
  func setEXIF(_ bytes: [UInt8]) { image_set_exif(image, bytes, bytes.count) }
  func setXMP(_ bytes: [UInt8]) { image_set_xmp(image, bytes, bytes.count) }

  func write(to output: ImageOutput, quality: Double) throws(ImageFileError) {
    guard let encoder = avifEncoderCreate() else { throw .refused("libavif", "no memory") }
    defer { avifEncoderDestroy(encoder) }
    guard
      avifCodecName(
        AVIF_CODEC_CHOICE_AOM, avifCodecFlags(AVIF_CODEC_FLAG_CAN_ENCODE.rawValue)) != nil
    else {
      throw ImageFileError(
        .unsupported, "libavif has no encoder for AV1; install one with libaom")
    }
    encoder.pointee.codecChoice = AVIF_CODEC_CHOICE_AOM
    encoder.pointee.maxThreads = Int32(clamping: Processors.count)
    // A single image has no motion: slower speeds save a few percent of size at many times the work.
    encoder.pointee.speed = 8
    // From 63, the coarsest quantizer, to 0, the finest.
    let quantizer = Int32((63 * (1 - quality)).rounded())
    encoder.pointee.minQuantizer = quantizer
    encoder.pointee.maxQuantizer = quantizer
    var file = avifRWData()
    defer { avifRWDataFree(&file) }
    try check(avifEncoderWrite(encoder, image, &file))
    try output.append(UnsafeRawBufferPointer(start: file.data, count: file.size))
  }

  private func check(_ result: avifResult) throws(ImageFileError) {
    guard result != AVIF_RESULT_OK else { return }
    throw .refused(
      "libavif", avifResultToString(result).map { String(cString: $0) } ?? "\(result.rawValue)")
  }
}
