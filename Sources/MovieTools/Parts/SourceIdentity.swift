import Foundation
import MediaCore
import QuickTime

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// What tells whether a file is still the one that was planned with.
struct SourceIdentity: Equatable {
  var fileSize: Int64
  var modified: Int64
  var edges: String

  private static let edgeSize = 1 << 20

  /// - Throws: `QuickTimeError` where the file is gone or cannot be read.
  init(path: String) throws(QuickTimeError) {
    var facts = stat()
    guard stat(path, &facts) == 0 else {
      let number = errno
      throw QuickTimeError(
        number == ENOENT ? .notFound : .ioFailed,
        "\(path): \(String(cString: strerror(number)))", errno: number)
    }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw QuickTimeError(
        .invalidArgument, "\(path) is not a file; a job takes movies that can be read again")
    }
    fileSize = Int64(facts.st_size)
    modified = Int64(facts.st_mtim.tv_sec) * 1_000_000_000 + Int64(facts.st_mtim.tv_nsec)
    let file = try PosixMovieFile(path: path, mode: .read)
    var sum = XXHash64()
    let size = UInt64(clamping: fileSize)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.edgeSize, alignment: 4096)
    defer { buffer.deallocate() }
    for offset in Set([0, size - min(size, UInt64(Self.edgeSize))]).sorted() {
      let count = try file.read(into: buffer, at: offset)
      sum.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    edges = XXHash64.text(sum.digest)
  }

  /// Refuses a source that is not what it was.
  ///
  /// - Throws: ``EncodeJobError/Code/sourceChanged``, ``EncodeJobError/Code/temporary`` where it is away.
  static func check(
    _ source: EncodeJobPlan.Source, path: String
  ) throws(EncodeJobError) {
    let now: SourceIdentity
    do throws(QuickTimeError) { now = try SourceIdentity(path: path) } catch {
      throw EncodeJobError(.temporary, from: error)
    }
    // A copy has another date and the same bytes.
    guard now.fileSize != source.fileSize || now.edges != source.edges else { return }
    throw EncodeJobError(
      .sourceChanged,
      "\(path) has changed since the job was planned (\(source.fileSize) bytes then, \(now.fileSize) now); "
        + "put back what was there, or plan again")
  }
}
