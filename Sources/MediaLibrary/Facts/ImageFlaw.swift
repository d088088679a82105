import TIFF

/// What is wrong with an image file according to its structure, without decoding pixels.
enum ImageFlaw {
  private typealias Read = (_ offset: Int64, _ count: Int) -> [UInt8]

  /// The most directories inspected.
  private static let directoryLimit = 64
  /// The largest list of strips or tiles that is read, in bytes: about a hundred thousand entries.
  private static let listLimit = 1 << 20
  /// The most chunks of a PNG file inspected.
  private static let chunkLimit = 1 << 20
  /// The tags for the offsets and byte counts of image data. The last pair is for JPEG previews
  /// (JPEGInterchangeFormat).
  private static let places: [(offsets: TIFFTag, counts: TIFFTag)] = [
    (.stripOffsets, .stripByteCounts), (.tileOffsets, .tileByteCounts),
    (TIFFTag(rawValue: 513), TIFFTag(rawValue: 514)),
  ]

  /// What is missing in an image, worded to follow its name and a colon; nil if no flaw is known.
  ///
  /// - Parameters:
  ///   - kind: The kind according to the file's first bytes.
  ///   - facts: The facts found.
  ///   - size: The file's size in bytes.
  ///   - read: Returns bytes of the file.
  static func of(
    _ kind: ContentKind, _ facts: MediaFacts, size: Int64,
    _ read: @escaping (_ offset: Int64, _ count: Int) -> [UInt8]
  ) -> String? {
    let flaw: String? =
      switch kind {
      case .tiff: tiff(size: size, read)
      case .image("heif"): boxes(size: size, read)
      case .image("jpeg"):
        JPEGExtent(size: size, read).hasEnd ? nil : "is cut short: its image has no end marker"
      case .image("png"): chunks(size: size, read)
      default: nil
      }
    return flaw
      ?? (hasSize(kind, facts, read) ? nil : "is damaged: its size in pixels is missing")
  }

  /// False if the kind always states an image size, and the file does not.
  private static func hasSize(_ kind: ContentKind, _ facts: MediaFacts, _ read: @escaping Read)
    -> Bool
  {
    guard facts.width == 0 || facts.height == 0 else { return true }
    switch kind {
    case .tiff: return facts.isRAW && facts.container != "dng"
    // An image sequence has its sizes in its tracks.
    case .image("heif"):
      return MediaBoxes(read: read).first("moov", in: MediaBoxes.everything) != nil
    case .image(let name): return !["jpeg", "png", "jxl"].contains(name)
    case .rawImage, .other: return true
    }
  }

  private static func isCutShort(_ needed: Int64, _ size: Int64) -> String? {
    needed > size
      ? "is cut short: its image data ends at byte \(needed), the file at \(size)" : nil
  }

  // MARK: TIFF

  private static func tiff(size: Int64, _ read: @escaping Read) -> String? {
    guard let file = try? TIFFFile(read), let first = try? file.firstDirectory() else { return nil }
    let unreadable = "is damaged or cut short: not all of its directories can be read"
    var pages = [first]
    var seen: Set<Int64> = [first.offset]
    // Some makers store RAW data in the last directory of a chain of four.
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

  /// False if the value of a tag lies beyond the end of the file.
  private static func isWhole(_ directory: TIFFFile.Directory) -> Bool {
    directory.tags.allSatisfy { tag in
      do throws(TIFFError) {
        // Values are located, but not read.
        _ = try directory.value(tag, byteLimit: 0)
        return true
      } catch {
        if case .valueBeyondEnd = error { return false }
        return true
      }
    }
  }

  /// The offset just after all strips and tiles of a directory, 0 if it has none; nil if their list
  /// is not in the file.
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
        // A list too long to read tells nothing.
        if case .valueBeyondEnd = error { return nil }
      }
    }
    return end
  }

  // MARK: Chunks

  private static func chunks(size: Int64, _ read: Read) -> String? {
    // The signature comes first. Besides its content, a chunk has a length, a type and a checksum.
    var offset: Int64 = 8
    for _ in 0..<chunkLimit {
      let header = read(offset, 8)
      guard header.count == 8 else { return "is cut short: its last chunk is missing" }
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
      // Other data at the end of a file is not a box, and has no size.
      guard ["ftyp", "meta", "moov", "mdat"].contains(kind) else { return kind == "free" }
      end = max(end, content.upperBound)
      return end < size
    }
    // The last box may have no size, and extend to the end of the file.
    return end < MediaBoxes.everything.upperBound ? isCutShort(end, size) : nil
  }
}
