import Glibc

/// Small files of a copy that have been written and wait to be flushed to the disk together.
struct CopyBatch {
  struct Entry {
    var file: FolderListing.File
    var content: CopyWriter.Content
    /// The new file; nil if the file already existed under its own name.
    var part: PartFile?

    var wasPresent: Bool { part == nil }
  }

  private(set) var entries: [Entry] = []
  private var bytes: Int64 = 0
  /// New files stay open and locked until they get their names, so their number is limited.
  private let limit: Int

  /// - Parameter copies: The number of simultaneous copies. Together they use a third of the
  ///   process's open-file limit.
  init(sharedBy copies: Int) {
    let open = sysconf(Int32(_SC_OPEN_MAX))
    limit = open > 0 ? max(1, open / 3 / max(1, copies)) : .max
  }

  /// True if it should be flushed to the disk now.
  var isFull: Bool {
    entries.count >= limit || WholeSynchronization.isDue(files: entries.count, bytes: bytes)
  }

  mutating func add(_ entry: Entry) {
    entries.append(entry)
    bytes += entry.content.size
  }

  /// Removes and returns all entries.
  mutating func takeAll() -> [Entry] {
    defer { (entries, bytes) = ([], 0) }
    return entries
  }
}
