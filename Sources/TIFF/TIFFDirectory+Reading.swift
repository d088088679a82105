extension TIFFDirectory {
  /// The maximum number of directories in a file.
  package static let directoryLimit = 64

  /// All directories of a file in memory, in the order of their chain, with their linked
  /// directories.
  ///
  /// Each directory is visited once. All values together are limited to twice the size of the file,
  /// because many entries may point to the same bytes.
  ///
  /// - Throws: `TIFFError`.
  package static func all(in bytes: [UInt8]) throws(TIFFError) -> [TIFFDirectory] {
    var reader = DirectoryReader(file: try TIFFFile(bytes), budget: 2 * bytes.count)
    return try reader.chain()
  }

  /// The directory of a camera profile that begins at an offset of a file.
  ///
  /// - Parameter budget: The maximum total size of its values in bytes; reduced by what they use.
  /// - Throws: `TIFFError`.
  package static func cameraProfile(
    in bytes: [UInt8], at offset: Int, budget: inout Int
  ) throws(TIFFError) -> TIFFDirectory {
    let file = try TIFFFile(bytes, from: offset)
    guard file.form == .cameraProfile else { throw .notTIFF }
    var reader = DirectoryReader(file: file, budget: budget)
    defer { budget = reader.budget }
    return try reader.read(at: file.firstOffset, depth: 3)
  }
}

/// Reads directories within a budget.
private struct DirectoryReader {
  let file: TIFFFile
  /// The number of bytes left for values.
  var budget: Int
  var visited: Set<Int64> = []

  init(file: TIFFFile, budget: Int) {
    self.file = file
    self.budget = budget
  }

  mutating func chain() throws(TIFFError) -> [TIFFDirectory] {
    var directories: [TIFFDirectory] = []
    var next: Int64? = file.firstOffset
    while let offset = next {
      directories.append(try read(at: offset, depth: 0))
      next = try file.directory(at: offset).nextOffset
    }
    return directories
  }

  mutating func read(at offset: Int64, depth: Int) throws(TIFFError) -> TIFFDirectory {
    guard depth <= 3, visited.count < TIFFDirectory.directoryLimit,
      visited.insert(offset).inserted
    else { throw .endlessDirectories }
    let source = try file.directory(at: offset)
    var directory = TIFFDirectory()
    for tag in source.tags.sorted() {
      let value: TIFFValue?
      do {
        value = try source.value(tag, byteLimit: budget)
      } catch .valueTooLarge {
        throw .overlappingValues
      }
      // Skipped entries were read too, so they count against the limit.
      budget -= source.byteCount(tag)
      if let value { directory[tag] = value } else { directory.unreadable.insert(tag) }
    }
    for place in directory[.subIFDs]?.numbers ?? [] {
      guard let place = Int64(exactly: place) else { throw .invalidOffset }
      directory.children.append(try read(at: place, depth: depth + 1))
    }
    // Unreadable EXIF data is no reason to refuse the image.
    for tag in [TIFFTag.exifIFD, .gpsIFD] {
      guard let place = directory.integer(tag) else { continue }
      directory.linked[tag] = try? read(at: Int64(place), depth: 3)
    }
    return directory
  }
}
