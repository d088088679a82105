import ASCMHL
import MediaCore

/// What an export has done so far, and small copies that wait for being brought to the disk together.
struct ExportLedger {
  /// A file that is to be copied.
  struct Item {
    /// Its place in the order of all.
    var number: Int
    var asset: String
    var resource: ResourceRecord
    /// The path from the folder on.
    var path: String
  }

  /// A small copy that is not known to be on the disk.
  struct Waiting {
    enum State {
      /// It was written, and has its own name not yet.
      case written(PartFile, FileCopy.Outcome)
      /// It was there before, and is to be compared.
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
  /// Why the disk takes no more, as told of files that are not tried; nil as long as it does.
  private(set) var diskFailure: MediaLibraryError?
  /// Folders whose names were brought to the disk, for files that were there before.
  private var settledFolders: Set<[UInt8]> = []

  /// New files that wait are open, and several copies share the 1024 descriptors of a process.
  private static let waitingLimit = 128

  /// True where what waits is to be brought to the disk.
  var isDue: Bool {
    waiting.count >= Self.waitingLimit
      || WholeSynchronization.isDue(files: waiting.count, bytes: waitingBytes)
  }

  mutating func wait(_ copy: Waiting) {
    waiting.append(copy)
    waitingBytes = waitingBytes.addingSaturating(copy.item.resource.size)
  }

  /// What waits, which then waits no more.
  mutating func takeWaiting() -> [Waiting] {
    defer { (waiting, waitingBytes) = ([], 0) }
    return waiting
  }

  /// True where the names in a folder are still to be brought to the disk; asked once.
  mutating func settles(_ folder: String) -> Bool {
    settledFolders.insert(Array(folder.utf8)).inserted
  }

  /// A file is whole at the destination.
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

  /// A file is not there.
  mutating func fail(_ item: Item, _ error: MediaLibraryError) {
    failures.append(
      .init(
        asset: item.asset, path: item.resource.path, code: error.code.name, message: error.message))
    // What the disk does not take now it does not take a moment later either.
    guard error.code == .diskFull, diskFailure == nil else { return }
    diskFailure = MediaLibraryError(
      .diskFull, "not tried after the disk failed: \(error.message)", from: error)
  }

  /// The files that are whole, in their order: for the report, and for the manifest.
  func result() -> (files: [ExportReport.File], listed: [MHLManifest.File]) {
    let sorted = entries.sorted { $0.number < $1.number }
    return (sorted.map(\.file), sorted.map(\.listed))
  }
}
