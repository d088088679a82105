import FoundationEssentials
import MediaCore

/// Finds out what files are, and what folders hold.
struct FileSearch: Sendable {
  /// A file to be taken in.
  struct Found: Sendable {
    var path: String
    var type: AssetResourceType
    /// Its size in bytes.
    var size: Int64
    /// What it was found to be.
    var inspected: InspectedFile?
    /// The same photo in another form, and what that was found to be.
    var alternate: (path: String, inspected: InspectedFile?)?
    /// The movies that the take goes on in, in order.
    var segments: [(path: String, inspected: InspectedFile?)] = []
    var companions: [String] = []

    /// The paths of what is in it, but for companions.
    fileprivate var paths: [String] {
      [path] + segments.map(\.path) + [alternate?.path].compactMap { $0 }
    }

    /// Which comes first where a companion could belong to several.
    fileprivate var rank: Int { type == .video ? 0 : type == .photo ? 1 : 2 }

    /// The facts of a photo.
    fileprivate var picture: MediaFacts? { type == .photo ? inspected?.facts : nil }

    /// The failure of each file that is in it, but for companions.
    func failures(_ error: MediaLibraryError) -> [ImportReport.Failure] {
      paths.map { .init(path: $0, code: error.code.name, message: error.message) }
    }
  }

  /// A file that is named by the caller or lies in a folder, as far as it could be reached.
  private struct Candidate {
    var path: String
    var isNamed: Bool
    /// Why it could not be reached.
    var failure: MediaLibraryError?
  }

  private(set) var found: [Found] = []
  private(set) var failures: [ImportReport.Failure] = []
  private(set) var ignored: [String] = []
  /// What is wrong with files that are taken in.
  private(set) var warnings: [String] = []
  /// What is still to be looked at, in order.
  private var candidates: [Candidate] = []
  /// The files that are in it, by the bytes of their paths without links on the way: each is taken once.
  private var seen: Set<[UInt8]> = []
  /// What is hidden in folders, and the bytes of its path without links on the way.
  private var hidden: [(path: String, place: [UInt8])] = []
  /// The names in folders that were searched, by the bytes of the folders' paths: two spellings of a
  /// letter are one text, and two folders.
  private var listings: [[UInt8]: [String]] = [:]
  private let library: String
  private let files: LibraryFiles

  /// The contents of so many small files are kept until they are copied: 16 MiB at most.
  private static let mostContents = 4096
  /// Hidden names that systems, and libraries, leave on cards and disks: none of them is told.
  private static let leftBySystems: Set<String> = [
    ".DS_Store", ".Trashes", ".Spotlight-V100", ".fseventsd", ".TemporaryItems",
    LibraryLayout.hiddenName,
  ]

  /// - Parameter library: A folder that is not searched.
  init(without library: String, files: LibraryFiles) {
    (self.library, self.files) = (library, files)
  }

  /// Adds a file, or what is in a folder, to what is to be looked at.
  mutating func add(_ url: URL) { add(url.path, isNamed: true) }

  private mutating func add(_ path: String, isNamed: Bool) {
    do throws(MediaLibraryError) {
      guard let status = try files.status(path) else {
        throw MediaLibraryError(.fileNotFound, "\(path): no such file; name another one")
      }
      // What lies in a folder may be a stranger's, and a link may lead to any file of the user's.
      guard isNamed || !status.isSymbolicLink else {
        ignored.append(path)
        return
      }
      // Who names a link to a folder means the folder.
      let folder = files.resolved(path)
      let target = try status.isSymbolicLink ? files.status(folder) : status
      if target?.isFolder == true {
        guard PathBytes(folder) != PathBytes(files.resolved(library)) else {
          ignored.append(path)
          return
        }
        let entries = try files.entries(in: path)
        listings[Array(path.utf8)] = entries.filter(\.isUTF8).map(\.name)
        for entry in entries {
          let path = path + "/" + entry.name
          if entry.name.utf8.first == UInt8(ascii: ".") {
            if !Self.isLeftBySystem(entry.name) {
              hidden.append((path, Array((folder + "/" + entry.name).utf8)))
            }
          } else if !entry.isUTF8 {
            candidates.append(
              Candidate(path: path, isNamed: false, failure: Self.nameIsNotUTF8(path)))
          } else if entry.isRegularFile {
            guard seen.insert(Array((folder + "/" + entry.name).utf8)).inserted else { continue }
            candidates.append(Candidate(path: path, isNamed: false))
          } else {
            add(path, isNamed: false)
          }
        }
        return
      }
      let place = files.resolved(LibraryFiles.parent(path)) + "/" + LibraryFiles.name(path)
      guard seen.insert(Array(place.utf8)).inserted else { return }
      candidates.append(Candidate(path: path, isNamed: isNamed))
    } catch {
      candidates.append(Candidate(path: path, isNamed: isNamed, failure: error))
    }
  }

  private static func nameIsNotUTF8(_ path: String) -> MediaLibraryError {
    MediaLibraryError(.invalidPath, "\(path): its name is not UTF-8; rename it")
  }

  /// True for the hidden name of what is nobody's file. `._` begins what a Mac keeps beside a file.
  private static func isLeftBySystem(_ name: String) -> Bool {
    leftBySystems.contains(name) || name.utf8.starts(with: "._".utf8)
      || name.utf8.starts(with: ".Trash-".utf8)
  }

  /// Looks at what was added.
  mutating func inspect() {
    let inspector = MediaInspector(files: files)
    let all = candidates
    // A hidden file or folder is included if it is named explicitly.
    for (path, place) in hidden
    where listings[Array(path.utf8)] == nil && seen.insert(place).inserted {
      ignored.append(path)
    }
    let identities = ConcurrentMap.results(all.count) {
      index throws(MediaLibraryError) -> MediaInspector.Identity? in
      if let failure = all[index].failure { throw failure }
      var identity = try inspector.identity(of: all[index].path)
      if index >= Self.mostContents { identity?.inspected?.content = nil }
      if identity == nil, let media = try inspector.unreadable(all[index].path) {
        throw media.error(all[index].path)
      }
      return identity
    }
    for (file, result) in zip(candidates, identities) {
      do throws(MediaLibraryError) {
        if let identity = try result.get() {
          found.append(
            Found(
              path: file.path, type: identity.type, size: identity.size,
              inspected: identity.inspected))
          if let flaw = identity.flaw {
            warnings.append("\(file.path): \(flaw); it is taken as it is, copy it again")
          }
        } else if file.isNamed {
          throw MediaLibraryError(
            .invalidResource,
            "\(file.path): unknown kind of file; name photos, videos or audio files")
        } else {
          ignored.append(file.path)
        }
      } catch {
        failures.append(.init(path: file.path, code: error.code.name, message: error.message))
      }
    }
    candidates = []
  }

  /// Gives files what lies beside them and belongs to them: each to one, to movies before others.
  mutating func attachCompanions() {
    var folders: [[UInt8]: Companions] = [:]
    for file in found {
      let folder = LibraryFiles.parent(file.path)
      let key = Array(folder.utf8)
      guard folders[key] == nil else { continue }
      folders[key] = companions(in: folder, listed: listings[key])
    }
    guard folders.values.contains(where: { !$0.isEmpty }) else { return }
    var given: Set<[UInt8]> = []
    var links: [String] = []
    let ranks = found.map(\.rank)
    for index in found.indices.sorted(by: { (ranks[$0], $0) < (ranks[$1], $1) }) {
      for path in found[index].paths {
        guard let all = folders[Array(LibraryFiles.parent(path).utf8)] else { continue }
        for file in all.companions(of: LibraryFiles.name(path))
        where given.insert(Array(file.utf8)).inserted {
          guard let status = try? files.status(file), !status.isSymbolicLink else {
            links.append(file)
            continue
          }
          found[index].companions.append(file)
        }
      }
    }
    ignored.removeAll { given.contains(Array($0.utf8)) }
    ignored += links
    // Who names all files of a folder names these too.
    failures.removeAll {
      $0.code == MediaLibraryError.Code.invalidResource.name
        && given.contains(Array($0.path.utf8))
    }
  }

  private mutating func companions(in folder: String, listed: [String]?) -> Companions {
    do throws(MediaLibraryError) {
      if let listed { return Companions(in: folder, names: listed) }
      return Companions(in: folder, names: try files.names(in: folder))
    } catch {
      // A folder that may not be read has none to give.
      if error.code != .accessDenied {
        failures.append(.init(path: folder, code: error.code.name, message: error.message))
      }
      return Companions(in: folder, names: [])
    }
  }

  /// Brings together what is one photo: a RAW file and a processed one that lie in one folder under
  /// one name.
  mutating func pairPhotos() {
    guard found.contains(where: { $0.inspected?.facts.isRAW == true }) else { return }
    var isPart: Set<Int> = []
    for pair in photosOfOneName() {
      guard let forms = PhotoForms(pair.compactMap { found[$0].picture }) else { continue }
      let alternate = found[pair[forms.alternate]]
      found[pair[forms.photo]].alternate = (alternate.path, alternate.inspected)
      isPart.insert(pair[forms.alternate])
    }
    found = found.indices.filter { !isPart.contains($0) }.map { found[$0] }
  }

  /// The photos of each folder that have one name: by its bytes, and those that are alone then by
  /// the text, which has two spellings of some letters.
  private func photosOfOneName() -> [[Int]] {
    struct Place: Hashable {
      var folder: PathBytes
      var stem: String
    }
    var texts: [Place: [PathBytes: [Int]]] = [:]
    for (index, file) in found.enumerated() where file.type == .photo {
      let stem = FileName(LibraryFiles.name(file.path)).stem.lowercased()
      let place = Place(folder: PathBytes(LibraryFiles.parent(file.path)), stem: stem)
      texts[place, default: [:]][PathBytes(stem), default: []].append(index)
    }
    return texts.values.flatMap { spellings in
      spellings.values.filter { $0.count > 1 }
        + [spellings.values.filter { $0.count == 1 }.flatMap(\.self).sorted()]
    }
  }

  /// Brings together the movies of one folder that say that they are of one take, in the order of
  /// their names. A copy of one of them is no further part of the take.
  mutating func joinSegments() {
    var takes: [PathBytes: [Int]] = [:]
    for (index, file) in found.enumerated() where file.type == .video {
      guard let take = file.inspected?.facts.takeIdentifier else { continue }
      let place = PathBytes(LibraryFiles.parent(file.path) + "/" + take)
      takes[place, default: []].append(index)
    }
    var isPart: Set<Int> = []
    for movies in takes.values where movies.count > 1 {
      let ordered = movies.sorted { MovieOrder.isBefore(found[$0].path, found[$1].path) }
      let first = ordered[0]
      var parts = [(path: found[first].path, size: found[first].size)]
      for index in ordered.dropFirst() {
        let part = (path: found[index].path, size: found[index].size)
        if let twin = parts.first(where: { $0.size == part.size && isCopy(part.path, of: $0.path) })
        {
          warnings.append(
            "\(part.path): is a copy of \(twin.path), and no further part of its take")
          continue
        }
        parts.append(part)
        found[first].segments.append((found[index].path, found[index].inspected))
        found[first].size = found[first].size.addingSaturating(found[index].size)
        isPart.insert(index)
      }
    }
    guard !isPart.isEmpty else { return }
    found = found.indices.filter { !isPart.contains($0) }.map { found[$0] }
  }

  /// True for a file with the bytes of another one; false where one of them cannot be read, which is told
  /// when it is taken in.
  private func isCopy(_ path: String, of other: String) -> Bool {
    (try? files.open(path, 0).hasSameBytes(as: files.open(other, 0))) ?? false
  }
}
