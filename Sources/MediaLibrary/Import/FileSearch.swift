import FoundationEssentials
import MediaCore

/// Inspects files, and searches folders for them.
struct FileSearch: Sendable {
  /// A file to be imported.
  struct Found: Sendable {
    var path: String
    var type: AssetResourceType
    /// Its size in bytes.
    var size: Int64
    /// What inspection found.
    var inspected: InspectedFile?
    /// Another form of the same photo, and what inspection found.
    var alternate: (path: String, inspected: InspectedFile?)?
    /// The further movies of the take, in order.
    var segments: [(path: String, inspected: InspectedFile?)] = []
    var companions: [String] = []

    /// The paths of all its files except companions.
    fileprivate var paths: [String] {
      [path] + segments.map(\.path) + [alternate?.path].compactMap { $0 }
    }

    /// The order in which assets claim a companion that could belong to several.
    fileprivate var rank: Int { type == .video ? 0 : type == .photo ? 1 : 2 }

    /// The facts of a photo.
    fileprivate var image: MediaFacts? { type == .photo ? inspected?.facts : nil }

    /// A failure for each of its files except companions.
    func failures(_ error: MediaLibraryError) -> [ImportReport.Failure] {
      paths.map { .init(path: $0, code: error.code.name, message: error.message) }
    }
  }

  /// A file named by the caller or found in a folder, as far as it was accessible.
  private struct Candidate {
    var path: String
    var isNamed: Bool
    /// Why it was not accessible.
    var failure: MediaLibraryError?
  }

  private(set) var found: [Found] = []
  private(set) var failures: [ImportReport.Failure] = []
  private(set) var ignored: [String] = []
  /// Flaws of files that are imported nevertheless.
  private(set) var warnings: [String] = []
  /// Files still to be inspected, in order.
  private var candidates: [Candidate] = []
  /// Files already included, by the bytes of their resolved paths, so that each is imported once.
  private var seen: Set<[UInt8]> = []
  /// Hidden entries of folders, with the bytes of their resolved paths.
  private var hidden: [(path: String, place: [UInt8])] = []
  /// The names in searched folders, by the bytes of the folders' paths: Unicode strings compare
  /// equal in both normalizations, but the folders differ.
  private var listings: [[UInt8]: [String]] = [:]
  private let library: String
  private let files: LibraryFiles

  /// The maximum number of files whose content is kept until copied: 16 MiB in total.
  private static let mostContents = 4096
  /// Hidden names that systems and libraries leave on cards and disks; they are not reported.
  private static let leftBySystems: Set<String> = [
    ".DS_Store", ".Trashes", ".Spotlight-V100", ".fseventsd", ".TemporaryItems",
    LibraryLayout.hiddenName,
  ]

  /// - Parameter library: A folder to exclude from the search.
  init(without library: String, files: LibraryFiles) {
    (self.library, self.files) = (library, files)
  }

  /// Adds a file, or the contents of a folder, for inspection.
  mutating func add(_ url: URL) { add(url.path, isNamed: true) }

  private mutating func add(_ path: String, isNamed: Bool) {
    do throws(MediaLibraryError) {
      guard let status = try files.status(path) else {
        throw MediaLibraryError(.fileNotFound, "\(path): no such file; name another one")
      }
      // A folder's contents may come from a stranger, and a link may lead to any of the user's
      // files.
      guard isNamed || !status.isSymbolicLink else {
        ignored.append(path)
        return
      }
      // A link to a folder, named explicitly, stands for the folder.
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

  /// True for hidden names that systems create. `._` begins the names of macOS metadata files.
  private static func isLeftBySystem(_ name: String) -> Bool {
    leftBySystems.contains(name) || name.utf8.starts(with: "._".utf8)
      || name.utf8.starts(with: ".Trash-".utf8)
  }

  /// Inspects what was added.
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
            warnings.append("\(file.path): \(flaw); it is imported unchanged; copy it again")
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

  /// Assigns companion files to the files beside them: each to one, preferably to a movie.
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
    // A caller that lists all files of a folder lists companions too.
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
      // An unreadable folder has no companions.
      if error.code != .accessDenied {
        failures.append(.init(path: folder, code: error.code.name, message: error.message))
      }
      return Companions(in: folder, names: [])
    }
  }

  /// Pairs the RAW and processed files of one photo: two files in one folder with the same name.
  mutating func pairPhotos() {
    guard found.contains(where: { $0.inspected?.facts.isRAW == true }) else { return }
    var isPart: Set<Int> = []
    for pair in photosOfOneName() {
      guard let forms = PhotoForms(pair.compactMap { found[$0].image }) else { continue }
      let alternate = found[pair[forms.alternate]]
      found[pair[forms.photo]].alternate = (alternate.path, alternate.inspected)
      isPart.insert(pair[forms.alternate])
    }
    found = found.indices.filter { !isPart.contains($0) }.map { found[$0] }
  }

  /// The photos in each folder that share a name. Names are compared by bytes first; photos still
  /// alone are then compared as text, which ignores Unicode normalization.
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

  /// Joins the movies in one folder that have the same take identifier, in the order of their
  /// names. A copy of a movie does not become another part of the take.
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
            "\(part.path): is a copy of \(twin.path), and not another part of its take")
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

  /// True if two files have the same bytes; false if one cannot be read, which is reported when it
  /// is imported.
  private func isCopy(_ path: String, of other: String) -> Bool {
    (try? files.open(path, 0).hasSameBytes(as: files.open(other, 0))) ?? false
  }
}
