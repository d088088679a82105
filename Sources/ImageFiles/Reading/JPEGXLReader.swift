import CJXL
import MediaCore
import RawDevelop

/// Reads JPEG XL files through libjxl.
enum JPEGXLReader {
  static let codestream: [UInt8] = [0xFF, 0x0A]
  static let container: [UInt8] = [0, 0, 0, 0x0C] + Array("JXL \r\n".utf8) + [0x87, 0x0A]

  /// - Throws: ``ImageFileError/Code/invalidFile``.
  static func facts(_ bytes: [UInt8]) throws(ImageFileError) -> ImageFacts {
    let decoder = try JPEGXLDecoder(bytes, JXL_DEC_COLOR_ENCODING.rawValue)
    var facts = try decoder.facts()
    guard decoder.next() == JXL_DEC_COLOR_ENCODING else {
      throw .invalidFile("libjxl found no color encoding")
    }
    (facts.profile, facts.codePoints) = decoder.colors()
    let turn = facts.orientation
    if bytes.starts(with: container) {
      let boxes = try JPEGXLBoxes(bytes)
      if let exif = boxes.exif { facts.take(exif: exif) }
      facts.xmp = boxes.xmp
      facts.notes = boxes.notes
    }
    // The codestream's orientation takes precedence over EXIF.
    facts.orientation = turn
    return facts
  }

  /// - Throws: ``ImageFileError/Code/invalidFile``.
  static func decoded(_ bytes: [UInt8]) throws(ImageFileError) -> DecodedImage {
    let decoder = try JPEGXLDecoder(
      bytes, JXL_DEC_COLOR_ENCODING.rawValue | JXL_DEC_FULL_IMAGE.rawValue)
    let facts = try decoder.facts()
    guard decoder.next() == JXL_DEC_COLOR_ENCODING else {
      throw .invalidFile("libjxl found no color encoding")
    }
    let colors = decoder.colors()
    let color = ImageFileColor(profile: colors.profile, codePoints: colors.codePoints)
    var decoded = color.decoded(try decoder.samples(facts))
    decoded.notes += decoder.unread
    if decoder.isAnimated {
      decoded.notes.append("only the first image of the animation is read")
    }
    return decoded
  }
}

/// libjxl's decoder for a file, on all processors.
private final class JPEGXLDecoder {
  private let bytes: [UInt8]
  private let memory: UnsafeMutableBufferPointer<UInt8>
  private let decoder: OpaquePointer
  private let runner: UnsafeMutableRawPointer?
  private var info = JxlBasicInfo()

  var isAnimated: Bool { info.have_animation != 0 }

  /// Features in the header that are not decoded, one line each.
  var unread: [String] {
    let count = Int(info.num_extra_channels) - (info.alpha_bits > 0 ? 1 : 0)
    // Black ink is such a channel.
    return count > 0 ? ["channels other than color and alpha that are not read: \(count)"] : []
  }

  init(_ bytes: [UInt8], _ events: UInt32) throws(ImageFileError) {
    guard let decoder = JxlDecoderCreate(nil) else { throw .refused("libjxl", "no memory") }
    self.bytes = bytes
    self.decoder = decoder
    // The decoder keeps a pointer to its input.
    memory = .allocate(capacity: bytes.count)
    _ = memory.initialize(fromContentsOf: bytes)
    runner = JxlThreadParallelRunnerCreate(nil, Processors.count)
    if let runner { _ = JxlDecoderSetParallelRunner(decoder, JxlThreadParallelRunner, runner) }
    _ = JxlDecoderSetKeepOrientation(decoder, JXL_TRUE)
    guard
      JxlDecoderSubscribeEvents(decoder, Int32(JXL_DEC_BASIC_INFO.rawValue | events))
        == JXL_DEC_SUCCESS,
      JxlDecoderSetInput(decoder, memory.baseAddress, memory.count) == JXL_DEC_SUCCESS
    else { throw .refused("libjxl", "it does not accept the file") }
    JxlDecoderCloseInput(decoder)
  }

  deinit {
    JxlDecoderDestroy(decoder)
    if let runner { JxlThreadParallelRunnerDestroy(runner) }
    memory.deallocate()
  }

  func next() -> JxlDecoderStatus { JxlDecoderProcessInput(decoder) }

  /// Facts from the header.
  func facts() throws(ImageFileError) -> ImageFacts {
    guard next() == JXL_DEC_BASIC_INFO, JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS,
      info.xsize > 0, info.ysize > 0
    else { throw .invalidFile("libjxl found no image") }
    var facts = ImageFacts(
      width: Int(info.xsize), height: Int(info.ysize), bitDepth: Int(info.bits_per_sample))
    facts.isFloat = info.exponent_bits_per_sample > 0
    facts.hasAlpha = info.alpha_bits > 0
    facts.colorModel = info.num_color_channels == 1 ? .gray : .rgb
    facts.orientation = Int(info.orientation.rawValue)
    return facts
  }

  /// The color space of the decoded values: code points if possible, otherwise a profile.
  func colors() -> (profile: [UInt8]?, codePoints: [Int]?) {
    if let points = codePoints() { return (nil, points) }
    var profile: [UInt8]?
    var size = 0
    if jxl_profile_size(decoder, &size) == JXL_DEC_SUCCESS, size > 0, size < 1 << 24 {
      var bytes = [UInt8](repeating: 0, count: size)
      if jxl_profile(decoder, &bytes, size) == JXL_DEC_SUCCESS { profile = bytes }
    }
    return (profile, nil)
  }

  private func codePoints() -> [Int]? {
    var color = JxlColorEncoding()
    guard jxl_color_encoding(decoder, &color) == JXL_DEC_SUCCESS else { return nil }
    let primaries =
      color.color_space == JXL_COLOR_SPACE_GRAY ? 1 : Int(color.primaries.rawValue)
    let known = color.white_point == JXL_WHITE_POINT_D65 && [1, 9, 11].contains(primaries)
    let transfer = Int(color.transfer_function.rawValue)
    guard known, [1, 8, 13, 16, 18].contains(transfer) else { return nil }
    // libjxl's P3 has any white point; with D65 it is Display P3.
    return [primaries == 11 ? 12 : primaries, transfer, 0]
  }

  /// The pixels of the first frame.
  func samples(_ facts: ImageFacts) throws(ImageFileError) -> ImageSamples {
    let channels = (facts.colorModel == .gray ? 1 : 3) + (facts.hasAlpha ? 1 : 0)
    let count = facts.width.multipliedReportingOverflow(by: facts.height * channels)
    // A flat area takes hardly a byte in JPEG XL, so the file's size is no bound.
    guard !count.overflow, count.partialValue <= 1 << 29 else {
      throw .invalidFile("it claims more pixels than the limit")
    }
    func values<Sample>(_ zero: Sample, _ type: JxlDataType) -> [Sample]? {
      var values = [Sample](repeating: zero, count: count.partialValue)
      let isWhole = values.withUnsafeMutableBytes { decode(into: $0, channels, type) }
      return isWhole ? values : nil
    }
    let samples: RenderedImage.Samples? =
      if facts.isFloat {
        values(Float(0), JXL_TYPE_FLOAT).map { .float($0) }
      } else if facts.bitDepth > 8 {
        values(UInt16(0), JXL_TYPE_UINT16).map { .uint16($0) }
      } else {
        values(UInt8(0), JXL_TYPE_UINT8).map { .uint8($0) }
      }
    guard let samples else { throw .invalidFile("libjxl found it damaged or truncated") }
    var made = ImageSamples(
      width: facts.width, height: facts.height, channels: channels, samples: samples)
    made.isPremultiplied = facts.hasAlpha && info.alpha_premultiplied != 0
    return made
  }

  private func decode(
    into target: UnsafeMutableRawBufferPointer, _ channels: Int, _ type: JxlDataType
  ) -> Bool {
    var format = JxlPixelFormat(
      num_channels: UInt32(channels), data_type: type, endianness: JXL_NATIVE_ENDIAN, align: 0)
    while true {
      switch next() {
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
