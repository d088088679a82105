/// The tags of a TIFF file, or of the Exif data in another one, as far as the library asks for them.
///
/// The bytes may be anything: every offset is checked, and what makes no sense is left out.
struct TIFFDirectory {
  /// Tags that are asked for (TIFF 6, TIFF/EP, Exif 2.3, DNG 1.4).
  enum Tag: UInt16 {
    case gpsLatitudeRef = 1
    case gpsLatitude = 2
    case gpsLongitudeRef = 3
    case gpsLongitude = 4
    case gpsAltitudeRef = 5
    case gpsAltitude = 6
    case newSubfileType = 254
    case imageWidth = 256
    case imageLength = 257
    case compression = 259
    case photometricInterpretation = 262
    case make = 271
    case model = 272
    case stripOffsets = 273
    case stripByteCounts = 279
    case software = 305
    case dateTime = 306
    case subIFDs = 330
    case exifIFD = 34665
    case gpsIFD = 34853
    case dateTimeOriginal = 36867
    case dngVersion = 50706
  }

  private let isBigEndian: Bool
  private let read: (_ offset: Int64, _ count: Int) -> [UInt8]
  private var values: [UInt16: (type: UInt16, count: UInt32, place: [UInt8])] = [:]

  /// The first directory; nil where there is none. `read` gives bytes from an offset on, fewer where
  /// the file ends.
  init?(_ read: @escaping (_ offset: Int64, _ count: Int) -> [UInt8]) {
    let header = read(0, 8)
    guard header.count == 8 else { return nil }
    let isBigEndian = header[0] == 0x4D
    let start = Self.number(header[4..<8], isBigEndian)
    self.init(at: Int64(start), isBigEndian: isBigEndian, read)
  }

  private init?(
    at offset: Int64, isBigEndian: Bool, _ read: @escaping (Int64, Int) -> [UInt8]
  ) {
    self.isBigEndian = isBigEndian
    self.read = read
    let head = read(offset, 2)
    guard head.count == 2 else { return nil }
    let count = Int(Self.number(head[...], isBigEndian))
    let entries = read(offset + 2, count * 12)
    guard count > 0, entries.count == count * 12 else { return nil }
    for start in stride(from: 0, to: entries.count, by: 12) {
      let tag = UInt16(Self.number(entries[start..<(start + 2)], isBigEndian))
      let type = UInt16(Self.number(entries[(start + 2)..<(start + 4)], isBigEndian))
      let values = Self.number(entries[(start + 4)..<(start + 8)], isBigEndian)
      self.values[tag] = (type, values, [UInt8](entries[(start + 8)..<(start + 12)]))
    }
  }

  /// True where the tag is there.
  func has(_ tag: Tag) -> Bool { values[tag.rawValue] != nil }

  /// The whole numbers of a tag, up to 64 of them.
  func numbers(_ tag: Tag) -> [Int] {
    guard let value = values[tag.rawValue] else { return [] }
    let width =
      switch value.type {
      case 1, 7: 1
      case 3: 2
      case 4, 13: 4
      default: 0
      }
    guard width > 0 else { return [] }
    let bytes = bytes(value, width: width, limit: 64)
    return stride(from: 0, to: bytes.count - width + 1, by: width).map {
      Int(Self.number(bytes[$0..<($0 + width)], isBigEndian))
    }
  }

  /// The fractions of a tag, up to 8 of them; none where one has no value.
  func rationals(_ tag: Tag) -> [Double] {
    guard let value = values[tag.rawValue], value.type == 5 else { return [] }
    let bytes = bytes(value, width: 8, limit: 8)
    let numbers = stride(from: 0, to: bytes.count - 7, by: 8).map { start in
      Double(Self.number(bytes[start..<(start + 4)], isBigEndian))
        / Double(Self.number(bytes[(start + 4)..<(start + 8)], isBigEndian))
    }
    return numbers.allSatisfy(\.isFinite) ? numbers : []
  }

  /// The text of a tag; nil where there is none.
  func text(_ tag: Tag) -> String? {
    guard let value = values[tag.rawValue], value.type == 2 else { return nil }
    let bytes = bytes(value, width: 1, limit: 256).prefix { $0 != 0 }
    let text = String(decoding: bytes, as: UTF8.self)
    let spaces = text.reversed().prefix { $0 == " " }.count
    return text.isEmpty ? nil : String(text.dropLast(spaces))
  }

  /// The directories that the tag leads to, up to 16.
  func directories(_ tag: Tag) -> [TIFFDirectory] {
    numbers(tag).prefix(16).compactMap {
      TIFFDirectory(at: Int64($0), isBigEndian: isBigEndian, read)
    }
  }

  private func bytes(
    _ value: (type: UInt16, count: UInt32, place: [UInt8]), width: Int, limit: Int
  ) -> [UInt8] {
    let count = min(Int(value.count), limit) * width
    guard count > 4 else { return [UInt8](value.place.prefix(count)) }
    return read(Int64(Self.number(value.place[...], isBigEndian)), count)
  }

  private static func number(_ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool) -> UInt32 {
    isBigEndian
      ? bytes.reduce(0) { $0 << 8 | UInt32($1) }
      : bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
