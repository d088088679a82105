/// Application segments of a JPEG file.
enum JPEGSegments {
  /// The greatest length of a segment's content in bytes.
  static let limit = 65_533

  static let xmpName = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  static let gainMapName = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)

  /// A segment; nil if its content is too long.
  static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8]? {
    guard content.count <= limit else { return nil }
    let length = content.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
  }

  /// EXIF; nil beyond 64 KiB.
  static func exif(_ tiff: [UInt8]) -> [UInt8]? { segment(0xE1, Array("Exif\0\0".utf8) + tiff) }

  /// An XMP packet; nil beyond 64 KiB.
  static func xmp(_ packet: String) -> [UInt8]? { segment(0xE1, xmpName + Array(packet.utf8)) }

  /// A color profile, in as many segments as needed (ICC.1 annex B.4).
  static func profile(_ profile: [UInt8]) -> [UInt8] {
    let most = limit - 14
    let count = (profile.count + most - 1) / most
    return (0..<count).flatMap { index in
      let part = profile[index * most..<min((index + 1) * most, profile.count)]
      return segment(
        0xE2,
        Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(truncatingIfNeeded: count)]
          + Array(part)) ?? []
    }
  }

  /// libjpeg-turbo's output without its SOI and JFIF segment, because EXIF must come first and states the
  /// resolution.
  static func body(_ file: [UInt8]) -> ArraySlice<UInt8> {
    guard file.count > 6, file[2] == 0xFF, file[3] == 0xE0 else { return file.dropFirst(2) }
    return file.dropFirst(4 + (Int(file[4]) << 8 | Int(file[5])))
  }
}
