#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Detects movies concatenated in one file, as by `cat a.mp4 b.mp4`.
///
/// Readers of QuickTime and MP4 take one movie from a file; the rest would be lost silently.
enum JoinedMovies {
  /// The most atoms examined: as many as a day has in one-second fragments.
  private static let mostAtoms = 200_000

  /// The number of movies in a file; 0 if it is not a QuickTime or MP4 file.
  static func count(path: String) -> Int {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return 0 }
    let size = Int64(facts.st_size)
    var offset: Int64 = 0
    var movies = 0
    for number in 0..<mostAtoms {
      guard let atom = atom(file, at: offset, fileSize: size) else { break }
      if number == 0, !["ftyp", "wide", "mdat", "moov", "free", "skip"].contains(atom.kind) {
        return 0
      }
      if atom.kind == "moov" { movies += 1 }
      offset += atom.size
    }
    return movies
  }

  private static func atom(
    _ file: Int32, at offset: Int64, fileSize: Int64
  ) -> (kind: String, size: Int64)? {
    var header = [UInt8](repeating: 0, count: 16)
    let count = pread(file, &header, 16, off_t(offset))
    guard count >= 8 else { return nil }
    let kind = String(decoding: header[4..<8], as: UTF8.self)
    var size = header[0..<4].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    if size == 0 { size = fileSize - offset }
    if size == 1 {
      guard count == 16, header[8] < 0x40 else { return nil }
      size = header[8..<16].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }
    guard size >= 8, size <= fileSize - offset else { return nil }
    return (kind, size)
  }
}
