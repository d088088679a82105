import FoundationEssentials

/// Files that lie beside a movie and belong to it.
enum Companions {
  /// What reports, checksums, lists and notes end with.
  private static let extensions: Set<String> = [
    "json", "xxh64", "xxhash", "md5", "sha1", "sha256", "sha512", "c4", "mhl", "txt", "csv", "xml",
    "ale", "edl", "srt", "cube",
  ]

  /// The files of a movie's folder that have its name, `take.json` or `take.mov.xxh64` for
  /// `take.mov`, by name.
  static func beside(_ movie: URL) throws(MediaLibraryError) -> [URL] {
    let folder = movie.deletingLastPathComponent()
    let name = FileName(movie.lastPathComponent)
    let files = LibraryFiles(calls: SystemLibraryFileCalls())
    return try files.names(in: folder.path).filter { other in
      let other = FileName(other)
      return extensions.contains(other.pathExtension.lowercased())
        && (other.stem == name.stem || other.stem == name.text)
    }.map { folder.appending(path: $0) }
  }
}
