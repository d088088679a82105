import TIFF

/// What is wrong with a picture file as its structure tells, without a pixel being decoded.
enum PictureFlaw {
  private typealias Read = (_ offset: Int64, _ count: Int) -> [UInt8]

  /// Directories that are looked at, at most.
  private static let directoryLimit = 64
  /// Bytes of a list of strips or tiles, at most: those of a hundred thousand.
  private static let listLimit = 1 << 20
  /// Chunks of a PNG file that are looked at, at most.
  private static let chunkLimit = 1 << 20
  /// Where the bytes of pictures are told, and how many they are. The last two tags are those of JPEG previews
  /// (JPEGInterchangeFormat).
  private static let places: [(offsets: TIFFTag, counts: TIFFTag)] = [
    (.stripOffsets, .stripByteCounts), (.tileOffsets, .tileByteCounts),
    (TIFFTag(rawValue: 513), TIFFTag(rawValue: 514)),
  ]

  /// What is missing of a picture, in words that follow its name and a colon; nil where nothing is known
  /// to be.
  ///
  /// - Parameters:
  ///   - kind: What the file is by its first bytes.
  ///   - facts: What it was found to be.
  ///   - size: The file's size in bytes.
  ///   - read: Gives bytes of it.
  static func of(
    _ kind: ContentKind, _ facts: MediaFacts, size: Int64,
    _ read: @escaping (_ offset: Int64, _ count: Int) -> [UInt8]
  ) -> String? {
    let flaw: String? =
      switch kind {
      case .tiff: tiff(size: size, read)
      case .picture("heif"): boxes(size: size, read)
      case .picture("jpeg"):
        JPEGExtent(size: size, read).hasEnd ? nil : "is cut short: its picture has no end"
      case .picture("png"): chunks(size: size, read)
      default: nil
      }
    return flaw
      ?? (hasSize(kind, facts, read) ? nil : "is damaged: it does not tell its size in pixels")
  }

  /// False for a picture of a kind whose size is always told, and is not.
  private static func hasSize(_ kind: ContentKind, _ facts: MediaFacts, _ read: @escaping Read)
    -> Bool
  {
    guard facts.width == 0 || facts.height == 0 else { return true }
    switch kind {
    case .tiff: return facts.isRAW && facts.container != "dng"
    // A sequence of pictures has its sizes with its tracks.
    case .picture("heif"):
      return MediaBoxes(read: read).first("moov", in: MediaBoxes.everything) != nil
    case .picture(let name): return !["jpeg", "png", "jxl"].contains(name)
    case .rawPicture, .other: return true
    }
  }

  private static func isCutShort(_ needed: Int64, _ size: Int64) -> String? {
    needed > size
      ? "is cut short: its picture ends at byte \(needed), and the file at \(size)" : nil
  }

  // MARK: TIFF

  private static func tiff(size: Int64, _ read: @escaping Read) -> String? {
    guard let file = try? TIFFFile(read), let first = try? file.firstDirectory() else { return nil }
    let unreadable = "is damaged or cut short: not all of its directories can be read"
    var pages = [first]
    var seen: Set<Int64> = [first.offset]
    // RAW of some makers lies in the last directory of a chain of four.
    while let next = pages.last?.nextOffset, pages.count < 16, seen.insert(next).inserted {
      guard let page = try? file.directory(at: next) else { return unreadable }
      pages.append(page)
    }
    var directories: [TIFFFile.Directory] = []
    for page in pages {
      directories.append(page)
      for tag in [TIFFTag.subIFDs, .exifIFD, .gpsIFD] where page.byteCount(tag) > 0 {
        let further = page.directories(tag)
        guard !further.isEmpty, further.count >= min(page.numbers(tag).count, 16) else {
          return unreadable
        }
        directories += further
      }
    }
    var needed: Int64 = 0
    for directory in directories.prefix(directoryLimit) {
      guard isWhole(directory), let end = end(of: directory) else { return unreadable }
      needed = max(needed, end)
    }
    return isCutShort(needed, size)
  }

  /// False where the value of a tag lies beyond the end of the file.
  private static func isWhole(_ directory: TIFFFile.Directory) -> Bool {
    directory.tags.allSatisfy { tag in
      do throws(TIFFError) {
        // Values are looked for, and not read.
        _ = try directory.value(tag, byteLimit: 0)
        return true
      } catch {
        if case .valueBeyondEnd = error { return false }
        return true
      }
    }
  }

  /// The first byte behind all strips and tiles of a directory, 0 for none; nil where the list of them is
  /// not in the file.
  private static func end(of directory: TIFFFile.Directory) -> Int64? {
    var end: Int64 = 0
    for place in places {
      do throws(TIFFError) {
        let offsets = try directory.value(place.offsets, byteLimit: listLimit)?.integers ?? []
        let counts = try directory.value(place.counts, byteLimit: listLimit)?.integers ?? []
        for (offset, count) in zip(offsets, counts) where count > 0 {
          let (sum, isBeyond) = offset.addingReportingOverflow(count)
          guard !isBeyond else { return nil }
          end = max(end, Int64(sum))
        }
      } catch {
        // A list that is too long to be looked at says nothing.
        if case .valueBeyondEnd = error { return nil }
      }
    }
    return end
  }

  // MARK: Chunks

  private static func chunks(size: Int64, _ read: Read) -> String? {
    // The signature comes first; a chunk has its length, its type and its checksum besides its content.
    var offset: Int64 = 8
    for _ in 0..<chunkLimit {
      let header = read(offset, 8)
      guard header.count == 8 else { return "is cut short: its last chunk is not there" }
      offset += 12 + header[0..<4].reduce(0) { $0 << 8 | Int64($1) }
      guard offset <= size else { return isCutShort(offset, size) }
      if header[4...].elementsEqual("IEND".utf8) { return nil }
    }
    return nil
  }

  // MARK: Boxes

  private static func boxes(size: Int64, _ read: @escaping Read) -> String? {
    var end: Int64 = 0
    MediaBoxes(read: read).forEach(in: MediaBoxes.everything, atMost: 64) { kind, content in
      // Whatever else lies at the end of a file is no box, and tells no size.
      guard ["ftyp", "meta", "moov", "mdat"].contains(kind) else { return kind == "free" }
      end = max(end, content.upperBound)
      return end < size
    }
    // The last box may have no size of its own, and go as far as the file goes.
    return end < MediaBoxes.everything.upperBound ? isCutShort(end, size) : nil
  }
}
