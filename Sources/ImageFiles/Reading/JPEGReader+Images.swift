import CTurboJPEG
import RawDevelop

extension JPEGReader {
  /// Facts from the segments before an image's data.
  ///
  /// - Throws: ``ImageFileError/Code/invalidFile``.
  static func facts(_ bytes: [UInt8]) throws(ImageFileError) -> ImageFacts {
    var segments = Segments(bytes: bytes)
    var facts: ImageFacts?
    var said = ImageFacts(width: 0, height: 0, bitDepth: 8)
    var profile: [Int: ArraySlice<UInt8>] = [:]
    var unread: Set<String> = []
    while let (marker, content) = try segments.next() {
      switch marker {
      case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
        facts = try frame(Array(content), isProgressive: [0xC2, 0xC6, 0xCA, 0xCE].contains(marker))
      case 0xE0 where content.starts(with: "JFIF\0".utf8): said.take(jfif: Array(content))
      case 0xE1 where content.starts(with: "Exif\0\0".utf8) && said.exif == nil:
        said.take(exif: Array(content.dropFirst(6)))
      case 0xE1 where content.starts(with: JPEGSegments.xmpName) && said.xmp == nil:
        said.xmp = Array(content.dropFirst(JPEGSegments.xmpName.count))
      case 0xE2 where content.starts(with: "ICC_PROFILE\0".utf8) && content.count > 14:
        profile[Int(content[content.startIndex + 12])] = content.dropFirst(14)
      default: if let name = Self.unread(marker, content) { unread.insert(name) }
      }
    }
    guard let frame = facts else {
      throw .invalidFile("it has no frame header before its data")
    }
    (said.width, said.height, said.bitDepth) = (frame.width, frame.height, frame.bitDepth)
    (said.colorModel, said.isProgressive) = (frame.colorModel, frame.isProgressive)
    let parts = profile.sorted { $0.key < $1.key }.flatMap { Array($0.value) }
    if !parts.isEmpty { said.profile = parts }
    said.notes += unread.sorted().map { "\($0) is not read" }
    said.isWhole = images(in: bytes).first.map { _ in true } ?? false
    return said
  }

  /// The name of a segment that is not read; nil for any other segment.
  private static func unread(_ marker: UInt8, _ content: ArraySlice<UInt8>) -> String? {
    switch marker {
    case 0xE1 where content.starts(with: "http://ns.adobe.com/xmp/extension/\0".utf8):
      "the part of XMP beyond 64 KiB"
    case 0xED where content.starts(with: "Photoshop 3.0\0".utf8): "Photoshop's segment (IPTC)"
    case 0xFE where !content.isEmpty: "the comment"
    default: nil
    }
  }

  /// A frame header (ITU-T T.81, B.2.2).
  private static func frame(
    _ bytes: [UInt8], isProgressive: Bool
  ) throws(ImageFileError) -> ImageFacts {
    guard bytes.count >= 6, bytes.count >= 6 + 3 * Int(bytes[5]), [1, 3, 4].contains(bytes[5])
    else { throw .invalidFile("its frame header is damaged") }
    var facts = ImageFacts(
      width: Int(bytes[3]) << 8 | Int(bytes[4]), height: Int(bytes[1]) << 8 | Int(bytes[2]),
      bitDepth: Int(bytes[0]))
    guard facts.width > 0, facts.height > 0 else { throw .invalidFile("its image has no size") }
    facts.colorModel = bytes[5] == 1 ? .gray : bytes[5] == 3 ? .rgb : .cmyk
    facts.isProgressive = isProgressive
    return facts
  }

  /// The ranges of the images in a file: the first one and those that directly follow it, such as gain maps.
  /// Empty if the first has no end.
  static func images(in bytes: [UInt8]) -> [Range<Int>] {
    bytes.withUnsafeBufferPointer { bytes in
      var found: [Range<Int>] = []
      var start = 0
      while found.count < 16, bytes.dropFirst(start).starts(with: [0xFF, 0xD8]),
        let end = Segments.end(of: bytes, from: start + 2)
      {
        found.append(start..<end)
        start = end
      }
      return found
    }
  }

  /// Decodes the first image in the bytes.
  ///
  /// - Parameter side: The least acceptable length of the longer side: the image may be reduced by powers of two
  ///   down to it. Nil for full size.
  /// - Throws: ``ImageFileError/Code/invalidFile`` with libjpeg-turbo's message.
  static func decoded(
    _ bytes: [UInt8], _ facts: ImageFacts, side: Int? = nil
  ) throws(ImageFileError) -> DecodedImage {
    let longest = max(facts.width, facts.height)
    let shrink = [8, 4, 2].first { longest / $0 >= side ?? .max } ?? 1
    let (width, height) = (
      (facts.width + shrink - 1) / shrink, (facts.height + shrink - 1) / shrink
    )
    let channels = facts.colorModel == .gray ? 1 : facts.colorModel == .cmyk ? 4 : 3
    // A block of 64 samples takes at least one or two bits.
    guard channels * facts.width * facts.height <= 1024 * bytes.count + 65_536 else {
      throw .invalidFile("it claims more pixels than its data can hold")
    }
    var (samples, warning) = try samples(bytes, width: width, height: height, channels)
    var notes = warning.map { ["libjpeg-turbo says: \($0)"] } ?? []
    if facts.colorModel == .cmyk {
      samples = colors(inks: samples, areInverted: hasAdobeMarker(bytes))
      notes.append("inks were converted to red, green and blue without a profile")
    }
    let color = ImageFileColor(
      profile: facts.colorModel == .cmyk ? nil : facts.profile, codePoints: nil)
    var decoded = color.decoded(
      ImageSamples(
        width: width, height: height, channels: channels == 4 ? 3 : channels,
        samples: .uint8(samples)))
    if facts.isWhole == false { notes.append("the file ends before its image does") }
    decoded.notes += notes
    return decoded
  }

  private static func samples(
    _ bytes: [UInt8], width: Int, height: Int, _ channels: Int
  ) throws(ImageFileError) -> (samples: [UInt8], warning: String?) {
    guard let decompressor = tjInitDecompress() else {
      throw .refused("libjpeg-turbo", "no memory")
    }
    defer { tjDestroy(decompressor) }
    let format = channels == 1 ? TJPF_GRAY : channels == 3 ? TJPF_RGB : TJPF_CMYK
    var status: Int32 = 0
    let samples = [UInt8](unsafeUninitializedCapacity: channels * width * height) { target, count in
      target.initialize(repeating: 128)
      count = channels * width * height
      status = bytes.withUnsafeBufferPointer {
        tjDecompress2(
          decompressor, $0.baseAddress, UInt($0.count), target.baseAddress, Int32(width), 0,
          Int32(height), Int32(format.rawValue), TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS)
      }
    }
    guard status != 0 else { return (samples, nil) }
    let words = tjGetErrorStr2(decompressor).map { String(cString: $0) } ?? "error"
    guard tjGetErrorCode(decompressor) == Int32(TJERR_WARNING.rawValue) else {
      throw .invalidFile("libjpeg-turbo says: \(words)")
    }
    return (samples, words)
  }

  /// True for a file with Adobe's marker: its ink values are inverted.
  private static func hasAdobeMarker(_ bytes: [UInt8]) -> Bool {
    var segments = Segments(bytes: bytes)
    while let segment = try? segments.next() {
      if segment.marker == 0xEE, segment.content.starts(with: "Adobe".utf8) { return true }
    }
    return false
  }

  /// Red, green and blue from CMYK inks.
  private static func colors(inks: [UInt8], areInverted: Bool) -> [UInt8] {
    var colors: [UInt8] = []
    colors.reserveCapacity(inks.count / 4 * 3)
    func light(_ place: Int) -> Int { areInverted ? Int(inks[place]) : 255 - Int(inks[place]) }
    for place in stride(from: 0, to: inks.count, by: 4) {
      for part in 0..<3 {
        colors.append(UInt8((light(place + part) * light(place + 3) + 127) / 255))
      }
    }
    return colors
  }
}

extension ImageFacts {
  /// Takes over the JFIF header (ITU-T T.871).
  fileprivate mutating func take(jfif bytes: [UInt8]) {
    guard bytes.count >= 12 else { return }
    let density = [Int(bytes[8]) << 8 | Int(bytes[9]), Int(bytes[10]) << 8 | Int(bytes[11])]
    jfif = JFIF(
      version: [Int(bytes[5]), Int(bytes[6]) >> 4, Int(bytes[6]) & 15], densityUnit: Int(bytes[7]),
      density: density)
    guard density.allSatisfy({ $0 > 0 }) else { return }
    let across = SIMD2(Double(density[0]), Double(density[1]))
    if bytes[7] == 1 { resolution = across }
    if bytes[7] == 2 { resolution = across * 2.54 }
  }
}
