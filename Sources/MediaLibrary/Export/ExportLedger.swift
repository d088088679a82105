import ASCMHL
import MediaCore

/// What an export has done so far, and small copies waiting to be flushed together.
struct ExportLedger {
  /// A file that is to be copied.
  struct Item {
    /// Its index among all files to be copied.
    var number: Int
    var asset: String
    var resource: ResourceRecord
    /// The path relative to the destination folder.
    var path: String
  }

  /// A small copy that may not be on the disk yet.
  struct Waiting {
    enum State {
      /// Newly written, still under a temporary name.
      case written(PartFile, FileCopy.Outcome)
      /// It existed before, and is to be compared.
      case present
    }

    var item: Item
    var state: State
  }

  private struct Entry {
    var number: Int
    var file: ExportReport.File
    var listed: MHLManifest.File
  }

  private(set) var failures: [ExportReport.Failure] = []
  private(set) var waiting: [Waiting] = []
  private var entries: [Entry] = []
  private var waitingBytes: Int64 = 0
  /// The error reported for the remaining files after the disk filled up; nil while the disk
  /// accepts data.
  private(set) var diskFailure: MediaLibraryError?
  /// Folders already flushed on behalf of files that existed before.
  private var settledFolders: Set<[UInt8]> = []

  /// Waiting new files are open, and several copies share the 1024 descriptors of a process.
  private static let waitingLimit = 128

  /// True if the waiting files should be flushed now.
  var isDue: Bool {
    waiting.count >= Self.waitingLimit
      || WholeSynchronization.isDue(files: waiting.count, bytes: waitingBytes)
  }

  mutating func wait(_ copy: Waiting) {
    waiting.append(copy)
    waitingBytes = waitingBytes.addingSaturating(copy.item.resource.size)
  }

  /// Removes and returns the waiting files.
  mutating func takeWaiting() -> [Waiting] {
    defer { (waiting, waitingBytes) = ([], 0) }
    return waiting
  }

  /// True the first time a folder is passed: its names are still to be flushed.
  mutating func settles(_ folder: String) -> Bool {
    settledFolders.insert(Array(folder.utf8)).inserted
  }

  /// Records a file that is complete at the destination.
  mutating func enter(
    _ item: Item, _ content: FileCopy.Outcome, wasPresent: Bool, hashed: Double
  ) {
    entries.append(
      Entry(
        number: item.number,
        file: .init(
          asset: item.asset, path: item.path, size: content.size, xxh64: "\(content.hash)",
          c4: content.c4.map { "\($0)" }, wasPresent: wasPresent),
        listed: MHLManifest.File(
          path: item.path, size: content.size, modified: Double(item.resource.modified) / 1e9,
          xxh64: content.hash, c4: content.c4, isVerified: false, hashed: hashed)))
  }

  /// Records a file that could not be copied.
  mutating func fail(_ item: Item, _ error: MediaLibraryError) {
    failures.append(
      .init(
        asset: item.asset, path: item.resource.path, code: error.code.name, message: error.message))
    // A full disk does not accept the next file either.
    guard error.code == .diskFull, diskFailure == nil else { return }
    diskFailure = MediaLibraryError(
      .diskFull, "not tried after the disk failed: \(error.message)", from: error)
  }

  /// The complete files in their order, for the report and for the manifest.
  func result() -> (files: [ExportReport.File], listed: [MHLManifest.File]) {
    let sorted = entries.sorted { $0.number < $1.number }
    return (sorted.map(\.file), sorted.map(\.listed))
  }
}
