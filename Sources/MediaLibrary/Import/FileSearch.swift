import FoundationEssentials

/// Finds out what files are, and what folders hold.
struct FileSearch: Sendable {
  /// A file to be taken in.
  struct Found: Sendable {
    var path: String
    var type: AssetResourceType
    var companions: [URL]

    func failure(_ error: MediaLibraryError) -> ImportReport.Failure {
      .init(file: path, code: error.code.rawValue, message: error.message)
    }
  }

  private(set) var found: [Found] = []
  private(set) var failures: [ImportReport.Failure] = []
  private(set) var ignored: [String] = []
  private let library: String
  private let files = LibraryFiles(calls: SystemLibraryFileCalls())

  /// - Parameter library: A folder that is not searched.
  init(without library: String) { self.library = library }

  /// Adds a file, or what is in a folder.
  mutating func add(_ url: URL) { add(url.path, isNamed: true) }

  private mutating func add(_ path: String, isNamed: Bool) {
    guard LibraryLayout(URL(filePath: path)).root != library else { return }
    do throws(MediaLibraryError) {
      guard let status = try files.status(path) else {
        throw MediaLibraryError(.fileNotFound, "\(path): there is no such file; name another one")
      }
      if status.isFolder {
        for name in try files.names(in: path) where !name.hasPrefix(".") {
          add(path + "/" + name, isNamed: false)
        }
        return
      }
      guard let type = try MediaInspector(files: files).primaryType(of: path) else {
        guard !isNamed else {
          throw MediaLibraryError(
            .invalidResource, "\(path): is no photo, video or sound that is known here")
        }
        ignored.append(path)
        return
      }
      let companions = try (type == .video ? Companions.beside(URL(filePath: path)) : [])
      found.append(Found(path: path, type: type, companions: companions))
    } catch {
      failures.append(.init(file: path, code: error.code.rawValue, message: error.message))
    }
  }
}
