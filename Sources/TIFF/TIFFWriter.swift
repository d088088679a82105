/// Lays out a little-endian TIFF file: header, directories with their values, then pixels.
///
/// Directories come first, so that reading the start of the file is enough to know its structure.
package struct TIFFWriter {
  /// The bytes of a file with one root directory.
  ///
  /// - Throws: ``TIFFError/fileTooLarge`` if the file would exceed TIFF's 4 GiB.
  package static func serialize(_ root: TIFFDirectory) throws(TIFFError) -> [UInt8] {
    var (bytes, placed, size) = try head(root) { $0.pixels?.chunks.map(\.count) ?? [] }
    bytes.reserveCapacity(size)
    for item in placed {
      for chunk in item.directory.pixels?.chunks ?? [] {
        bytes += chunk
        if chunk.count % 2 == 1 { bytes.append(0) }
      }
    }
    return bytes
  }

  /// The bytes of a file up to its pixels. Only the root directory may have pixels; they follow in
  /// order, with each chunk at an even offset.
  ///
  /// - Parameters:
  ///   - root: A directory whose pixel chunks are empty.
  ///   - chunkSizes: The size of each chunk in bytes.
  /// - Throws: ``TIFFError/fileTooLarge`` if the file would exceed TIFF's 4 GiB.
  package static func head(
    _ root: TIFFDirectory, chunkSizes: [Int]
  ) throws(TIFFError) -> [UInt8] {
    try head(root) { $0.pixels == nil ? [] : chunkSizes }.bytes
  }

  private static func head(
    _ root: TIFFDirectory, _ sizes: (TIFFDirectory) -> [Int]
  ) throws(TIFFError) -> (bytes: [UInt8], placed: [Placed], size: Int) {
    var placed: [Placed] = []
    var offset = 8
    place(root, at: &offset, &placed)
    var dataOffset = (offset + 15) / 16 * 16
    for index in placed.indices {
      for size in sizes(placed[index].directory) {
        placed[index].chunkOffsets.append(UInt32(truncatingIfNeeded: dataOffset))
        placed[index].chunkSizes.append(UInt32(truncatingIfNeeded: size))
        dataOffset += (size + 1) / 2 * 2
      }
    }
    guard dataOffset < Int(UInt32.max) else { throw .fileTooLarge }
    var bytes: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    for item in placed { item.write(to: &bytes, all: placed) }
    bytes += [UInt8](repeating: 0, count: (offset + 15) / 16 * 16 - bytes.count)
    return (bytes, placed, dataOffset)
  }

  /// Assigns offsets to a directory and those below it.
  @discardableResult
  private static func place(
    _ directory: TIFFDirectory, at offset: inout Int, _ placed: inout [Placed]
  ) -> Int {
    let index = placed.count
    placed.append(Placed(directory: directory, offset: offset))
    offset += placed[index].byteCount
    for tag in directory.linked.keys.sorted() {
      guard let linked = directory.linked[tag] else { continue }
      placed[index].linked[tag] = place(linked, at: &offset, &placed)
    }
    for child in directory.children {
      placed[index].children.append(place(child, at: &offset, &placed))
    }
    return index
  }

  /// A directory with an offset in the file.
  private struct Placed {
    let directory: TIFFDirectory
    let offset: Int
    var chunkOffsets: [UInt32] = []
    var chunkSizes: [UInt32] = []
    var linked: [TIFFTag: Int] = [:]
    var children: [Int] = []

    init(directory: TIFFDirectory, offset: Int) {
      self.directory = directory
      self.offset = offset
    }

    /// All entries; offsets not known yet are zero.
    func entries(all: [Placed]) -> [(tag: TIFFTag, value: TIFFValue)] {
      var entries = directory.entries
      if let pixels = directory.pixels {
        let unknown = [UInt32](repeating: 0, count: pixels.chunks.count)
        entries[pixels.isTiled ? .tileOffsets : .stripOffsets] = .longs(
          chunkOffsets.isEmpty ? unknown : chunkOffsets)
        entries[pixels.isTiled ? .tileByteCounts : .stripByteCounts] = .longs(
          chunkSizes.isEmpty ? unknown : chunkSizes)
      }
      func position(_ index: Int?) -> UInt32 {
        guard let index, index < all.count else { return 0 }
        return UInt32(truncatingIfNeeded: all[index].offset)
      }
      for tag in directory.linked.keys { entries[tag] = .longs([position(linked[tag])]) }
      if !directory.children.isEmpty {
        entries[.subIFDs] = .longs(
          directory.children.indices.map {
            position($0 < children.count ? children[$0] : nil)
          })
      }
      return entries.sorted { $0.key < $1.key }.map { (tag: $0.key, value: $0.value) }
    }

    var byteCount: Int {
      let entries = entries(all: [])
      return 6 + 12 * entries.count
        + entries.reduce(0) { sum, entry in
          let size = entry.value.encoded.count
          return sum + (size > 4 ? (size + 1) / 2 * 2 : 0)
        }
    }

    func write(to bytes: inout [UInt8], all: [Placed]) {
      let entries = entries(all: all)
      var valueOffset = offset + 6 + 12 * entries.count
      var values: [UInt8] = []
      bytes += TIFFValue.short(entries.count).encoded
      for entry in entries {
        let encoded = entry.value.encoded
        bytes += TIFFValue.shorts([entry.tag.rawValue, entry.value.typeCode]).encoded
        bytes += TIFFValue.long(entry.value.count).encoded
        if encoded.count <= 4 {
          bytes += encoded + [UInt8](repeating: 0, count: 4 - encoded.count)
        } else {
          bytes += TIFFValue.long(valueOffset).encoded
          values += encoded
          if encoded.count % 2 == 1 { values.append(0) }
          valueOffset += (encoded.count + 1) / 2 * 2
        }
      }
      bytes += [0, 0, 0, 0]
      bytes += values
    }
  }
}
