import Foundation
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The bytes of a movie that a program has in memory, as a file without a name: it goes with the last track that
/// shows something of it, also where the program is killed.
final class MovieBytes: Sendable {
  let data: Data
  private let descriptor: Int32

  /// Where readers find the bytes.
  var path: String { "/proc/self/fd/\(descriptor)" }

  /// Copies the bytes into the folder for temporary files.
  ///
  /// - Throws: ``AVError``, as for a disk without room.
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
        "a movie in memory is put into \(name) to be read: \(reason)", errno: reason.rawValue)
    }
  }

  deinit { close(descriptor) }
}
