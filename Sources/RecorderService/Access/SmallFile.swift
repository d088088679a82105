import MediaCore
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Files of the gateway's own, read and written whole. No link is followed.
enum SmallFile {
  /// The bytes; nil where there is no such file, or it is longer than the limit.
  static func read(_ path: String, limit: Int) -> [UInt8]? {
    guard
      let file = try? FileDescriptor.open(
        FilePath(path), .readOnly, options: [.noFollow, .closeOnExec])
    else { return nil }
    return try? file.closeAfter {
      let size = Int(try file.seek(offset: 0, from: .end))
      guard size <= limit else { return nil }
      return try [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
        initialized = try file.read(
          fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))
      }
    }
  }

  /// Writes a file that its owner alone may read: under another name first, so that it is never there
  /// in part.
  static func write(_ bytes: [UInt8], _ path: String) throws(ServiceError) {
    do {
      let file = try FileDescriptor.open(
        FilePath(path + ".new"), .writeOnly,
        options: [.create, .truncate, .noFollow, .closeOnExec],
        permissions: .ownerReadWrite)
      _ = try file.closeAfter { try file.writeAll(bytes) }
    } catch {
      throw ServiceError(.runtimeFolderFailed, "\(path) cannot be written: \(error)")
    }
    guard rename(path + ".new", path) == 0 else {
      throw ServiceError(
        .runtimeFolderFailed, "\(path) cannot be written: \(Errno(rawValue: errno))", errno: errno)
    }
  }
}
