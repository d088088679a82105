import FoundationEssentials
import MediaCore

/// Files in a folder that accompany others there: reports, checksums, lists, notes.
struct Companions: Sendable {
  /// Their extensions.
  private static let extensions: Set<String> = [
    "json", "xxh64", "xxhash", "md5", "sha1", "sha256", "sha512", "c4", "mhl", "txt", "csv", "xml",
    "ale", "edl", "srt", "cube", "xmp", "aae", "pp3",
  ]

  /// True if the name has the extension of a companion.
  static func isCompanion(_ name: String) -> Bool {
    extensions.contains(FileName(name).pathExtension.lowercased())
  }

  private let folder: String
  /// The companions' names by stem; String keys ignore Unicode normalization.
  private var names: [String: [String]] = [:]
  /// The names of the folder's other files, with and without their last extension.
  private var owners: Set<PathBytes> = []

  /// True if the folder contains no companions.
  var isEmpty: Bool { names.isEmpty }

  /// Lists a folder.
  init(in folder: String) throws(MediaLibraryError) {
    self.init(
      in: folder, names: try LibraryFiles(calls: SystemLibraryFileCalls()).names(in: folder))
  }

  /// Uses a known listing of a folder.
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

  /// The paths of a file's companions, sorted by name: `take.json` or `take.mov.xxh64` for
  /// `take.mov`. A companion whose name is normalized differently, as after passing through a Mac,
  /// counts only if no other file has its exact name.
  func companions(of name: String) -> [String] {
    let name = FileName(name)
    let (stem, text) = (name.stem, name.text)
    // They are equal if there is no dot.
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

  /// The companions of a movie.
  static func beside(_ movie: URL) throws(MediaLibraryError) -> [URL] {
    try Companions(in: movie.deletingLastPathComponent().path)
      .companions(of: movie.lastPathComponent).map { URL(filePath: $0) }
  }
}
