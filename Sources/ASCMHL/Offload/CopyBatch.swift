/// Small files of a copy that are there and wait for being brought to the disk together.
struct CopyBatch {
  struct Entry {
    var file: FolderListing.File
    var content: CopyWriter.Content
    /// True where it was there before, by its own name.
    var wasPresent: Bool
  }

  private(set) var entries: [Entry] = []
  private var bytes: Int64 = 0

  /// True where it is to be brought to the disk.
  var isFull: Bool { WholeSynchronization.isDue(files: entries.count, bytes: bytes) }

  mutating func add(_ entry: Entry) {
    entries.append(entry)
    bytes += entry.content.size
  }
}
