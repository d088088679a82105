import Foundation
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A movie held in memory, as an unlinked temporary file. It disappears with the last track that uses it, even if the
/// program is killed.
final class MovieBytes: Sendable {
  let data: Data
  private let descriptor: Int32

  /// The path to read the bytes from.
  var path: String { "/proc/self/fd/\(descriptor)" }

  /// Writes the bytes to a temporary file.
  ///
  /// - Throws: ``AVError``, for example if the disk is full.
  init(_ data: Data) throws(AVError) {
    let name = FileManager.default.temporaryDirectory.appending(
      path: "movie-\(UUID().uuidString)"
    ).path
    do {
      let file = try FileDescriptor.open(
        name, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: .ownerReadWrite)
      unlink(name)
      do {
        _ = try data.withUnsafeBytes { try file.writeAll($0) }
      } catch {
        try? file.close()
        throw error
      }
      (self.data, descriptor) = (data, file.rawValue)
    } catch {
      let reason = (error as? Errno) ?? .ioError
      throw AVError(
        reason == .noSpace ? .diskFull : .unknown,
        "cannot copy the movie in memory to \(name) for reading: \(reason)", errno: reason.rawValue)
    }
  }

  deinit { close(descriptor) }
}
