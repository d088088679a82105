import MediaCore

/// The first line of a YUV4MPEG2 stream, as defined by mjpegtools (yuv4mpeg(5)) and extended by
/// FFmpeg to more than 8 bits.
struct Y4MHeader: Sendable, Hashable {
  /// The bytes at the start of a stream.
  static let magic = [UInt8]("YUV4MPEG2 ".utf8)
  /// The longest header line accepted, far longer than any writer's.
  static let limit = 4096

  /// The video format.
  var format: RawVideoFormat
  /// The file's name of the pixel format.
  var colorSpace: String
  /// True if the file has luma only; chroma is then filled in.
  var isMonochrome: Bool

  /// Reads the line after the magic.
  ///
  /// - Throws: ``AssetReaderError/Code/corrupt`` or ``AssetReaderError/Code/unsupported``.
  init(line: [UInt8], name: String) throws(AssetReaderError) {
    guard line.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      throw Self.damage(name, "the header is not text")
    }
    var width: Int?
    var height: Int?
    var rate: FrameRate?
    var fields = FieldOrder.progressive
    var statesFieldOrder = false
    var aspect = PixelAspectRatio.square
    var space: String?
    var range: ColorDescription.Range?
    for word in String(decoding: line, as: UTF8.self).split(separator: " ") {
      let value = String(word.dropFirst())
      switch word.first {
      case "W": width = Int(value)
      case "H": height = Int(value)
      case "F": rate = Self.fraction(value).flatMap { FrameRate($0, $1) }
      case "I":
        fields = try Self.fieldOrder(value, name: name)
        statesFieldOrder = ["p", "t", "b"].contains(value)
      case "A": aspect = Self.fraction(value).map { PixelAspectRatio($0, $1) } ?? .square
      case "C": space = value
      case "X": range = Self.range(value) ?? range
      default: break
      }
    }
    guard let width, let height, (1...16_384).contains(width), (1...16_384).contains(height) else {
      throw Self.damage(name, "the header has no size from 1x1 to 16384x16384")
    }
    guard let rate else { throw Self.damage(name, "the header has no frame rate") }
    colorSpace = space ?? "420jpeg"
    let layout = try Self.layout(colorSpace, name: name)
    isMonochrome = colorSpace.hasPrefix("mono")
    format = RawVideoFormat(
      unchecked: PixelBuffer.Description(
        format: layout, width: width, height: height,
        color: .unspecified.with(range: range ?? .video), fieldOrder: fields,
        pixelAspectRatio: aspect, chromaSiting: Self.chromaSiting(space ?? "")),
      frameRate: rate)
    format.statesFieldOrder = statesFieldOrder
  }

  private static func damage(_ name: String, _ what: String) -> AssetReaderError {
    AssetReaderError(.corrupt, "\(name) is not valid Y4M: \(what); create the file again")
  }

  private static func fraction(_ text: String) -> (Int32, Int32)? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let top = Int32(parts[0]), let bottom = Int32(parts[1]) else {
      return nil
    }
    return (top, bottom)
  }

  private static func range(_ text: String) -> ColorDescription.Range? {
    switch text {
    case "COLORRANGE=FULL": .full
    case "COLORRANGE=LIMITED": .video
    default: nil
    }
  }

  private static func fieldOrder(
    _ text: String, name: String
  ) throws(AssetReaderError) -> FieldOrder {
    switch text {
    case "p", "?": return .progressive
    case "t": return .topFieldFirst
    case "b": return .bottomFieldFirst
    case "m":
      throw AssetReaderError(
        .unsupported,
        "\(name): Y4M with mixed progressive and interlaced frames is not supported; use one kind")
    default: throw damage(name, "interlacing '\(text)' is not defined")
    }
  }

  /// The chroma siting that the format's name states; a plain `420`, or no name, is written for any
  /// siting.
  private static func chromaSiting(_ space: String) -> ChromaSiting {
    switch space {
    case "420jpeg": .center
    case "420paldv": .topLeft
    default: .left
    }
  }

  private static func layout(_ space: String, name: String) throws(AssetReaderError) -> PixelFormat
  {
    switch space {
    case "420", "420jpeg", "420mpeg2", "420paldv", "mono": return .yuv420p8
    case "420p10", "mono10": return .yuv420p10
    case "420p12", "mono12": return .yuv420p12
    case "422": return .yuv422p8
    case "422p10": return .yuv422p10
    case "422p12": return .yuv422p12
    case "422p16": return .yuv422p16
    case "444": return .yuv444p8
    case "444p10": return .yuv444p10
    case "444p12": return .yuv444p12
    case "444p16": return .yuv444p16
    case "444alpha": return .yuva444p8
    default:
      throw AssetReaderError(
        .unsupported,
        "\(name): the Y4M layout C\(space) is not read; convert it, for example to 422p10 "
          + "(ffmpeg -pix_fmt yuv422p10le)")
    }
  }
}

extension RawVideoFormat {
  /// Creates a format whose size may be odd, because Y4M rounds chroma up.
  init(unchecked frame: PixelBuffer.Description, frameRate: FrameRate) {
    self.frame = frame
    self.frameRate = frameRate
  }
}
