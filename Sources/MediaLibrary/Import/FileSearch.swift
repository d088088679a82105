import FoundationEssentials

/// Finds out what files are, and what folders hold.
struct FileSearch: Sendable {
  /// A file to be taken in.
  struct Found: Sendable {
    var path: String
    var type: AssetResourceType
    /// The facts of a photo.
    var picture: MediaFacts?
    /// The same photo in another form.
    var alternate: String?
    var companions: [URL] = []

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
      guard let identity = try MediaInspector(files: files).identity(of: path) else {
        guard !isNamed else {
          throw MediaLibraryError(
            .invalidResource, "\(path): is no photo, video or sound that is known here")
        }
        ignored.append(path)
        return
      }
      var file = Found(path: path, type: identity.type, picture: identity.picture)
      if identity.type == .video { file.companions = try Companions.beside(URL(filePath: path)) }
      found.append(file)
    } catch {
      failures.append(.init(file: path, code: error.code.rawValue, message: error.message))
    }
  }

  /// Brings together what is one photo: a RAW file and a processed one that lie in one folder under
  /// one name.
  mutating func pairPhotos() {
    var places: [String: [Int]] = [:]
    for (index, file) in found.enumerated() where file.type == .photo {
      let folder = file.path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      let stem = FileName(LibraryFiles.name(file.path)).stem.lowercased()
      places[folder.joined(separator: "/") + "/" + stem, default: []].append(index)
    }
    var isPart: Set<Int> = []
    for pair in places.values {
      guard let forms = PhotoForms(pair.compactMap { found[$0].picture }) else { continue }
      found[pair[forms.photo]].alternate = found[pair[forms.alternate]].path
      isPart.insert(pair[forms.alternate])
    }
    found = found.indices.filter { !isPart.contains($0) }.map { found[$0] }
  }
}
