import AssetReader
public import FoundationEssentials
import MediaCore

/// What was copied where, for people: thumbnails, names, sizes, hashes and the result, as a page of
/// HTML or as PDF.
public struct CopyReport: Sendable {
  /// A file that was copied, or should have been.
  public struct Item: Sendable {
    /// The path from the copied folder on.
    public var path: String
    /// Size in bytes; 0 for a file without a verified copy, of which it is not known.
    public var size: Int64
    /// The xxHash64; nil for a file without a verified copy.
    public var xxh64: String?
    /// What the file says of its pictures and sound; nil where it is neither.
    public var facts: MediaFacts?
    /// JPEGs: first, middle and last frame of a movie, or the photo.
    public var thumbnails: [[UInt8]] = []
    /// What is wrong, a line for each copy.
    public var problems: [String] = []
    /// Copies that are whole.
    public var copyCount = 0
  }

  /// What the copies are of.
  public var source: String
  /// When the report was made.
  public var date: Date
  /// The files, by path.
  public var items: [Item]
  /// The copies, file by file.
  public var offload: OffloadReport
  /// Files that come without pictures because the report has as many as it can hold.
  public private(set) var picturelessCount = 0

  /// The bytes of pictures that a report holds: a page and a PDF have to be made in memory.
  static let mostPictureBytes = 64 << 20
  /// So many files are looked at before their pictures are counted.
  private static let batchSize = 64

  /// What a reader should know.
  var notes: [String] {
    guard picturelessCount > 0 else { return offload.notes }
    return offload.notes + [
      "The last \(picturelessCount) files are listed without pictures: the report holds "
        + "\(Self.mostPictureBytes >> 20) MiB of them."
    ]
  }

  /// Bytes in all files that have a verified copy.
  public var byteCount: Int64 { items.reduce(Int64(0)) { $0.addingSaturating($1.size) } }

  /// Seconds of all movies and sound.
  public var mediaDuration: Double { items.reduce(0) { $0 + ($1.facts?.duration ?? 0) } }

  /// The result in a line.
  public var result: String {
    if offload.isSound {
      let count = offload.destinations.count
      return
        "All \(offload.fileCount) files are whole in \(count) \(count == 1 ? "copy" : "copies")."
    }
    // What is listed may be no file: a link, a folder, the manifests.
    let wholeCount = items.count {
      $0.problems.isEmpty && $0.copyCount == offload.destinations.count
    }
    let brokenCount = offload.fileCount - wholeCount
    let problemCount = items.count { !$0.problems.isEmpty }
    return "NOT COMPLETE: "
      + (brokenCount > 0
        ? "\(brokenCount) of \(offload.fileCount) files are not whole in every copy"
        : "all \(offload.fileCount) files are whole, and \(problemCount) other entries have problems")
      + (offload.wasInterrupted ? "; the offload was interrupted." : ".")
  }

  /// Reads the copies again for their facts and thumbnails, each file in the first copy that is whole.
  ///
  /// - Parameters:
  ///   - offload: What was done.
  ///   - date: When the report was made.
  ///   - thumbnailSide: The longer side of thumbnails in pixels; 0 for none.
  public init(of offload: OffloadReport, date: Date = Date(), thumbnailSide: Int = 240) {
    source = offload.source
    self.date = date
    self.offload = offload
    var items: [PathBytes: Item] = [:]
    var places: [PathBytes: String] = [:]
    for destination in offload.destinations {
      for file in destination.files {
        let key = PathBytes(file.path)
        items[key, default: Item(path: file.path, size: file.size)].xxh64 = file.xxh64
        items[key]?.copyCount += 1
        if places[key] == nil { places[key] = destination.folder + "/" + file.path }
      }
      for failure in destination.failures {
        items[PathBytes(failure.path), default: Item(path: failure.path, size: 0)].problems
          .append("\(destination.folder): \(failure.message)")
      }
    }
    for refusal in offload.refused {
      items[PathBytes(refusal.path), default: Item(path: refusal.path, size: 0)].problems
        .append(refusal.message)
    }
    let sorted = items.values.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    let paths = places
    (self.items, picturelessCount) = Self.filled(sorted) { item, takesPictures in
      guard let path = paths[PathBytes(item.path)] else { return item }
      var item = item
      Self.look(at: path, &item, takesPictures ? thumbnailSide : 0)
      return item
    }
  }

  /// The items with what `look` finds out about each: with pictures, until there are too many.
  ///
  /// - Returns: The items, and how many at the end come without pictures for that.
  static func filled(
    _ items: [Item], limit: Int = mostPictureBytes, _ look: @Sendable (Item, Bool) -> Item
  ) -> (items: [Item], picturelessCount: Int) {
    var filled: [Item] = []
    filled.reserveCapacity(items.count)
    var (bytes, pictureless) = (0, 0)
    while filled.count < items.count {
      let first = filled.count
      let takesPictures = bytes < limit
      let count = min(batchSize, items.count - first)
      let batch = ConcurrentMap.map(count) { look(items[first + $0], takesPictures) }
      bytes += batch.reduce(0) { $0 + $1.thumbnails.reduce(0) { $0 + $1.count } }
      if !takesPictures { pictureless += count }
      filled += batch
    }
    return (filled, pictureless)
  }

  /// Adds facts and thumbnails; a file that has none is listed without.
  private static func look(at path: String, _ item: inout Item, _ side: Int) {
    let inspector = MediaInspector(files: LibraryFiles(calls: SystemLibraryFileCalls()))
    guard let identity = try? inspector.identity(of: path) else { return }
    item.facts =
      identity.inspected?.facts
      ?? (try? inspector.facts(path, as: identity.type, name: item.path))
    guard side > 0 else { return }
    let isMovie = identity.type == .video
    guard isMovie || identity.type == .photo else { return }
    if let embedded = try? inspector.embeddedJPEG(path), !isMovie {
      if let jpeg = try? PhotoLibrary.thumbnail(of: embedded, side: side) {
        item.thumbnails = [jpeg]
      }
      return
    }
    var generator = AssetImageGenerator(path: path)
    generator.maximumSide = side
    for place in isMovie && (item.facts?.frameCount ?? 2) > 1 ? [0, 0.5, 1] : [0] {
      generator.place = place
      if let jpeg = try? generator.jpeg() { item.thumbnails.append(jpeg) }
    }
  }
}
