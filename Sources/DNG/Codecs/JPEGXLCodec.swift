import CJXL
import MediaCore

/// JPEG XL through libjxl: bare codestreams of linear samples, as in DNG's compression 52546.
enum JPEGXLCodec {
  /// Compresses interleaved 16-bit samples of three components.
  ///
  /// - Parameter quality: 1 for lossless; lower values lose more.
  /// - Throws: ``DNGError/Code/codecFailed``.
  static func encode(
    _ samples: [UInt16], width: Int, height: Int, quality: Double
  ) throws(DNGError) -> [UInt8] {
    guard let encoder = JxlEncoderCreate(nil) else { throw failure("no memory") }
    defer { JxlEncoderDestroy(encoder) }
    try check(JxlEncoderUseContainer(encoder, JXL_FALSE), "a bare codestream")
    var info = JxlBasicInfo()
    JxlEncoderInitBasicInfo(&info)
    info.xsize = UInt32(width)
    info.ysize = UInt32(height)
    info.bits_per_sample = 16
    info.num_color_channels = 3
    // Lossless compression keeps samples in their original color space.
    info.uses_original_profile = quality >= 1 ? JXL_TRUE : JXL_FALSE
    try check(JxlEncoderSetBasicInfo(encoder, &info), "the size")
    var color = JxlColorEncoding()
    JxlColorEncodingSetToLinearSRGB(&color, JXL_FALSE)
    try check(JxlEncoderSetColorEncoding(encoder, &color), "the colors")
    guard let settings = JxlEncoderFrameSettingsCreate(encoder, nil) else {
      throw failure("no memory")
    }
    if quality >= 1 {
      try check(JxlEncoderSetFrameLossless(settings, JXL_TRUE), "no loss")
    } else {
      // Distance 1 is where losses begin to be visible.
      let distance = Float(min(max((1 - quality) * 10, 0.05), 15))
      try check(JxlEncoderSetFrameDistance(settings, distance), "a distance of \(distance)")
    }
    // The third-fastest effort; the two faster ones produce larger files.
    try check(
      JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, 3), "an effort of 3")
    var format = JxlPixelFormat(
      num_channels: 3, data_type: JXL_TYPE_UINT16, endianness: JXL_NATIVE_ENDIAN, align: 0)
    let status = samples.withUnsafeBytes {
      JxlEncoderAddImageFrame(settings, &format, $0.baseAddress, $0.count)
    }
    try check(status, "the samples")
    JxlEncoderCloseInput(encoder)
    return try output(of: encoder)
  }

  /// Decompresses an image of known size to interleaved samples.
  ///
  /// - Parameters:
  ///   - components: Samples per pixel, 1 to 4.
  ///   - sampleBytes: 1 or 2 for integers over the full range, 4 for floats; little-endian.
  /// - Throws: ``DNGError/Code/invalidFile`` for damaged data, or an image of another size.
  static func decode(
    _ bytes: ArraySlice<UInt8>, width: Int, height: Int, components: Int, sampleBytes: Int
  ) throws(DNGError) -> [UInt8] {
    guard let decoder = JxlDecoderCreate(nil) else { throw failure("no memory") }
    defer { JxlDecoderDestroy(decoder) }
    _ = JxlDecoderSetKeepOrientation(decoder, JXL_TRUE)
    let events = JXL_DEC_BASIC_INFO.rawValue | JXL_DEC_FULL_IMAGE.rawValue
    guard JxlDecoderSubscribeEvents(decoder, Int32(events)) == JXL_DEC_SUCCESS else {
      throw failure("no events")
    }
    var format = JxlPixelFormat(
      num_channels: UInt32(components),
      data_type: sampleBytes == 4
        ? JXL_TYPE_FLOAT : sampleBytes == 2 ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8,
      endianness: JXL_LITTLE_ENDIAN, align: 0)
    var pixels: [UInt8] = []
    let isWhole = bytes.withUnsafeBufferPointer { source -> Bool in
      guard JxlDecoderSetInput(decoder, source.baseAddress, source.count) == JXL_DEC_SUCCESS else {
        return false
      }
      JxlDecoderCloseInput(decoder)
      guard JxlDecoderProcessInput(decoder) == JXL_DEC_BASIC_INFO else { return false }
      var info = JxlBasicInfo()
      guard JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS, Int(info.xsize) == width,
        Int(info.ysize) == height,
        // Otherwise libjxl would convert gray to color or color to gray.
        (info.num_color_channels == 1) == (components <= 2)
      else { return false }
      pixels = [UInt8](repeating: 0, count: width * height * components * sampleBytes)
      return pixels.withUnsafeMutableBytes { target in
        while true {
          switch JxlDecoderProcessInput(decoder) {
          case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
            guard
              JxlDecoderSetImageOutBuffer(decoder, &format, target.baseAddress, target.count)
                == JXL_DEC_SUCCESS
            else { return false }
          case JXL_DEC_FULL_IMAGE: return true
          default: return false
          }
        }
      }
    }
    guard isWhole else {
      throw .damaged(
        "a JPEG XL image is damaged, or not \(width)x\(height) with \(components) components")
    }
    return pixels
  }

  /// Bits per sample, as the codestream states; nil for floats, and if the data are not a codestream.
  static func bitDepth(of bytes: ArraySlice<UInt8>) -> Int? {
    guard let decoder = JxlDecoderCreate(nil) else { return nil }
    defer { JxlDecoderDestroy(decoder) }
    guard
      JxlDecoderSubscribeEvents(decoder, Int32(JXL_DEC_BASIC_INFO.rawValue)) == JXL_DEC_SUCCESS
    else { return nil }
    return bytes.withUnsafeBufferPointer { source -> Int? in
      guard JxlDecoderSetInput(decoder, source.baseAddress, source.count) == JXL_DEC_SUCCESS,
        JxlDecoderProcessInput(decoder) == JXL_DEC_BASIC_INFO
      else { return nil }
      var info = JxlBasicInfo()
      guard JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS,
        info.exponent_bits_per_sample == 0
      else { return nil }
      return Int(info.bits_per_sample)
    }
  }

  private static func output(of encoder: OpaquePointer) throws(DNGError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let (status, count) = chunk.withUnsafeMutableBufferPointer { buffer in
        var next = buffer.baseAddress
        var room = buffer.count
        let status = JxlEncoderProcessOutput(encoder, &next, &room)
        return (status, buffer.count - room)
      }
      bytes += chunk[..<count]
      if status == JXL_ENC_SUCCESS { return bytes }
      guard status == JXL_ENC_NEED_MORE_OUTPUT else { throw failure("it makes no file") }
    }
  }

  private static func check(
    _ status: JxlEncoderStatus, _ what: String
  ) throws(DNGError) {
    guard status == JXL_ENC_SUCCESS else { throw failure("it does not accept \(what)") }
  }

  private static func failure(_ reason: String) -> DNGError {
    DNGError(.codecFailed, "libjxl refused: \(reason)")
  }
}
