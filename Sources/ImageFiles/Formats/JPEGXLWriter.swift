import CJXL
import DNG
import MediaCore
import RawDevelop

extension ImageJob {
  /// JPEG XL in its container, with EXIF and XMP.
  mutating func writeJPEGXL() throws(ImageFileError) {
    let encoder = try JPEGXLEncoder()
    let color = JPEGXLEncoder.encoding(image.colorSpace, settings.dynamicRange)
    try encoder.start(
      width: width, height: height, bitDepth: bitDepth, isFloat: writesFloats,
      orientation: content.metadata.orientation, color, settings)
    try encoder.add(box: "Exif", [0, 0, 0, 0] + ImageEXIF.bytes(content))
    if let xmp = content.xmp { try encoder.add(box: "xml ", Array(xmp.utf8)) }
    try checkCancellation()
    if writesFloats {
      try encoder.add(floats: image, bitDepth: bitDepth, settings)
    } else if bitDepth == 8 {
      let codes = rows.integers(0..<height, maximum: 255, as: UInt8.self)
      try codes.withUnsafeBytes { buffer in
        Result { () throws(ImageFileError) in
          try encoder.add(buffer, JXL_TYPE_UINT8, settings)
        }
      }.get()
    } else {
      let codes = rows.integers(0..<height, maximum: 65_535, as: UInt16.self)
      try codes.withUnsafeBytes { buffer in
        Result { () throws(ImageFileError) in
          try encoder.add(buffer, JXL_TYPE_UINT16, settings)
        }
      }.get()
    }
    noteClipping(rows.clipped.count)
    while let bytes = try encoder.next() {
      try checkCancellation()
      try output.append(bytes)
    }
  }
}

/// libjxl's encoder, on all processors.
private final class JPEGXLEncoder {
  private let encoder: OpaquePointer
  private let runner: UnsafeMutableRawPointer?
  private var isFinished = false

  init() throws(ImageFileError) {
    guard let encoder = JxlEncoderCreate(nil) else { throw .refused("libjxl", "no memory") }
    self.encoder = encoder
    runner = JxlThreadParallelRunnerCreate(nil, Processors.count)
    if let runner {
      try check(
        JxlEncoderSetParallelRunner(encoder, JxlThreadParallelRunner, runner), "threads")
    }
    try check(JxlEncoderUseContainer(encoder, JXL_TRUE), "a container")
    try check(JxlEncoderUseBoxes(encoder), "boxes")
  }

  deinit {
    JxlEncoderDestroy(encoder)
    if let runner { JxlThreadParallelRunnerDestroy(runner) }
  }

  func start(
    width: Int, height: Int, bitDepth: Int, isFloat: Bool, orientation: PhotoMetadata.Orientation,
    _ color: JxlColorEncoding, _ settings: ImageFileSettings
  ) throws(ImageFileError) {
    var info = JxlBasicInfo()
    JxlEncoderInitBasicInfo(&info)
    info.xsize = UInt32(clamping: width)
    info.ysize = UInt32(clamping: height)
    info.bits_per_sample = UInt32(bitDepth)
    info.exponent_bits_per_sample = isFloat ? (bitDepth == 16 ? 5 : 8) : 0
    info.num_color_channels = 3
    info.orientation = JxlOrientation(UInt32(orientation.rawValue))
    // Lossless compression keeps samples in their original color space.
    info.uses_original_profile = settings.quality >= 1 ? JXL_TRUE : JXL_FALSE
    info.intensity_target =
      switch settings.dynamicRange {
      case .standard: isFloat ? Float(HighRangeCurve.whiteNits) : 255
      case .pq: Float(HighRangeCurve.pqPeak)
      case .hlg: Float(HighRangeCurve.hlgPeak)
      }
    try check(JxlEncoderSetBasicInfo(encoder, &info), "\(width)x\(height) of \(bitDepth) bits")
    var color = color
    try check(JxlEncoderSetColorEncoding(encoder, &color), "the color space")
  }

  /// libjxl's form of a color space.
  static func encoding(
    _ space: ImageColorSpace, _ range: ImageDynamicRange
  ) -> JxlColorEncoding {
    var color = JxlColorEncoding()
    color.color_space = JXL_COLOR_SPACE_RGB
    color.rendering_intent = JXL_RENDERING_INTENT_RELATIVE
    color.white_point = JXL_WHITE_POINT_D65
    guard range == .standard else {
      color.primaries = JXL_PRIMARIES_2100
      color.transfer_function = range == .pq ? JXL_TRANSFER_FUNCTION_PQ : JXL_TRANSFER_FUNCTION_HLG
      return color
    }
    setPrimaries(space.primaries, &color)
    switch space.curve {
    case .linear: color.transfer_function = JXL_TRANSFER_FUNCTION_LINEAR
    case .sRGB: color.transfer_function = JXL_TRANSFER_FUNCTION_SRGB
    case .rec709: color.transfer_function = JXL_TRANSFER_FUNCTION_709
    case .gamma18, .gamma22:
      color.transfer_function = JXL_TRANSFER_FUNCTION_GAMMA
      color.gamma = space.curve == .gamma18 ? 1 / 1.8 : 1 / 2.19921875
    }
    return color
  }

  private static func setPrimaries(_ primaries: ColorPrimaries, _ color: inout JxlColorEncoding) {
    switch primaries {
    case .sRGB: color.primaries = JXL_PRIMARIES_SRGB
    case .displayP3: color.primaries = JXL_PRIMARIES_P3
    case .rec2020: color.primaries = JXL_PRIMARIES_2100
    case .adobeRGB, .proPhoto:
      let places = Chromaticities(primaries)
      color.primaries = JXL_PRIMARIES_CUSTOM
      color.primaries_red_xy = (places.red.x, places.red.y)
      color.primaries_green_xy = (places.green.x, places.green.y)
      color.primaries_blue_xy = (places.blue.x, places.blue.y)
      if places.white != Chromaticities.d65 {
        color.white_point = JXL_WHITE_POINT_CUSTOM
        color.white_point_xy = (places.white.x, places.white.y)
      }
    }
  }

  func add(box name: String, _ content: [UInt8]) throws(ImageFileError) {
    let type = name.utf8.map { CChar(bitPattern: $0) }
    try check(
      JxlEncoderAddBox(encoder, type, content, content.count, JXL_FALSE), "the box \(name)")
  }

  /// Adds an image of floats, unchanged or as half floats.
  func add(
    floats image: RenderedImage, bitDepth: Int, _ settings: ImageFileSettings
  ) throws(ImageFileError) {
    let result: Result<Void, ImageFileError>
    switch image.samples {
    case .half(let values):
      result = values.withUnsafeBytes { buffer in
        Result { () throws(ImageFileError) in try add(buffer, JXL_TYPE_FLOAT16, settings) }
      }
    case .float(let values):
      // libjxl itself rounds to half floats if the file is to have them.
      result = values.withUnsafeBytes { buffer in
        Result { () throws(ImageFileError) in try add(buffer, JXL_TYPE_FLOAT, settings) }
      }
    case .uint8, .uint16: result = .failure(.refused("libjxl", "integers are not floats"))
    }
    try result.get()
  }

  func add(
    _ samples: UnsafeRawBufferPointer, _ type: JxlDataType, _ settings: ImageFileSettings
  ) throws(ImageFileError) {
    guard let frame = JxlEncoderFrameSettingsCreate(encoder, nil) else {
      throw .refused("libjxl", "no memory")
    }
    if settings.quality >= 1 {
      try check(JxlEncoderSetFrameLossless(frame, JXL_TRUE), "no loss")
    } else {
      // Distance 1 is where losses begin to be visible.
      let distance = Float(min(max((1 - settings.quality) * 10, 0.05), 15))
      try check(JxlEncoderSetFrameDistance(frame, distance), "a distance of \(distance)")
    }
    try check(
      JxlEncoderFrameSettingsSetOption(frame, JXL_ENC_FRAME_SETTING_EFFORT, 3), "an effort of 3")
    var format = JxlPixelFormat(
      num_channels: 3, data_type: type, endianness: JXL_NATIVE_ENDIAN, align: 0)
    try check(
      JxlEncoderAddImageFrame(frame, &format, samples.baseAddress, samples.count), "the samples")
    JxlEncoderCloseInput(encoder)
  }

  /// The next bytes of the file; nil at its end.
  func next() throws(ImageFileError) -> [UInt8]? {
    guard !isFinished else { return nil }
    var status = JXL_ENC_SUCCESS
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 18) { target, count in
      var (next, room) = (target.baseAddress, target.count)
      status = JxlEncoderProcessOutput(encoder, &next, &room)
      count = target.count - room
    }
    switch status {
    case JXL_ENC_SUCCESS: isFinished = true
    case JXL_ENC_NEED_MORE_OUTPUT: break
    default:
      throw .refused("libjxl", "error \(JxlEncoderGetError(encoder).rawValue) during compression")
    }
    return bytes
  }

  private func check(_ status: JxlEncoderStatus, _ what: String) throws(ImageFileError) {
    guard status == JXL_ENC_SUCCESS else {
      throw .refused("libjxl", "it does not accept \(what)")
    }
  }
}
