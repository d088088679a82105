/// Lays out a little-endian TIFF file: header, directories with their values, then pixels.
///
/// Directories come first, so that a reader of the beginning alone knows the file.
package struct TIFFWriter {
  /// The bytes of a file with one root directory.
  ///
  /// - Throws: ``TIFFError/fileTooLarge`` where the file would pass TIFF's 4 GiB.
  package static func serialize(_ root: TIFFDirectory) throws(TIFFError) -> [UInt8] {
    var placed: [Placed] = []
    var offset = 8
    place(root, at: &offset, &placed)
    var dataOffset = (offset + 15) / 16 * 16
    for index in placed.indices {
      guard let chunks = placed[index].directory.pixels?.chunks else { continue }
      for chunk in chunks {
        placed[index].chunkOffsets.append(UInt32(truncatingIfNeeded: dataOffset))
        dataOffset += (chunk.count + 1) / 2 * 2
      }
    }
    guard dataOffset < Int(UInt32.max) else { throw .fileTooLarge }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(dataOffset)
    bytes += [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    for item in placed { item.write(to: &bytes, all: placed) }
    bytes += [UInt8](repeating: 0, count: (offset + 15) / 16 * 16 - bytes.count)
    for item in placed {
      for chunk in item.directory.pixels?.chunks ?? [] {
        bytes += chunk
        if chunk.count % 2 == 1 { bytes.append(0) }
      }
    }
    return bytes
  }

  /// Gives a directory and those below it their places.
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

  /// A directory with a place in the file.
  private struct Placed {
    let directory: TIFFDirectory
    let offset: Int
    var chunkOffsets: [UInt32] = []
    var linked: [TIFFTag: Int] = [:]
    var children: [Int] = []

    init(directory: TIFFDirectory, offset: Int) {
      self.directory = directory
      self.offset = offset
    }

    /// All entries; offsets that are not known yet are zero.
    func entries(all: [Placed]) -> [(tag: TIFFTag, value: TIFFValue)] {
      var entries = directory.entries
      if let pixels = directory.pixels {
        let counts = pixels.chunks.map { UInt32(truncatingIfNeeded: $0.count) }
        let offsets =
          chunkOffsets.isEmpty ? [UInt32](repeating: 0, count: counts.count) : chunkOffsets
        entries[pixels.isTiled ? .tileOffsets : .stripOffsets] = .longs(offsets)
        entries[pixels.isTiled ? .tileByteCounts : .stripByteCounts] = .longs(counts)
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
