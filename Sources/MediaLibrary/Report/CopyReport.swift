import AssetReader
public import FoundationEssentials
import MediaCore

/// A report for people on what was copied where: thumbnails, names, sizes, hashes and the result,
/// as HTML or PDF.
public struct CopyReport: Sendable {
  /// A file that was copied, or should have been.
  public struct Item: Sendable {
    /// The path relative to the copied folder.
    public var path: String
    /// Size in bytes; 0 if there is no verified copy, because the size is then unknown.
    public var size: Int64
    /// The xxHash64; nil if there is no verified copy.
    public var xxh64: String?
    /// What the file says about its video, audio or image; nil if it has none.
    public var facts: MediaFacts?
    /// JPEGs: first, middle and last frame of a movie, or the photo.
    public var thumbnails: [[UInt8]] = []
    /// What is wrong, one line for each copy.
    public var problems: [String] = []
    /// The number of complete copies.
    public var copyCount = 0
  }

  /// What was copied.
  public var source: String
  /// When the report was created.
  public var date: Date
  /// The files, sorted by path.
  public var items: [Item]
  /// The copies, file by file.
  public var offload: OffloadReport
  /// The number of files without thumbnails because the report already holds the maximum.
  public private(set) var countWithoutThumbnails = 0

  /// The maximum size of all thumbnails in bytes: HTML and PDF are built in memory.
  static let mostImageBytes = 64 << 20
  /// The number of files inspected before the size of thumbnails is checked.
  private static let batchSize = 64

  /// Remarks for the reader.
  var notes: [String] {
    guard countWithoutThumbnails > 0 else { return offload.notes }
    return offload.notes + [
      "The last \(countWithoutThumbnails) files are listed without thumbnails: the report holds "
        + "\(Self.mostImageBytes >> 20) MiB of them."
    ]
  }

  /// The total size of all files that have a verified copy.
  public var byteCount: Int64 { items.reduce(Int64(0)) { $0.addingSaturating($1.size) } }

  /// The total duration of movies and audio in seconds.
  public var mediaDuration: Double { items.reduce(0) { $0 + ($1.facts?.duration ?? 0) } }

  /// The result in one line.
  public var result: String {
    if offload.isSound {
      let count = offload.destinations.count
      return
        "All \(offload.fileCount) files are complete in \(count) \(count == 1 ? "copy" : "copies")."
    }
    // Not all entries are files: they may be links, folders or manifests.
    let wholeCount = items.count {
      $0.problems.isEmpty && $0.copyCount == offload.destinations.count
    }
    let brokenCount = offload.fileCount - wholeCount
    let problemCount = items.count { !$0.problems.isEmpty }
    return "NOT COMPLETE: "
      + (brokenCount > 0
        ? "\(brokenCount) of \(offload.fileCount) files are not complete in every copy"
        : "all \(offload.fileCount) files are complete, and \(problemCount) other entries have problems")
      + (offload.wasInterrupted ? "; the offload was interrupted." : ".")
  }

  /// Reads the copies again for facts and thumbnails, each file from its first complete copy.
  ///
  /// - Parameters:
  ///   - offload: The offload to report on.
  ///   - date: When the report was created.
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
    (self.items, countWithoutThumbnails) = Self.filled(sorted) { item, makesThumbnails in
      guard let path = paths[PathBytes(item.path)] else { return item }
      var item = item
      Self.look(at: path, &item, makesThumbnails ? thumbnailSide : 0)
      return item
    }
  }

  /// Completes items with `look`, with thumbnails until the limit is reached.
  ///
  /// - Returns: The items, and how many at the end therefore have no thumbnails.
  static func filled(
    _ items: [Item], limit: Int = mostImageBytes, _ look: @Sendable (Item, Bool) -> Item
  ) -> (items: [Item], countWithoutThumbnails: Int) {
    var filled: [Item] = []
    filled.reserveCapacity(items.count)
    var (bytes, withoutThumbnails) = (0, 0)
    while filled.count < items.count {
      let first = filled.count
      let makesThumbnails = bytes < limit
      let count = min(batchSize, items.count - first)
      let batch = ConcurrentMap.map(count) { look(items[first + $0], makesThumbnails) }
      bytes += batch.reduce(0) { $0 + $1.thumbnails.reduce(0) { $0 + $1.count } }
      if !makesThumbnails { withoutThumbnails += count }
      filled += batch
    }
    return (filled, withoutThumbnails)
  }

  /// Adds facts and thumbnails, if the file has any.
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
