import FoundationEssentials

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
  /// By the part of their names before the last dot.
  private var names: [String: [String]] = [:]

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
    for text in all where Self.isCompanion(text) {
      names[FileName(text).stem, default: []].append(text)
    }
  }

  /// The paths of the files that have the name of another one, `take.json` or `take.mov.xxh64` for
  /// `take.mov`, by name.
  func companions(of name: String) -> [String] {
    let name = FileName(name)
    let found = names[name.stem, default: []] + names[name.text, default: []]
    return Set(found).sorted().map { folder + "/" + $0 }
  }

  /// The files beside a movie that belong to it.
  static func beside(_ movie: URL) throws(MediaLibraryError) -> [URL] {
    try Companions(in: movie.deletingLastPathComponent().path)
      .companions(of: movie.lastPathComponent).map { URL(filePath: $0) }
  }
}
