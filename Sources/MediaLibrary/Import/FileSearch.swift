import FoundationEssentials

/// Finds out what files are, and what folders hold.
struct FileSearch: Sendable {
  /// A file to be taken in.
  struct Found: Sendable {
    var path: String
    var type: AssetResourceType
    /// Its size in bytes.
    var size: Int64
    /// The facts of a photo.
    var picture: MediaFacts?
    /// The same photo in another form.
    var alternate: String?
    var companions: [String] = []

    /// Which comes first where a companion could belong to several.
    fileprivate var rank: Int { type == .video ? 0 : type == .photo ? 1 : 2 }

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
      found.append(
        Found(
          path: path, type: identity.type, size: status.size, picture: identity.picture))
    } catch {
      failures.append(.init(file: path, code: error.code.rawValue, message: error.message))
    }
  }

  /// Gives files what lies beside them and belongs to them: each to one, to movies before others.
  mutating func attachCompanions() {
    var folders: [String: Companions] = [:]
    var given: Set<String> = []
    let order = found.indices.sorted { (found[$0].rank, $0) < (found[$1].rank, $1) }
    for index in order {
      for path in [found[index].path, found[index].alternate].compactMap({ $0 }) {
        let folder = LibraryFiles.parent(path)
        // A folder that cannot be read has none to give.
        guard let all = folders[folder] ?? (try? Companions(in: folder)) else { continue }
        folders[folder] = all
        for file in all.companions(of: LibraryFiles.name(path))
        where given.insert(file).inserted {
          found[index].companions.append(file)
        }
      }
    }
    ignored.removeAll(where: given.contains)
    // Who names all files of a folder names these too.
    failures.removeAll {
      $0.code == MediaLibraryError.Code.invalidResource.rawValue && given.contains($0.file)
    }
  }

  /// Brings together what is one photo: a RAW file and a processed one that lie in one folder under
  /// one name.
  mutating func pairPhotos() {
    var places: [String: [Int]] = [:]
    for (index, file) in found.enumerated() where file.type == .photo {
      let stem = FileName(LibraryFiles.name(file.path)).stem.lowercased()
      places[LibraryFiles.parent(file.path) + "/" + stem, default: []].append(index)
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
