import Glibc

/// An open library: its parts, and the lock that keeps two processes apart.
final class LibraryCore: Sendable {
  let layout: LibraryLayout
  let files: LibraryFiles
  let settings: LibrarySettings
  let catalogue: Catalogue
  let journal: Journal
  /// Seconds since 1970.
  let now: @Sendable () -> Double
  /// What names its disk takes.
  private let nameRules: NameRules
  /// Tells this catalogue's file from one that is put in its place later: the inode.
  let generation: UInt64?

  init(
    layout: LibraryLayout, files: LibraryFiles, settings: LibrarySettings, catalogue: Catalogue,
    now: @escaping @Sendable () -> Double
  ) {
    self.layout = layout
    self.files = files
    self.settings = settings
    self.catalogue = catalogue
    self.now = now
    nameRules = NameRules(fileSystemType: files.calls.fileSystemType(layout.root))
    journal = Journal(path: layout.journal, files: files)
    generation = (try? files.status(layout.catalogue))?.inode
  }

  /// False where somebody has put another catalogue in the place of this one: it was set aside, or
  /// the library was put back from a copy.
  var isPresent: Bool { (try? files.status(layout.catalogue))?.inode == generation }

  deinit { catalogue.close() }

  /// Makes sure that a file in the library may be called so.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidPath``.
  func check(_ name: String) throws(MediaLibraryError) {
    try FileName(name).check()
    try nameRules.check(name)
  }

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
    let lock = try files.open(layout.lock, O_RDWR | O_CREAT)
    _ = try lock.lock()
    defer { lock.unlock() }
    return try body()
  }
}
