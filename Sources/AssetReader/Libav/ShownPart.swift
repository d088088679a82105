import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The part of the frame that an MXF or Matroska file says is to be shown, which libavformat of
/// FFmpeg 5.1 does not report.
///
/// IMX frames include lines of vertical blanking at the top: of 608 lines, 576 are shown.
struct ShownPart: Hashable {
  var left = 0
  var top = 0
  /// In pixels of the whole frame, not of a field.
  var width: Int
  var height: Int

  /// The most bytes searched for the description.
  private static let limit = 1 << 20

  /// The shown part of frames of a size; nil if all is shown, for other containers, and for a file
  /// that cannot be read twice.
  ///
  /// - Parameter formats: libavformat's names of the container.
  init?(_ path: String, of formats: [Substring], _ size: VideoDimensions) {
    let judge: ([UInt8], VideoDimensions) -> ShownPart?
    switch formats.first {
    case "mxf": judge = Self.partOfMXF
    case "matroska": judge = Self.partOfMatroska
    default: return nil
    }
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, let file = fopen(path, "re")
    else { return nil }
    defer { fclose(file) }
    let bytes = EBML.bytes(of: file, from: 0, count: min(Int(facts.st_size), Self.limit))
    guard let part = judge(bytes, size), part.width > 0, part.height > 0,
      part.width < size.width || part.height < size.height
    else { return nil }
    self = part
  }

  private init(left: Int, top: Int, width: Int, height: Int) {
    (self.left, self.top, self.width, self.height) = (left, top, width, height)
  }

  /// The display rectangle of the first picture descriptor (SMPTE ST 377-1, Annex E).
  private static func partOfMXF(_ bytes: [UInt8], _ size: VideoDimensions) -> ShownPart? {
    let key: [UInt8] = [
      0x06, 0x0E, 0x2B, 0x34, 0x02, 0x53, 0x01, 0x01, 0x0D, 0x01, 0x01, 0x01, 0x01, 0x01,
    ]
    // Generic, CDCI, RGBA and MPEG.
    let kinds: Set<UInt8> = [0x27, 0x28, 0x29, 0x51]
    let start = bytes.indices.dropLast(17).first {
      bytes[$0] == key[0] && kinds.contains(bytes[$0 + 14]) && bytes[$0...].starts(with: key)
    }
    guard let start else { return nil }
    // A BER length: one byte, or the number of length bytes that follow.
    let first = bytes[start + 16]
    let digits = first < 0x80 ? 0 : Int(first & 0x7F)
    guard digits <= 8, start + 17 + digits <= bytes.count else { return nil }
    let length = digits == 0 ? Int(first) : EBML.number(bytes[start + 17..<start + 17 + digits])
    let values = localValues(bytes.dropFirst(start + 17 + digits).prefix(max(0, length)))
    guard let width = values[0x3209], let height = values[0x3208] else { return nil }
    // For separate fields and segmented frames, the heights are those of a field.
    let fields = values[0x320C] == 1 || values[0x320C] == 4 ? 2 : 1
    return ShownPart(
      left: values[0x320A] ?? 0, top: (values[0x320B] ?? 0) * fields, width: width,
      height: height * fields)
  }

  /// The numbers of up to four bytes in a local set, by tag.
  private static func localValues(_ set: ArraySlice<UInt8>) -> [Int: Int] {
    var (values, rest) = ([Int: Int](), set)
    while rest.count >= 4 {
      let tag = EBML.number(rest.prefix(2))
      let length = EBML.number(rest.dropFirst(2).prefix(2))
      let value = rest.dropFirst(4).prefix(length)
      if value.count == length, length <= 4 { values[tag] = EBML.number(value) }
      rest = rest.dropFirst(4 + length)
    }
    return values
  }

  /// The cropping of the first video track (RFC 9559, `PixelCropTop` and so on).
  private static func partOfMatroska(_ bytes: [UInt8], _ size: VideoDimensions) -> ShownPart? {
    let key: [UInt8] = [0x16, 0x54, 0xAE, 0x6B]
    // The ID also occurs in the SeekHead before it.
    let places = bytes.indices.lazy.filter {
      bytes[$0] == key[0] && bytes[$0...].starts(with: key)
    }
    let video = places.compactMap { place in
      EBML.children(bytes[place...]).first.flatMap { tracks in
        EBML.children(tracks.data).lazy.filter { $0.id == 0xAE }
          .compactMap { EBML.children($0.data).first { $0.id == 0xE0 } }.first
      }
    }.first
    guard let video else { return nil }
    let values = Dictionary(
      EBML.children(video.data).filter { $0.data.count <= 4 }.map {
        ($0.id, EBML.number($0.data))
      }, uniquingKeysWith: { first, _ in first })
    let (left, right) = (values[0x54CC] ?? 0, values[0x54DD] ?? 0)
    let (top, bottom) = (values[0x54BB] ?? 0, values[0x54AA] ?? 0)
    return ShownPart(
      left: left, top: top, width: size.width - left - right, height: size.height - top - bottom)
  }
}
