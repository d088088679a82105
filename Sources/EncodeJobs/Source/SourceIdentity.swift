import Foundation
import MediaCore
import QuickTime

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Identifies the file that a job was planned with.
struct SourceIdentity: Equatable {
  var fileSize: Int64
  var modified: Int64
  var edges: String
  /// The xxHash64 of ``sampleRanges(of:)``.
  var samples: String

  private static let edgeSize: UInt64 = 1 << 20
  private static let sampleSize: UInt64 = 64 << 10
  private static let sampleCount: UInt64 = 16

  /// What is read between the first and last MiB of a file: 64 KiB at sixteen evenly spaced places,
  /// or all of it if it is no larger.
  static func sampleRanges(of fileSize: UInt64) -> [Range<UInt64>] {
    guard fileSize > 2 * edgeSize else { return [] }
    let between = edgeSize..<fileSize - edgeSize
    let length = between.upperBound - between.lowerBound
    guard length > sampleCount * sampleSize else { return [between] }
    return (0..<sampleCount).map { number in
      let start = between.lowerBound + (length - sampleSize) / (sampleCount - 1) * number
      return start..<start + sampleSize
    }
  }

  /// - Throws: `QuickTimeError` if the file is missing or cannot be read.
  init(path: String) throws(QuickTimeError) {
    var facts = stat()
    guard stat(path, &facts) == 0 else {
      let number = errno
      let code: QuickTimeError.Code =
        switch number {
        case ENOENT, ENOTDIR: .notFound
        case EACCES: .permissionDenied
        default: .ioFailed
        }
      throw QuickTimeError(
        code, "\(path): \(String(cString: strerror(number)))", errno: number)
    }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw QuickTimeError(
        .invalidArgument, "\(path) is not a file; a job needs movies that can be read again")
    }
    fileSize = Int64(facts.st_size)
    modified = Int64(facts.st_mtim.tv_sec) * 1_000_000_000 + Int64(facts.st_mtim.tv_nsec)
    let file = try PosixMovieFile(path: path, mode: .read)
    let size = UInt64(clamping: fileSize)
    let tail = size - min(size, Self.edgeSize)
    let ends = Set([0, tail]).sorted().map { $0..<min($0 + Self.edgeSize, size) }
    edges = try Self.checksum(ends, of: file)
    samples = try Self.checksum(Self.sampleRanges(of: size), of: file)
  }

  private static func checksum(
    _ ranges: [Range<UInt64>], of file: PosixMovieFile
  ) throws(QuickTimeError) -> String {
    let longest = Int(max(edgeSize, sampleCount * sampleSize))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: longest, alignment: 4096)
    defer { buffer.deallocate() }
    var sum = XXHash64()
    for range in ranges {
      let wanted = UnsafeMutableRawBufferPointer(
        rebasing: buffer[..<Int(range.upperBound - range.lowerBound)])
      let count = try file.read(into: wanted, at: range.lowerBound)
      sum.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    return XXHash64.text(sum.digest)
  }

  /// Rejects a source that has changed.
  ///
  /// - Throws: ``EncodeJobError/Code/sourceChanged``, ``EncodeJobError/Code/temporary`` if it is
  ///   unavailable.
  static func check(
    _ source: EncodeJobPlan.Source, path: String
  ) throws(EncodeJobError) {
    let now: SourceIdentity
    do throws(QuickTimeError) { now = try SourceIdentity(path: path) } catch {
      if error.code == .notFound { throw EncodeJobError(.temporary, from: error) }
      // An unreadable file, or something that is not a file, is not worth a retry.
      throw RetryJudgment.passing(error) ?? RetryJudgment.lasting(error)
    }
    // The date is ignored, because a copy may have another one.
    guard
      now.fileSize != source.fileSize || now.edges != source.edges
        || source.samples.map({ $0 != now.samples }) ?? false
    else { return }
    let change =
      now.fileSize == source.fileSize
      ? "still \(now.fileSize) bytes, but other ones"
      : "\(source.fileSize) bytes then, \(now.fileSize) now"
    throw EncodeJobError(
      .sourceChanged,
      "\(path) has changed since the job was planned (\(change)); restore the original, or plan again"
    )
  }
}
