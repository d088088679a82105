import Glibc
import MediaCore

/// An open library: its parts, and the lock that serializes changes across processes.
final class LibraryCore: Sendable {
  let layout: LibraryLayout
  let files: LibraryFiles
  let settings: LibrarySettings
  let catalogue: Catalogue
  let journal: Journal
  let notes: OutsideNotes
  let purpose: LibraryPurpose
  /// Seconds since 1970.
  let now: @Sendable () -> Double
  /// The library's folder without links; it identifies the library in notes.
  let resolvedRoot: String
  /// Distinguishes this catalogue from one that replaces it.
  let generation: Generation
  /// The names that its disk accepts.
  private let nameRules: NameRules

  /// Where a library is, and how it is reached.
  struct Place {
    var layout: LibraryLayout
    var root: LibraryRoot
    var files: LibraryFiles
    var notes: OutsideNotes
    /// Seconds since 1970.
    var now: @Sendable () -> Double
  }

  init(
    at place: Place, catalogue: Catalogue, settings: LibrarySettings, purpose: LibraryPurpose
  ) throws(MediaLibraryError) {
    (layout, files) = (place.layout, place.files.confined(to: place.root))
    (notes, now) = (place.notes, place.now)
    self.settings = settings
    self.catalogue = catalogue
    self.purpose = purpose
    resolvedRoot = try place.root.resolvedPath()
    journal = Journal(path: layout.journal, files: files)
    nameRules = NameRules(fileSystemType: files.calls.fileSystemType(layout.root))
    generation =
      catalogue.isInMemory
      ? .journal(of: layout, files.calls) : .catalogue(of: layout, files.calls)
  }

  /// Distinguishes catalogues, because their row numbers differ.
  enum Generation: Sendable, Hashable {
    /// The catalogue's file, by inode.
    case catalogue(UInt64?)
    /// The journal from which an in-memory catalogue was built.
    case journal(FileStatus?)

    /// The catalogue currently in place.
    static func catalogue(of layout: LibraryLayout, _ calls: any LibraryFileCalls) -> Generation {
      .catalogue(status(layout.catalogue, calls)?.inode)
    }

    /// The journal currently in place.
    static func journal(of layout: LibraryLayout, _ calls: any LibraryFileCalls) -> Generation {
      .journal(status(layout.journal, calls))
    }

    // By path instead of the open folder: another library may have replaced it.
    private static func status(_ path: String, _ calls: any LibraryFileCalls) -> FileStatus? {
      (try? LibraryFiles(calls: calls).status(path)) ?? nil
    }
  }

  /// False if the catalogue was replaced, because it was set aside or the library was restored from
  /// a copy. Also false if the journal of an in-memory catalogue has changed.
  var isPresent: Bool {
    switch generation {
    case .catalogue: generation == .catalogue(of: layout, files.calls)
    case .journal: generation == .journal(of: layout, files.calls)
    }
  }

  deinit { catalogue.close() }

  /// True if every file that an entry moved is in its place.
  func holdsFiles(of entry: JournalEntry) throws(MediaLibraryError) -> Bool {
    for move in entry.moves {
      guard let path = try? layout.path(of: move.to, files: files),
        try files.status(path)?.isRegularFile == true
      else { return false }
    }
    return true
  }

  /// True if every journaled change is complete.
  func isSettled() throws(MediaLibraryError) -> Bool {
    try locked { () throws(MediaLibraryError) in
      try catalogue.position().offset == journal.size()
    }
  }

  /// Checks that a name can be used for a file in the library.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidPath``.
  func check(_ name: String) throws(MediaLibraryError) {
    try FileName(name).check()
    try nameRules.check(name)
  }

  /// Like ``check(_:)``, naming the file to be added in the error, because others may have the same
  /// name.
  func check(_ name: String, of path: String) throws(MediaLibraryError) {
    do throws(MediaLibraryError) { try check(name) } catch {
      throw MediaLibraryError(error.code, "\(path): \(error.message)", from: error)
    }
  }

  /// The key that identifies a place: file systems that restrict names also ignore case.
  func key(ofPlace path: String) -> String {
    nameRules == .windows ? path.lowercased() : path
  }

  /// Runs a change of files and catalogue under the library's lock.
  func locked<Result>(
    _ body: () throws(MediaLibraryError) -> Result
  ) throws(MediaLibraryError) -> Result {
    try Self.locked(layout, files, body)
  }

  /// Like ``locked(_:)``, for a library that is not open yet.
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
