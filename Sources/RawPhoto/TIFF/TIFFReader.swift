import MediaCore

/// Reads TIFF directories from bytes that nobody vouches for.
///
/// Nothing is taken for granted: every offset and count is checked against the file before memory
/// is taken, directories are visited once, there is an end to how many there may be, and all values
/// together are at most twice as large as the file, however many entries lead to the same bytes.
struct TIFFReader {
  /// Directories of a file at most.
  static let directoryLimit = 64
  /// Entries of a directory at most.
  static let entryLimit = 4096

  private let bytes: [UInt8]
  private let isLittleEndian: Bool
  private var visited: Set<Int> = []
  /// Bytes that values may still have.
  private var valueBudget: Int

  /// A directory as it was read.
  struct Directory {
    var entries: [TIFFTag: TIFFValue] = [:]
    /// Where the directory lies in the file.
    var offset = 0
    var children: [Directory] = []
    var exif: [TIFFTag: TIFFValue] = [:]
    var gps: [TIFFTag: TIFFValue] = [:]

    /// All numbers of an entry.
    func numbers(_ tag: TIFFTag) -> [Double]? { entries[tag].map(\.numbers) }
    /// The first number of an entry as an integer, where it is one.
    func integer(_ tag: TIFFTag) -> Int? {
      entries[tag]?.numbers.first.flatMap { Int(exactly: $0.rounded()) }
    }
  }

  init(_ bytes: [UInt8]) throws(RawPhotoError) {
    guard bytes.count >= 8 else { throw Self.damaged("it is too short") }
    switch (bytes[0], bytes[1]) {
    case (0x49, 0x49): isLittleEndian = true
    case (0x4D, 0x4D): isLittleEndian = false
    default: throw Self.damaged("it does not begin as TIFF does")
    }
    self.bytes = bytes
    valueBudget = 2 * bytes.count
    guard try word(2) == 42 else { throw Self.damaged("it does not begin as TIFF does") }
  }

  static func damaged(_ what: String) -> RawPhotoError {
    RawPhotoError(.invalidFile, "not a DNG file, or a damaged one: \(what)")
  }

  /// The first directory, with all that hang on it.
  mutating func readRoot() throws(RawPhotoError) -> Directory {
    try readDirectory(at: Int(try long(4)), depth: 0)
  }

  private func word(_ offset: Int) throws(RawPhotoError) -> UInt16 {
    UInt16(truncatingIfNeeded: try number(offset, 2))
  }

  private func long(_ offset: Int) throws(RawPhotoError) -> UInt32 {
    UInt32(truncatingIfNeeded: try number(offset, 4))
  }

  private func number(_ offset: Int, _ size: Int) throws(RawPhotoError) -> UInt64 {
    guard offset >= 0, offset <= bytes.count - size else {
      throw Self.damaged("something lies beyond its end")
    }
    var value: UInt64 = 0
    for index in 0..<size {
      let byte = UInt64(bytes[offset + (isLittleEndian ? size - 1 - index : index)])
      value = value << 8 | byte
    }
    return value
  }

  private mutating func readDirectory(
    at offset: Int, depth: Int
  ) throws(RawPhotoError) -> Directory {
    guard depth <= 3, visited.count < Self.directoryLimit, visited.insert(offset).inserted else {
      throw Self.damaged("its directories do not end")
    }
    let count = Int(try word(offset))
    guard count <= Self.entryLimit, offset + 2 + 12 * count <= bytes.count else {
      throw Self.damaged("a directory reaches beyond its end")
    }
    var directory = Directory()
    directory.offset = offset
    for index in 0..<count {
      let entry = offset + 2 + 12 * index
      let tag = TIFFTag(rawValue: try word(entry))
      if let value = try readValue(entry) { directory.entries[tag] = value }
    }
    for child in directory.entries[.subIFDs]?.numbers ?? [] {
      guard let place = Int(exactly: child) else {
        throw Self.damaged("a directory's offset is not a whole number")
      }
      directory.children.append(try readDirectory(at: place, depth: depth + 1))
    }
    // What cannot be read of EXIF is no reason to refuse the picture.
    if let place = directory.integer(.exifIFD) {
      directory.exif = (try? readDirectory(at: place, depth: 3).entries) ?? [:]
    }
    if let place = directory.integer(.gpsIFD) {
      directory.gps = (try? readDirectory(at: place, depth: 3).entries) ?? [:]
    }
    return directory
  }

  /// The value of an entry; nil for a type that nobody knows, and for numbers that are none.
  private mutating func readValue(_ entry: Int) throws(RawPhotoError) -> TIFFValue? {
    let type = try word(entry + 2)
    let count = Int(try long(entry + 4))
    let sizes: [UInt16: Int] = [
      1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4,
    ]
    guard let size = sizes[type] else { return nil }
    let length = count * size
    let start = length <= 4 ? entry + 8 : Int(try long(entry + 8))
    guard start >= 0, length <= bytes.count, start <= bytes.count - length else {
      throw Self.damaged("a value lies beyond its end")
    }
    guard length <= valueBudget else { throw Self.damaged("its values overlap") }
    valueBudget -= length
    func numbers<T>(_ step: Int, _ make: (UInt64) -> T) throws(RawPhotoError) -> [T] {
      var result: [T] = []
      result.reserveCapacity(count)
      for index in 0..<count { result.append(make(try number(start + index * step, step))) }
      return result
    }
    switch type {
    case 1, 6: return .bytes(Array(bytes[start..<start + length]))
    case 2:
      let text = bytes[start..<start + length].prefix { $0 != 0 }
      return .ascii(String(decoding: text, as: UTF8.self))
    case 3, 8: return .shorts(try numbers(2) { UInt16(truncatingIfNeeded: $0) })
    case 4, 9, 13: return .longs(try numbers(4) { UInt32(truncatingIfNeeded: $0) })
    case 7: return .undefined(Array(bytes[start..<start + length]))
    case 11:
      let values = try numbers(4) { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) }
      return values.allSatisfy(\.isFinite) ? .floats(values) : nil
    case 12:
      let values = try numbers(8) { Double(bitPattern: $0) }
      return values.allSatisfy(\.isFinite) ? .doubles(values) : nil
    case 5:
      var values: [TIFFValue.Rational] = []
      for index in 0..<count {
        values.append(
          .init(
            numerator: try long(start + 8 * index), denominator: try long(start + 8 * index + 4)))
      }
      return .rationals(values)
    default:
      var values: [TIFFValue.SignedRational] = []
      for index in 0..<count {
        values.append(
          .init(
            numerator: Int32(bitPattern: try long(start + 8 * index)),
            denominator: Int32(bitPattern: try long(start + 8 * index + 4))))
      }
      return .signedRationals(values)
    }
  }
}
