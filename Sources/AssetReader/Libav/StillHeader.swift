import TIFF

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Header information of still images that libavcodec does not read: DPX (SMPTE ST 268-1), OpenEXR,
/// PNG and TIFF.
struct StillHeader {
  /// Remarks to report, apart from the color.
  private(set) var remarks: [AssetRemark] = []
  /// The color of a PNG file; nil for others. Newer versions of libavcodec read it.
  private(set) var color: PNGColor?
  /// True if colors are premultiplied by alpha.
  private(set) var isAlphaPremultiplied = false
  /// A timecode that libavcodec does not report; nil if there is none.
  private(set) var timecodeText: String?
  /// Why libavcodec would decode the image incorrectly; nil if it decodes it correctly.
  private(set) var refusal: String?

  /// Bytes read first: all of a DPX header, and most OpenEXR headers.
  private static let firstBytes = 1 << 20
  /// The most bytes searched for an OpenEXR file's headers. Previews and renderers' text attributes
  /// make some longer than ``firstBytes``.
  private static let longestHeader = 1 << 28

  /// Nil for other files, and if the file cannot be read.
  init?(_ path: String) {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    _ = Self.readOn(file, &bytes, to: Self.firstBytes)
    if bytes.starts(with: Array("SDPX".utf8)) || bytes.starts(with: Array("XPDS".utf8)) {
      guard bytes.count >= 820 else { return nil }
      readDPX(bytes)
    } else if bytes.starts(with: [0x76, 0x2F, 0x31, 0x01]), bytes.count > 8 {
      var parts = bytes.withUnsafeBytes { EXRChunks($0)?.parts }
      while parts == nil, bytes.count < Self.longestHeader,
        Self.readOn(file, &bytes, to: bytes.count * 2)
      {
        parts = bytes.withUnsafeBytes { EXRChunks($0)?.parts }
      }
      guard let parts, let first = parts.first else { return nil }
      readEXR(first, of: parts.count)
    } else if let chunks = PNGChunks(bytes) {
      color = chunks.color
      loseOrientation(chunks.orientation, of: "PNG")
    } else if let tiff = try? TIFFFile({ Self.read(file, from: $0, count: $1) }) {
      readTIFF(tiff)
    } else {
      return nil
    }
  }

  /// Reads more of a file, up to a total of `count` bytes; false at its end.
  private static func readOn(
    _ file: UnsafeMutablePointer<FILE>, _ bytes: inout [UInt8], to count: Int
  ) -> Bool {
    let more = [UInt8](unsafeUninitializedCapacity: count - bytes.count) { buffer, got in
      got = fread(buffer.baseAddress, 1, buffer.count, file)
    }
    bytes += more
    return !more.isEmpty
  }

  /// Bytes from an offset, fewer if the file ends.
  private static func read(
    _ file: UnsafeMutablePointer<FILE>, from place: Int64, count: Int
  ) -> [UInt8] {
    guard count > 0, fseeko(file, off_t(place), SEEK_SET) == 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, got in
      got = fread(buffer.baseAddress, 1, buffer.count, file)
    }
  }

  /// The remarks to report.
  ///
  /// - Parameter isColored: True if libavcodec has read the color.
  func remarks(isColored: Bool) -> [AssetRemark] {
    guard let words = color?.nameless, !words.isEmpty, !isColored else { return remarks }
    return remarks + [
      AssetRemark(
        subject: "color", isLoss: true,
        message: "the PNG files' color (\(words.joined(separator: ", "))) dropped: "
          + "there is no code for it; name the color")
    ]
  }

  private mutating func lose(_ subject: String, _ message: String) {
    remarks.append(AssetRemark(subject: subject, isLoss: true, message: message))
  }

  private mutating func assume(_ subject: String, _ message: String) {
    remarks.append(AssetRemark(subject: subject, isLoss: false, message: message))
  }

  // MARK: DPX

  private static let orientations = [
    "right to left", "bottom to top", "right to left and bottom to top", "in columns",
    "in columns from right to left", "in columns from bottom to top",
    "in columns from right to left and bottom to top",
  ]

  private mutating func readDPX(_ header: [UInt8]) {
    let isLittle = header[0] == UInt8(ascii: "X")
    func number(_ place: Int, _ count: Int) -> Int {
      let bytes = header[place..<place + count]
      return (isLittle ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | Int($1) }
    }
    let creator = String(decoding: header[160..<164], as: UTF8.self)
    switch header[801] {
    case 1: assume("color", "the DPX files say printing density, which QuickTime has no code for")
    case 2 where creator == "Lavc" || creator == "Lavf":
      assume(
        "color",
        "the DPX files say linear, but FFmpeg writes this in every file; name the color if they are not"
      )
    case 3: assume("color", "the DPX files say logarithmic, which QuickTime has no code for")
    default: break
    }
    let orientation = number(768, 2)
    if (1...7).contains(orientation) {
      lose(
        "orientation",
        "the DPX files say that their images are stored \(Self.orientations[orientation - 1]): dropped, the "
          + "movie shows them as if from left to right and top to bottom")
    }
    let elements = number(770, 2)
    if (2...8).contains(elements) {
      lose("elements", "\(elements - 1) of \(elements) elements of the DPX files dropped")
    }
    // Only for RGB, with or without alpha: luma and chroma are at video range.
    let (low, high, bits) = (number(784, 4), number(792, 4), Int(header[803]))
    if (50...52).contains(header[800]), [8, 10, 12, 16].contains(bits), high > low,
      high < 1 << bits, low != 0 || high != 1 << bits - 1
    {
      assume(
        "range",
        "the DPX files say that black is code \(low) and white \(high); codes are taken from 0 to "
          + "\(1 << bits - 1)")
    }
  }

  // MARK: TIFF and Exif

  private static let turns = [
    2: "mirrored", 3: "turned by 180 degrees", 4: "upside down and mirrored",
    5: "mirrored and turned by 270 degrees", 6: "turned by 90 degrees",
    7: "mirrored and turned by 90 degrees", 8: "turned by 270 degrees",
  ]

  /// The orientation in the first directory; nil if there is none.
  static func orientation(_ file: TIFFFile) -> Int? {
    (try? file.firstDirectory().value(.orientation, byteLimit: 16))?.integers.first
  }

  private mutating func readTIFF(_ file: TIFFFile) {
    loseOrientation(Self.orientation(file), of: "TIFF")
    // ExtraSamples: 1 means that colors are premultiplied by alpha.
    let extra = try? file.firstDirectory().value(TIFFTag(rawValue: 338), byteLimit: 64)
    isAlphaPremultiplied = extra?.integers.first == 1
  }

  private mutating func loseOrientation(_ orientation: Int?, of kind: String) {
    guard let words = orientation.flatMap({ Self.turns[$0] }) else { return }
    lose(
      "orientation",
      "the \(kind) files say that their images are shown \(words): dropped, the movie shows them as stored"
    )
  }

  // MARK: OpenEXR

  private mutating func readEXR(_ part: EXRChunks.Part, of count: Int) {
    let (data, display) = (part.dataWindow, part.displayWindow)
    if display.left != 0 || display.top != 0 {
      refusal =
        "its display window begins at \(display.left),\(display.top), which makes libavcodec misplace "
        + "pixels; write it with a display window that begins at 0,0"
    }
    assume(
      "color",
      "OpenEXR files hold linear light, which is encoded unchanged; apply a look-up table, or name the color"
    )
    // Those of BT.709, the default for files that name none.
    let usual: [Float] = [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.3127, 0.329]
    if let places = part.chromaticities,
      !zip(places, usual).allSatisfy({ abs($0 - $1) <= 0.002 })
    {
      lose(
        "color",
        "the OpenEXR files' chromaticities (\(places.map { "\($0)" }.joined(separator: ", "))) dropped; name the "
          + "color if there is a name for it")
    }
    if !display.contains(data) {
      lose(
        "overscan",
        "pixels outside of the OpenEXR files' display window dropped: \(data.width)x\(data.height) pixels at "
          + "\(data.left),\(data.top), of which \(display.width)x\(display.height) at 0,0 are shown"
      )
    }
    // libavcodec ignores the case of channel names.
    let isColor = Set(["R", "G", "B"]).isSubset(of: part.channels.map { $0.uppercased() })
    isAlphaPremultiplied = part.channels.contains { $0.uppercased() == "A" }
    let read: Set = isColor ? ["R", "G", "B", "A"] : ["Y", "A", "X", "U", "V", "W", "Z"]
    let lost = part.channels.filter { !read.contains($0.uppercased()) }
    if !lost.isEmpty {
      lose("channels", "channels of the OpenEXR files dropped: \(lost.joined(separator: ", "))")
    }
    if count > 1 { lose("parts", "\(count - 1) of \(count) parts of the OpenEXR files dropped") }
    timecodeText = part.timecode.map(Self.timecode)
  }

  /// Decodes four-bit digits interleaved with flags (SMPTE ST 12).
  private static func timecode(_ word: UInt32) -> String {
    func digits(_ shift: UInt32, tens: UInt32) -> String {
      "\(word >> (shift + 4) & tens)\(word >> shift & 15)"
    }
    let frames = digits(0, tens: 3)
    return "\(digits(24, tens: 3)):\(digits(16, tens: 7)):\(digits(8, tens: 7))"
      + "\(word & 0x40 == 0 ? ":" : ";")\(frames)"
  }
}
