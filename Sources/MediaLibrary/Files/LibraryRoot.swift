import Glibc
import MediaCore
import SystemPackage

/// A library's open folder. Its files are named relative to the descriptor, so that neither a link
/// nor a swapped folder can lead a call out of the library.
final class LibraryRoot: Sendable {
  /// The folder's path, as the user named it.
  let path: String
  private let folder: OpenFile
  private let calls: any LibraryFileCalls

  /// Opens a library's folder. Links on the way to it are the user's choice, and are followed.
  ///
  /// - Throws: ``MediaLibraryError``: no such folder, no access.
  init(_ path: String, calls: any LibraryFileCalls) throws(MediaLibraryError) {
    let descriptor = try MediaLibraryError.attempt("open", path) { () throws(Errno) in
      try calls.open(FileLocation(path: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    }
    folder = OpenFile(descriptor: descriptor, path: path, calls: calls)
    self.path = path
    self.calls = calls
  }

  func ownership() throws(MediaLibraryError) -> FileOwnership { try folder.ownership() }

  /// The folder's path without links.
  ///
  /// - Throws: ``MediaLibraryError/Code/ioFailed`` if the system cannot tell.
  func resolvedPath() throws(MediaLibraryError) -> String {
    guard let resolved = realpath("/proc/self/fd/\(folder.descriptor)", nil) else {
      throw .system("find the path of", path, Errno(rawValue: errno))
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// True for paths in the folder.
  func holds(_ path: String) -> Bool {
    path.utf8.count > self.path.utf8.count + 1 && path.utf8.starts(with: self.path.utf8)
      && path.utf8.dropFirst(self.path.utf8.count).first == UInt8(ascii: "/")
  }

  /// Calls `body` with a file in the folder, named so that no link on the way to it is followed.
  /// The file itself may be a link.
  ///
  /// - Throws: The call's error; EXDEV if the path leaves the folders of the library.
  func call<Result>(
    _ path: String, _ body: (FileLocation) throws(Errno) -> Result
  ) throws(Errno) -> Result {
    // Compare bytes: a name may begin with a combining mark, which a string joins to the preceding
    // slash.
    let relative = String(decoding: path.utf8.dropFirst(self.path.utf8.count + 1), as: UTF8.self)
    let name = LibraryFiles.name(relative)
    guard name != "..", name != ".", !name.isEmpty else { throw .improperLink }
    guard name.utf8.count < relative.utf8.count else {
      return try body(FileLocation(name, in: folder.descriptor))
    }
    let parent = try calls.openFolder(folder.descriptor, beneath: LibraryFiles.parent(relative))
    defer { try? calls.close(parent) }
    return try body(FileLocation(name, in: parent))
  }
}
