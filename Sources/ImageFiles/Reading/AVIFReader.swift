import CAVIF
import MediaCore
import RawDevelop

/// Reads AVIF files through libavif.
enum AVIFReader {
  /// - Throws: ``ImageFileError/Code/invalidFile`` with libavif's message.
  static func facts(_ bytes: [UInt8]) throws(ImageFileError) -> ImageFacts {
    try withDecoder(bytes) { decoder throws(ImageFileError) in try facts(decoder) }
  }

  /// - Throws: ``ImageFileError/Code/invalidFile`` with libavif's message.
  static func decoded(_ bytes: [UInt8]) throws(ImageFileError) -> DecodedImage {
    try withDecoder(bytes) { decoder throws(ImageFileError) in
      let facts = try facts(decoder)
      try check(avifDecoderNextImage(decoder))
      let channels = facts.hasAlpha ? 4 : 3
      var rgb = avifRGBImage()
      avifRGBImageSetDefaults(&rgb, decoder.pointee.image)
      rgb.format = facts.hasAlpha ? AVIF_RGB_FORMAT_RGBA : AVIF_RGB_FORMAT_RGB
      rgb.depth = facts.bitDepth > 8 ? 16 : 8
      rgb.rowBytes = UInt32(facts.width * channels * Int(rgb.depth / 8))
      let count = facts.width * facts.height * channels
      func values<Sample>(_ zero: Sample) throws(ImageFileError) -> [Sample] {
        var values = [Sample](repeating: zero, count: count)
        let result = values.withUnsafeMutableBytes { target in
          rgb.pixels = target.bindMemory(to: UInt8.self).baseAddress
          return avifImageYUVToRGB(decoder.pointee.image, &rgb)
        }
        try check(result)
        return values
      }
      let samples: RenderedImage.Samples =
        rgb.depth == 16 ? .uint16(try values(UInt16(0))) : .uint8(try values(UInt8(0)))
      let color = ImageFileColor(profile: facts.profile, codePoints: facts.codePoints)
      var decoded = color.decoded(
        ImageSamples(
          width: facts.width, height: facts.height, channels: channels, samples: samples))
      if decoder.pointee.imageCount > 1 {
        decoded.notes.append("only the first image of the sequence is read")
      }
      return decoded
    }
  }

  private static func withDecoder<Result>(
    _ bytes: [UInt8], _ work: (UnsafeMutablePointer<avifDecoder>) throws(ImageFileError) -> Result
  ) throws(ImageFileError) -> Result {
    guard let decoder = avifDecoderCreate() else { throw .refused("libavif", "no memory") }
    defer { avifDecoderDestroy(decoder) }
    decoder.pointee.maxThreads = Int32(Processors.count)
    // Files from older encoders lack boxes that the standard now requires.
    decoder.pointee.strictFlags = 0
    // The decoder keeps a pointer to its input.
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    defer { memory.deallocate() }
    _ = memory.initialize(fromContentsOf: bytes)
    try check(avifDecoderSetIOMemory(decoder, memory.baseAddress, memory.count))
    try check(avifDecoderParse(decoder))
    return try work(decoder)
  }

  private static func facts(
    _ decoder: UnsafeMutablePointer<avifDecoder>
  ) throws(ImageFileError) -> ImageFacts {
    guard let image = decoder.pointee.image?.pointee, image.width > 0, image.height > 0 else {
      throw .invalidFile("libavif found no image")
    }
    var facts = ImageFacts(
      width: Int(image.width), height: Int(image.height), bitDepth: Int(image.depth))
    facts.hasAlpha = decoder.pointee.alphaPresent != 0
    facts.colorModel = image.yuvFormat == AVIF_PIXEL_FORMAT_YUV400 ? .gray : .rgb
    facts.profile = bytes(image.icc)
    facts.codePoints = [
      Int(image.colorPrimaries), Int(image.transferCharacteristics), Int(image.matrixCoefficients),
    ]
    if let exif = bytes(image.exif) { facts.take(exif: exif) }
    facts.xmp = bytes(image.xmp)
    let flags = image.transformFlags
    if flags & AVIF_TRANSFORM_CLAP.rawValue != 0 {
      facts.notes.append("the clean aperture is not applied: the whole image is shown")
    }
    let angle = flags & AVIF_TRANSFORM_IROT.rawValue != 0 ? Int(image.irot.angle) : 0
    var copy = image
    let mirror = flags & AVIF_TRANSFORM_IMIR.rawValue != 0 ? Int(image_mirror(&copy)) : nil
    // The file's transforms take precedence over EXIF.
    facts.orientation = HEIFTransforms.orientation(quarters: angle, mirror: mirror)
    return facts
  }

  private static func bytes(_ data: avifRWData) -> [UInt8]? {
    guard let start = data.data, data.size > 0 else { return nil }
    return Array(UnsafeBufferPointer(start: start, count: data.size))
  }

  private static func check(_ result: avifResult) throws(ImageFileError) {
    guard result != AVIF_RESULT_OK else { return }
    let words = avifResultToString(result).map { String(cString: $0) } ?? "error \(result.rawValue)"
    throw .invalidFile("libavif says: \(words)")
  }
}
