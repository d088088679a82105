import MediaCore
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Files of the gateway's own, read and written whole. No link is followed.
enum SmallFile {
  /// The bytes; nil if the file cannot be read, or is longer than the limit.
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
      throw ServiceError(.runtimeFolderFailed, "\(path) cannot be written: \(error)")
    }
    guard rename(path + ".new", path) == 0 else {
      throw ServiceError(
        .runtimeFolderFailed, "\(path) cannot be written: \(Errno(rawValue: errno))", errno: errno)
    }
  }
}
