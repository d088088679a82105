import Glibc
import MediaCore

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
  /// Tells this catalogue from one that takes its place.
  let generation: Generation
  /// What names its disk takes.
  private let nameRules: NameRules

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
    nameRules = NameRules(fileSystemType: files.calls.fileSystemType(layout.root))
    generation =
      catalogue.isInMemory
      ? .journal(of: layout, files.calls) : .catalogue(of: layout, files.calls)
  }

  /// What tells a catalogue from another one, in which the rows have other numbers.
  enum Generation: Sendable, Hashable {
    /// The catalogue's file, by its inode.
    case catalogue(UInt64?)
    /// The journal that a catalogue in memory was made of.
    case journal(FileStatus?)

    /// The catalogue that is in its place now.
    static func catalogue(of layout: LibraryLayout, _ calls: any LibraryFileCalls) -> Generation {
      .catalogue(status(layout.catalogue, calls)?.inode)
    }

    /// The journal that is in its place now.
    static func journal(of layout: LibraryLayout, _ calls: any LibraryFileCalls) -> Generation {
      .journal(status(layout.journal, calls))
    }

    // By its path, and not from the open folder on: another library may have taken its place.
    private static func status(_ path: String, _ calls: any LibraryFileCalls) -> FileStatus? {
      (try? LibraryFiles(calls: calls).status(path)) ?? nil
    }
  }

  /// False where somebody has put another catalogue in the place of this one (it was set aside, or the
  /// library was put back from a copy), and where a journal that was read in its place has changed.
  var isPresent: Bool {
    switch generation {
    case .catalogue: generation == .catalogue(of: layout, files.calls)
    case .journal: generation == .journal(of: layout, files.calls)
    }
  }

  deinit { catalogue.close() }

  /// True where something is in the place of each file that an entry brought.
  func holdsFiles(of entry: JournalEntry) throws(MediaLibraryError) -> Bool {
    for move in entry.moves {
      guard let path = try? layout.path(of: move.to, files: files),
        try files.status(path)?.isRegularFile == true
      else { return false }
    }
    return true
  }

  /// True where nothing is decided that is not complete.
  func isSettled() throws(MediaLibraryError) -> Bool {
    try locked { () throws(MediaLibraryError) in
      try catalogue.position().offset == journal.size()
    }
  }

  /// Makes sure that a file in the library may be called so.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidPath``.
  func check(_ name: String) throws(MediaLibraryError) {
    try FileName(name).check()
    try nameRules.check(name)
  }

  /// As ``check(_:)``, told of the file that was to be taken in: others may have its name.
  func check(_ name: String, of path: String) throws(MediaLibraryError) {
    do throws(MediaLibraryError) { try check(name) } catch {
      throw MediaLibraryError(error.code, "\(path): \(error.message)", from: error)
    }
  }

  /// What tells places apart: the disks that take some names alone take upper and lower case for the same.
  func key(ofPlace path: String) -> String {
    nameRules == .windows ? path.lowercased() : path
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
    let lock = try files.openOwn(layout.lock, O_RDWR | O_CREAT)
    try files.lockWait.take(lock, of: layout.root)
    defer { lock.unlock() }
    return try body()
  }
}
