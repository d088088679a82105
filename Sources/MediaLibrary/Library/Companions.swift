import FoundationEssentials
import MediaCore

/// The files of a folder that belong to others there: reports, checksums, lists, notes.
struct Companions: Sendable {
  /// What they end with.
  private static let extensions: Set<String> = [
    "json", "xxh64", "xxhash", "md5", "sha1", "sha256", "sha512", "c4", "mhl", "txt", "csv", "xml",
    "ale", "edl", "srt", "cube", "xmp", "aae", "pp3",
  ]

  /// True for a name that only what belongs to others has.
  static func isCompanion(_ name: String) -> Bool {
    extensions.contains(FileName(name).pathExtension.lowercased())
  }

  private let folder: String
  /// By the part of their names before the last dot: a letter's two spellings are one key.
  private var names: [String: [String]] = [:]
  /// What the other files of the folder are called, with and without what follows the last dot.
  private var owners: Set<PathBytes> = []

  /// True where the folder holds none.
  var isEmpty: Bool { names.isEmpty }

  /// Looks through a folder.
  init(in folder: String) throws(MediaLibraryError) {
    self.init(
      in: folder, names: try LibraryFiles(calls: SystemLibraryFileCalls()).names(in: folder))
  }

  /// Takes what a folder is known to hold.
  init(in folder: String, names all: [String]) {
    self.folder = folder
    for text in all {
      let stem = FileName(text).stem
      if Self.isCompanion(text) {
        names[stem, default: []].append(text)
      } else {
        owners.formUnion([PathBytes(stem), PathBytes(text)])
      }
    }
  }

  /// The paths of the files that have the name of another one, `take.json` or `take.mov.xxh64` for
  /// `take.mov`, by name. In the other spelling of a letter, as after a way over a Mac, only those
  /// that no file has in their own.
  func companions(of name: String) -> [String] {
    let name = FileName(name)
    let (stem, text) = (name.stem, name.text)
    // They are one where there is no dot.
    let found = named(after: stem) + (stem.utf8.count < text.utf8.count ? named(after: text) : [])
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .map { folder + "/" + $0 }
  }

  private func named(after text: String) -> [String] {
    let key = PathBytes(text)
    return names[text, default: []].filter {
      let stem = PathBytes(FileName($0).stem)
      return stem == key || !owners.contains(stem)
    }
  }

  /// The files beside a movie that belong to it.
  static func beside(_ movie: URL) throws(MediaLibraryError) -> [URL] {
    try Companions(in: movie.deletingLastPathComponent().path)
      .companions(of: movie.lastPathComponent).map { URL(filePath: $0) }
  }
}
