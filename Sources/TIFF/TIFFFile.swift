/// Reads a TIFF or BigTIFF file, or data laid out like one: Exif data, camera profiles.
///
/// The bytes are untrusted: every offset and count is checked before memory is allocated. Values
/// are read on demand.
package struct TIFFFile {
  /// Returns the bytes from an offset on, fewer at the end of the file.
  package typealias Read = (_ offset: Int64, _ count: Int) -> [UInt8]

  /// The kinds of header.
  package enum Form: Hashable, Sendable {
    /// TIFF 6, with 32-bit offsets.
    case classic
    /// BigTIFF, with 64-bit offsets.
    case big
    /// A DNG camera profile: `.dcp` files and ExtraCameraProfiles.
    case cameraProfile
  }

  /// The maximum number of entries in a directory.
  package static let entryLimit = 4096

  package let isLittleEndian: Bool
  package let form: Form
  /// The offset of the first directory.
  package let firstOffset: Int64
  fileprivate let read: Read

  /// Reads the header.
  ///
  /// - Throws: ``TIFFError/notTIFF``.
  package init(_ read: @escaping Read) throws(TIFFError) {
    let header = read(0, 16)
    guard header.count >= 8 else { throw .notTIFF }
    switch (header[0], header[1]) {
    case (0x49, 0x49): isLittleEndian = true
    case (0x4D, 0x4D): isLittleEndian = false
    default: throw .notTIFF
    }
    let numbers = ByteNumbers(header, isLittleEndian: isLittleEndian)
    switch numbers.unsigned(2, size: 2) {
    case 42: form = .classic
    case 43: form = .big
    case 0x4352: form = .cameraProfile
    default: throw .notTIFF
    }
    if form == .big {
      guard header.count == 16, numbers.unsigned(4, size: 2) == 8 else { throw .notTIFF }
    }
    let offset = form == .big ? numbers.unsigned(8, size: 8) : numbers.unsigned(4, size: 4)
    guard let offset = Int64(exactly: offset) else { throw .directoryBeyondEnd }
    firstOffset = offset
    self.read = read
  }

  /// Reads a file in memory, or the part that begins at an offset.
  ///
  /// - Throws: ``TIFFError/notTIFF``.
  package init(_ bytes: [UInt8], from start: Int = 0) throws(TIFFError) {
    let rest = bytes.dropFirst(max(start, 0))
    try self.init { offset, count in
      guard offset >= 0, offset < rest.count, count > 0 else { return [] }
      return Array(rest.dropFirst(Int(offset)).prefix(count))
    }
  }

  /// The first directory.
  ///
  /// - Throws: ``TIFFError/directoryBeyondEnd``.
  package func firstDirectory() throws(TIFFError) -> Directory { try directory(at: firstOffset) }

  /// The directory at an offset.
  ///
  /// - Throws: ``TIFFError/directoryBeyondEnd``.
  package func directory(at offset: Int64) throws(TIFFError) -> Directory {
    let isBig = form == .big
    let (head, size) = isBig ? (8, 20) : (2, 12)
    guard offset >= 0, offset < .max - 1 << 32 else { throw .directoryBeyondEnd }
    let start = read(offset, head)
    guard start.count == head else { throw .directoryBeyondEnd }
    let claimed = ByteNumbers(start, isLittleEndian: isLittleEndian).unsigned(0, size: head)
    guard claimed <= UInt64(Self.entryLimit) else { throw .directoryBeyondEnd }
    let count = Int(claimed)
    // At the end of a file, the offset of the next directory may be missing.
    let records = read(offset + Int64(head), count * size + head * (isBig ? 1 : 2))
    guard records.count >= count * size else { throw .directoryBeyondEnd }
    return Directory(file: self, offset: offset, records: records, count: count)
  }

  /// A directory with its entries, whose values are still in the file.
  package struct Directory {
    private struct Entry {
      var type: UInt16
      var count: UInt64
      /// Where the value, or its offset, is in the records.
      var place: Int
    }

    /// The directory's offset in the file.
    package let offset: Int64
    /// The next directory's offset; nil for the last directory.
    package let nextOffset: Int64?
    private let file: TIFFFile
    private let records: [UInt8]
    private var entries: [TIFFTag: Entry] = [:]

    fileprivate init(file: TIFFFile, offset: Int64, records: [UInt8], count: Int) {
      let isBig = file.form == .big
      let (size, width) = isBig ? (20, 8) : (12, 4)
      let numbers = ByteNumbers(records, isLittleEndian: file.isLittleEndian)
      self.file = file
      self.offset = offset
      self.records = records
      let next =
        records.count >= count * size + width ? numbers.unsigned(count * size, size: width) : 0
      nextOffset = next == 0 ? nil : Int64(exactly: next)
      for index in 0..<count {
        let start = index * size
        let tag = TIFFTag(rawValue: UInt16(truncatingIfNeeded: numbers.unsigned(start, size: 2)))
        entries[tag] = Entry(
          type: UInt16(truncatingIfNeeded: numbers.unsigned(start + 2, size: 2)),
          count: numbers.unsigned(start + 4, size: width), place: start + 4 + width)
      }
    }

    /// The tags in the directory.
    package var tags: some Collection<TIFFTag> { entries.keys }

    package func has(_ tag: TIFFTag) -> Bool { entries[tag] != nil }

    /// The value of a tag; nil if it is missing, of unknown type, or contains floating-point
    /// numbers that are not finite.
    ///
    /// - Parameter byteLimit: The maximum size of the value in bytes.
    /// - Throws: ``TIFFError/valueBeyondEnd(_:)``, ``TIFFError/valueTooLarge(_:)``.
    package func value(_ tag: TIFFTag, byteLimit: Int) throws(TIFFError) -> TIFFValue? {
      guard let entry = entries[tag], let size = TIFFValue.size(ofType: entry.type) else {
        return nil
      }
      guard let count = Int(exactly: entry.count), count <= Int.max / 16 else {
        throw .valueBeyondEnd(tag)
      }
      let length = count * size
      let width = file.form == .big ? 8 : 4
      if length <= width {
        return TIFFValue(
          type: entry.type, bytes: Array(records[entry.place..<entry.place + length]),
          isLittleEndian: file.isLittleEndian)
      }
      let place = ByteNumbers(records, isLittleEndian: file.isLittleEndian)
        .unsigned(entry.place, size: width)
      guard let place = Int64(exactly: place), place <= .max - Int64(length),
        // Check that the value ends within the file before reading it.
        file.read(place + Int64(length) - 1, 1).count == 1
      else { throw .valueBeyondEnd(tag) }
      guard length <= byteLimit else { throw .valueTooLarge(tag) }
      let bytes = file.read(place, length)
      guard bytes.count == length else { throw .valueBeyondEnd(tag) }
      return TIFFValue(type: entry.type, bytes: bytes, isLittleEndian: file.isLittleEndian)
    }

    /// The size of a tag's value in bytes; 0 if it is missing or of unknown type.
    package func byteCount(_ tag: TIFFTag) -> Int {
      guard let entry = entries[tag], let size = TIFFValue.size(ofType: entry.type) else {
        return 0
      }
      return Int(clamping: entry.count.multipliedReportingOverflow(by: UInt64(size)).partialValue)
    }

    /// The directories to which a tag points, at most 16, without unreadable ones.
    package func directories(_ tag: TIFFTag) -> [Directory] {
      let offsets = (try? value(tag, byteLimit: 1 << 16))?.integers ?? []
      return offsets.prefix(16).compactMap { try? file.directory(at: Int64($0)) }
    }
  }
}

/// Decodes numbers from bytes in either byte order.
package struct ByteNumbers {
  private let bytes: [UInt8]
  private let isLittleEndian: Bool

  package init(_ bytes: [UInt8], isLittleEndian: Bool) {
    self.bytes = bytes
    self.isLittleEndian = isLittleEndian
  }

  /// The number at an offset; bytes beyond the end count as 0.
  package func unsigned(_ offset: Int, size: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<size {
      let place = offset + (isLittleEndian ? size - 1 - index : index)
      value = value << 8 | (bytes.indices.contains(place) ? UInt64(bytes[place]) : 0)
    }
    return value
  }

  /// All numbers of the given size in the bytes.
  package func all<Number>(size: Int, _ make: (UInt64) -> Number) -> [Number] {
    (0..<bytes.count / size).map { make(unsigned($0 * size, size: size)) }
  }
}
