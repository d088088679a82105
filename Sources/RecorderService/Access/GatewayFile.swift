import MediaCore
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The gateway's own files, read and written whole. No link is followed.
enum GatewayFile {
  /// The bytes of a file; nil if it is missing.
  ///
  /// - Throws: ``ServiceError/Code/runtimeFolderFailed`` if the file exists but cannot be read, or is longer than
  ///   the limit.
  static func read(_ path: String, limit: Int) throws(ServiceError) -> [UInt8]? {
    do throws(ServiceError) {
      return try RegularFile.bytes(of: path, byteLimit: limit, followsLinks: false) {
        ServiceError(.runtimeFolderFailed, $0, errno: $1)
      }
    } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw error }
      return nil
    }
  }

  /// Writes a file that only its owner may read. It is written under another name and then renamed, so that
  /// no reader sees a part of it.
  static func write(_ bytes: [UInt8], _ path: String) throws(ServiceError) {
    do {
      let file = try FileDescriptor.open(
        FilePath(path + ".new"), .writeOnly,
        options: [.create, .truncate, .noFollow, .closeOnExec],
        permissions: .ownerReadWrite)
      _ = try file.closeAfter { try file.writeAll(bytes) }
    } catch {
      throw failure(path, error as? Errno ?? .ioError)
    }
    guard rename(path + ".new", path) == 0 else { throw failure(path, Errno(rawValue: errno)) }
  }

  private static func failure(_ path: String, _ errno: Errno) -> ServiceError {
    ServiceError(.runtimeFolderFailed, "\(path) cannot be written: \(errno)", errno: errno)
  }
}
