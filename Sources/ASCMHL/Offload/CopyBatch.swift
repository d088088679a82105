import Glibc

/// Small files of a copy that are there and wait for being brought to the disk together.
struct CopyBatch {
  struct Entry {
    var file: FolderListing.File
    var content: CopyWriter.Content
    /// The new file; nil where it was there before, by its own name.
    var part: PartFile?

    var wasPresent: Bool { part == nil }
  }

  private(set) var entries: [Entry] = []
  private var bytes: Int64 = 0
  /// New files stay open, and locked, until they have their names.
  private let limit: Int

  /// - Parameter copies: How many are made at the same time. They share a part of the files that a process
  ///   may have open.
  init(sharedBy copies: Int) {
    let open = sysconf(Int32(_SC_OPEN_MAX))
    limit = open > 0 ? max(1, open / 3 / max(1, copies)) : .max
  }

  /// True where it is to be brought to the disk.
  var isFull: Bool {
    entries.count >= limit || WholeSynchronization.isDue(files: entries.count, bytes: bytes)
  }

  mutating func add(_ entry: Entry) {
    entries.append(entry)
    bytes += entry.content.size
  }

  /// Takes all that wait.
  mutating func takeAll() -> [Entry] {
    defer { (entries, bytes) = ([], 0) }
    return entries
  }
}
