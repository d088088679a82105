import Glibc

/// An open library: its parts, and the lock that keeps two processes apart.
final class LibraryCore: Sendable {
  let layout: LibraryLayout
  let files: LibraryFiles
  let settings: LibrarySettings
  let catalogue: Catalogue
  let journal: Journal
  let notes: OutsideNotes
  /// What the library was opened for.
  let purpose: LibraryPurpose
  /// Seconds since 1970.
  let now: @Sendable () -> Double
  /// The library's folder without links, by which the notes know it.
  let resolvedRoot: String
  /// The file that tells that the library is still the one that was opened: the catalogue, or the
  /// journal where that was read in its place.
  private let witness: String
  private let witnessStatus: FileStatus?

  init(
    layout: LibraryLayout, root: LibraryRoot, files: LibraryFiles, settings: LibrarySettings,
    catalogue: Catalogue, purpose: LibraryPurpose, notes: OutsideNotes,
    now: @escaping @Sendable () -> Double
  ) throws(MediaLibraryError) {
    let files = files.confined(to: root)
    self.layout = layout
    self.files = files
    self.settings = settings
    self.catalogue = catalogue
    self.now = now
    self.purpose = purpose
    self.notes = notes
    resolvedRoot = try root.resolvedPath()
    journal = Journal(path: layout.journal, files: files)
    witness = catalogue.isInMemory ? layout.journal : layout.catalogue
    witnessStatus = try? files.status(witness)
  }

  /// False where somebody has put another catalogue in the place of this one (it was set aside, or the
  /// library was put back from a copy), and where a journal that was read in its place has changed.
  var isPresent: Bool {
    // By its path, and not from the open folder on: another library may have taken its place.
    let present = (try? LibraryFiles(calls: files.calls).status(witness)) ?? nil
    guard catalogue.isInMemory else { return present?.inode == witnessStatus?.inode }
    guard let present, let witnessStatus else { return present == nil && witnessStatus == nil }
    return present.isUnchanged(since: witnessStatus)
  }

  deinit { catalogue.close() }

  /// Runs what changes files and catalogue, while nobody else does.
  func locked<Result>(
    _ body: () throws(MediaLibraryError) -> Result
  ) throws(MediaLibraryError) -> Result {
    try Self.locked(layout, files, body)
  }

  /// As ``locked(_:)``, for a library that is not open yet.
  static func locked<Result>(
    _ layout: LibraryLayout, _ files: LibraryFiles,
    _ body: () throws(MediaLibraryError) -> Result
  ) throws(MediaLibraryError) -> Result {
    let lock = try files.openOwn(layout.lock, O_RDWR | O_CREAT)
    _ = try lock.lock()
    defer { lock.unlock() }
    return try body()
  }
}
