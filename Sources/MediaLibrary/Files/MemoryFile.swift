import CLinux
import SystemPackage

/// An in-memory file for APIs that require a file; freed when its last descriptor is closed.
enum MemoryFile {
  /// A descriptor of a file with these bytes, positioned at its start. The caller closes it.
  static func open(holding bytes: [UInt8]) throws(Errno) -> FileDescriptor {
    let number = memory_file()
    guard number >= 0 else { throw Errno.noMemory }
    let file = FileDescriptor(rawValue: CInt(number))
    do {
      try file.writeAll(bytes)
      try file.seek(offset: 0, from: .start)
    } catch {
      try? file.close()
      throw Errno.noMemory
    }
    return file
  }
}
