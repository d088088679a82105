import GRDB
import Glibc
import MediaCore

/// The result of comparing a library's files with what was recorded when they were added.
public struct LibraryVerification: Sendable, Hashable, Codable {
  /// A file that differs from its record.
  public struct Finding: Sendable, Hashable, Codable {
    /// The asset's identifier.
    public var asset: String
    /// The path in the library.
    public var path: String
    /// How the file differs from its record.
    public var message: String
  }

  /// The number of files read.
  public var checkedCount = 0
  /// The number of bytes read.
  public var byteCount: Int64 = 0
  /// Files whose content has changed.
  public var damaged: [Finding] = []
  /// Files that are missing, or cannot be read.
  public var missing: [Finding] = []
  /// Files in the folders of originals without a catalogue entry, except hidden ones. A rebuild
  /// adds those whose names are UTF-8.
  public var unlisted: [String] = []
  /// What is wrong with the journal; nil if it is intact.
  public var journal: String?
  /// Repairs made before the files were read, such as a rebuilt catalogue.
  public var repairs: [RepairReport] = []

  /// True if nothing is wrong.
  public var isSound: Bool {
    damaged.isEmpty && missing.isEmpty && unlisted.isEmpty && journal == nil
  }

  /// - Throws: ``MediaLibraryError/Code/catalogueDamaged`` if the catalogue must be rebuilt first.
  static func run(
    _ core: LibraryCore, progress: LibraryProgress.Handler?
  ) throws(MediaLibraryError) -> LibraryVerification {
    var result = LibraryVerification()
    try core.catalogue.checkIntegrity()
    let records = try core.catalogue.allRecords()
    let resources = records.flatMap(\.resources)
    let meter = ProgressMeter(
      fileCount: resources.count, byteCount: resources.byteCount, progress)
    for record in records {
      for resource in record.resources {
        result.check(resource, of: record.id, core, meter)
        meter.finishFile()
      }
    }
    let known = Set(resources.map { Array($0.path.utf8) })
    for folder in try core.layout.originalFolders(core.files) {
      for original in try core.layout.originals(in: folder, core.files)
      where !original.isUTF8 || !known.contains(Array((folder + "/" + original.name).utf8)) {
        result.unlisted.append(folder + "/" + original.name)
      }
    }
    // A read-only library has no lock to take.
    guard !core.catalogue.isInMemory else {
      try result.leaveOutChanges(core)
      return result
    }
    // Others may have added or removed files meanwhile; under the lock, everything is consistent.
    try core.locked { () throws(MediaLibraryError) in try result.leaveOutChanges(core) }
    return result
  }

  /// Drops findings that no longer apply, or that only arose from a change in progress.
  private mutating func leaveOutChanges(_ core: LibraryCore) throws(MediaLibraryError) {
    let lost = try core.journal.read { _, _ in true }.lostLines
    if lost > 0 {
      journal =
        "\(lost) \(lost == 1 ? "line is" : "lines are") damaged; rebuild the library to rewrite "
        + "the journal from the catalogue"
    }
    guard !(damaged.isEmpty && missing.isEmpty && unlisted.isEmpty) else { return }
    let present = try core.catalogue.read { db in
      try Set(
        String.fetchCursor(db, sql: "SELECT path FROM resource").map { Array($0.utf8) })
    }
    damaged.removeAll { !present.contains(Array($0.path.utf8)) }
    missing.removeAll { !present.contains(Array($0.path.utf8)) }
    var left: [String] = []
    for path in unlisted where !present.contains(Array(path.utf8)) {
      if try core.files.status(core.layout.root + "/" + path) != nil {
        left.append(path)
      } else if try Self.isListed(path, core) {
        left.append(path)
      }
    }
    unlisted = left
  }

  /// True if a file with this name, which is not UTF-8, is still in its folder.
  private static func isListed(
    _ path: String, _ core: LibraryCore
  ) throws(MediaLibraryError) -> Bool {
    let name = LibraryFiles.name(path)
    return try core.layout.originals(in: LibraryFiles.parent(path), core.files)
      .contains { !$0.isUTF8 && $0.name == name }
  }

  private mutating func check(
    _ resource: ResourceRecord, of asset: String, _ core: LibraryCore, _ meter: ProgressMeter
  ) {
    func finding(_ message: String) -> Finding {
      Finding(asset: asset, path: resource.path, message: message)
    }
    do throws(MediaLibraryError) {
      let file = try core.files.open(
        core.layout.path(of: resource.path, files: core.files), O_RDONLY | O_NOFOLLOW)
      file.dropCache()
      let content = try FileCopy.read(file) { bytes throws(MediaLibraryError) in
        try meter.advance(bytes.count)
      }
      checkedCount += 1
      byteCount += content.size
      guard "\(content.hash)" != resource.hash || content.size != resource.size else { return }
      damaged.append(
        finding("its xxHash64 is \(content.hash), and was \(resource.hash) when it was added"))
    } catch {
      missing.append(finding(error.code == .fileNotFound ? "is missing" : error.message))
    }
  }
}

extension Catalogue {
  /// All assets, including deleted ones.
  func allRecords() throws(MediaLibraryError) -> [AssetRecord] {
    try read { db in
      try Catalogue.records(ids: AssetQuery(.everything, db).ids(db), db).map(\.record)
    }
  }
}

extension FetchOptions {
  /// All assets, including deleted ones.
  static var everything: FetchOptions {
    var options = FetchOptions()
    options.includesRecentlyDeleted = true
    return options
  }
}
