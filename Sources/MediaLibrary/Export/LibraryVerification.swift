import Glibc

/// Whether a library's files are what they were when they were added.
public struct LibraryVerification: Sendable, Hashable, Codable {
  /// A file that is not as it was.
  public struct Finding: Sendable, Hashable, Codable {
    /// The asset's identifier.
    public var asset: String
    /// The path in the library.
    public var path: String
    /// What is wrong.
    public var message: String
  }

  /// Files that were read.
  public var checkedCount = 0
  /// Bytes that were read.
  public var byteCount: Int64 = 0
  /// Files with other bytes.
  public var damaged: [Finding] = []
  /// Files that are gone, or cannot be read.
  public var missing: [Finding] = []
  /// Files in the folders of originals that have no entry; a rebuild gives them one.
  public var unlisted: [String] = []
  /// What SQLite says against the catalogue; nil for nothing.
  public var catalogue: String?

  /// True where nothing is wrong.
  public var isSound: Bool {
    damaged.isEmpty && missing.isEmpty && unlisted.isEmpty && catalogue == nil
  }

  static func run(
    _ core: LibraryCore, progress: (@Sendable (Int64) -> Void)?
  ) throws(MediaLibraryError) -> LibraryVerification {
    var result = LibraryVerification()
    do throws(MediaLibraryError) { try core.catalogue.checkIntegrity() } catch {
      result.catalogue = error.message
    }
    let records = try core.catalogue.allRecords()
    for record in records {
      for resource in record.resources {
        result.check(resource, of: record.id, core)
        progress?(result.byteCount)
      }
    }
    let known = Set(records.flatMap(\.resources).map { Array($0.path.utf8) })
    for folder in try core.layout.originalFolders(core.files) {
      for name in try core.files.names(in: core.layout.root + "/" + folder)
      where !known.contains(Array((folder + "/" + name).utf8)) {
        result.unlisted.append(folder + "/" + name)
      }
    }
    return result
  }

  private mutating func check(_ resource: ResourceRecord, of asset: String, _ core: LibraryCore) {
    func finding(_ message: String) -> Finding {
      Finding(asset: asset, path: resource.path, message: message)
    }
    do throws(MediaLibraryError) {
      let file = try core.files.open(
        core.layout.path(of: resource.path, files: core.files), O_RDONLY | O_NOFOLLOW)
      file.dropCache()
      let content = try FileCopy.run(file)
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
  /// All assets, the deleted ones too.
  func allRecords() throws(MediaLibraryError) -> [AssetRecord] {
    try read { db in
      try Catalogue.records(ids: AssetQuery(.everything, db).ids(db), db).map(\.record)
    }
  }
}

extension FetchOptions {
  /// All assets, the deleted ones too.
  static var everything: FetchOptions {
    var options = FetchOptions()
    options.includesRecentlyDeleted = true
    return options
  }
}
