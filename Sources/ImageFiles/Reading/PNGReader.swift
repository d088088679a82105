import CZlib
import TIFF

/// Reads the chunks of a PNG file (third edition).
struct PNGReader {
  /// The contents of the IHDR chunk.
  struct Header {
    let width: Int
    let height: Int
    let bitDepth: Int
    /// 0 gray, 2 color, 3 palette, 4 gray with alpha, 6 color with alpha.
    let colorType: Int
    let isInterlaced: Bool

    /// Samples per pixel.
    var samples: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 0 }
    /// Bits per pixel.
    var pixelBits: Int { samples * bitDepth }
  }

  static let mark: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  let header: Header
  /// True for an animation (APNG).
  private(set) var isAnimated = false
  /// Chromaticities of white, red, green and blue (`cHRM`); empty if not stated.
  private var chromaticities: [SIMD2<Double>] = []
  /// Which chunks describe the color space, in order of precedence.
  private var (hasCodePoints, hasFullRange, isSRGB) = (false, true, false)
  private var (hasTable, hasData) = (false, false)
  private(set) var facts: ImageFacts
  /// False if the file ends before its last chunk.
  private(set) var isWhole = false

  /// - Throws: ``ImageFileError/Code/invalidFile``.
  init(_ bytes: [UInt8]) throws(ImageFileError) {
    var chunks = Chunks(bytes: bytes)
    guard let first = chunks.next(), first.type == "IHDR",
      let header = Header(bytes[first.content])
    else { throw .invalidFile("it does not begin with a PNG header") }
    self.header = header
    facts = ImageFacts(width: header.width, height: header.height, bitDepth: header.bitDepth)
    facts.colorModel = [0, 4].contains(header.colorType) ? .gray : .rgb
    facts.hasAlpha = header.colorType >= 4
    facts.isIndexed = header.colorType == 3
    // Palette entries have 8 bits, whatever the depth of the indices.
    if facts.isIndexed { facts.bitDepth = 8 }
    facts.isProgressive = header.isInterlaced
    while let chunk = chunks.next() {
      if chunk.type == "IEND" { isWhole = true }
      take(chunk.type, chunk.content, of: bytes)
    }
    guard header.colorType != 3 || hasTable else {
      throw .invalidFile("it has no palette")
    }
    facts.isWhole = isWhole
  }

  private mutating func take(_ type: String, _ range: Range<Int>, of bytes: [UInt8]) {
    let content = bytes[range]
    func number(_ offset: Int) -> Int {
      content.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }
    switch type {
    case "PLTE": hasTable = content.count >= 3
    case "tRNS" where !hasData && header.colorType < 4:
      facts.hasAlpha =
        header.colorType == 3 ? hasTable && !content.isEmpty : content.count == 2 * header.samples
    case "IDAT": hasData = true
    case "acTL" where content.count == 8 && !hasData: isAnimated = number(0) > 1
    case "gAMA" where content.count == 4: facts.gamma = Double(number(0)) / 100_000
    case "pHYs" where content.count == 9 && content.last == 1:
      facts.resolution = SIMD2(Double(number(0)), Double(number(4))) * 0.0254
    case "cHRM" where content.count == 32:
      chromaticities = (0..<4).map {
        SIMD2(Double(number(8 * $0)), Double(number(8 * $0 + 4))) / 100_000
      }
    case "cICP" where content.count == 4:
      facts.codePoints = content.prefix(3).map { Int($0) }
      (hasCodePoints, hasFullRange) = (true, content.last == 1)
    case "sRGB":
      isSRGB = true
      if !hasCodePoints { facts.codePoints = [1, 13, 0] }
    case "iCCP":
      guard let end = content.firstIndex(of: 0),
        content.distance(from: end, to: content.endIndex) > 2
      else { return }
      facts.profile = Self.inflated(content[(end + 2)...], limit: 1 << 24)
      if facts.profile == nil { facts.notes.append("the color profile is damaged and ignored") }
    case "eXIf": facts.take(exif: Array(content))
    case "tEXt", "zTXt", "iTXt": takeText(type, content)
    default: break
    }
  }

  private mutating func takeText(_ type: String, _ content: ArraySlice<UInt8>) {
    guard let end = content.firstIndex(of: 0) else { return }
    let keyword = String(decoding: content[..<end], as: UTF8.self)
    var rest = content[(end + 1)...]
    var isDeflated = false
    if type == "zTXt" {
      isDeflated = true
      rest = rest.dropFirst()
    } else if type == "iTXt" {
      guard rest.count > 2 else { return }
      isDeflated = rest[rest.startIndex] == 1
      rest = rest.dropFirst(2)
      // Skip the language and the translated keyword.
      for _ in 0..<2 {
        guard let end = rest.firstIndex(of: 0) else { return }
        rest = rest[(end + 1)...]
      }
    }
    guard let text = isDeflated ? Self.inflated(rest, limit: 1 << 24) : Array(rest) else {
      facts.notes.append("the text \(keyword) is damaged and ignored")
      return
    }
    if keyword == "XML:com.adobe.xmp" {
      facts.xmp = text
    } else {
      // The older chunks are in ISO 8859-1.
      facts.texts[keyword] =
        type == "iTXt"
        ? String(decoding: text, as: UTF8.self)
        : String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) }))
    }
  }

  /// Inflates zlib data; nil if they are damaged or exceed the limit.
  private static func inflated(_ data: ArraySlice<UInt8>, limit: Int) -> [UInt8]? {
    var inflater = Inflater()
    guard let bytes = inflater?.append(Array(data), limit: limit) else { return nil }
    return inflater?.isFinished == true ? bytes : nil
  }

  /// The chunks after the file's signature.
  private struct Chunks {
    let bytes: [UInt8]
    private var place = PNGReader.mark.count

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> (type: String, content: Range<Int>)? {
      guard place + 8 <= bytes.count else { return nil }
      let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let type = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
      let start = place + 8
      guard start + length + 4 <= bytes.count else { return nil }
      place = start + length + 4
      if type == "IEND" { place = bytes.count }
      return (type, start..<start + length)
    }
  }
}

extension PNGReader {
  /// The color space, in the order of precedence of the third edition (4.3): code points, profile, sRGB, or gamma
  /// and chromaticities.
  var color: ImageFileColor {
    if hasCodePoints {
      var color = ImageFileColor(profile: nil, codePoints: facts.codePoints)
      if !hasFullRange {
        color.add(note: "the values have narrow range, but are treated as full-range")
      }
      return color
    }
    guard facts.profile == nil, !isSRGB else {
      return ImageFileColor(
        profile: facts.profile, codePoints: isSRGB ? [1, 13, 0] : nil)
    }
    return ImageFileColor(gamma: facts.gamma, chromaticities: chromaticities)
  }
}

extension PNGReader.Header {
  /// Nil for values that the format does not allow.
  fileprivate init?(_ content: ArraySlice<UInt8>) {
    guard content.count == 13 else { return nil }
    let bytes = Array(content)
    let width = bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }
    let height = bytes[4..<8].reduce(0) { $0 << 8 | Int($1) }
    let depths: [Int: [Int]] = [
      0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]
    guard (1...1 << 24).contains(width), (1...1 << 24).contains(height),
      depths[Int(bytes[9])]?.contains(Int(bytes[8])) == true, bytes[10] == 0, bytes[11] == 0,
      bytes[12] <= 1
    else { return nil }
    self.init(
      width: width, height: height, bitDepth: Int(bytes[8]), colorType: Int(bytes[9]),
      isInterlaced: bytes[12] == 1)
  }
}
