import Glibc

/// A library's folder, held open. What lies in it is named from here on, so that neither a link nor
/// a folder that somebody puts in the place of another leads a call out of the library.
final class LibraryRoot: Sendable {
  /// The folder's path, as the user named it.
  let path: String
  private let folder: OpenFile
  private let calls: any LibraryFileCalls

  /// Opens a library's folder. Links that lead to it are the user's choice, and are followed.
  ///
  /// - Throws: ``MediaLibraryError``: no such folder, no access.
  init(_ path: String, calls: any LibraryFileCalls) throws(MediaLibraryError) {
    let descriptor = calls.open(
      FileLocation(path: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw .system("open", path, errno) }
    folder = OpenFile(descriptor: descriptor, path: path, calls: calls)
    self.path = path
    self.calls = calls
  }

  /// Who may write the folder.
  func ownership() throws(MediaLibraryError) -> FileOwnership { try folder.ownership() }

  /// The folder's path without links.
  ///
  /// - Throws: ``MediaLibraryError/Code/ioFailed`` where the system cannot tell.
  func resolvedPath() throws(MediaLibraryError) -> String {
    guard let resolved = realpath("/proc/self/fd/\(folder.descriptor)", nil) else {
      throw .system("find the path of", path, errno)
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// True for paths in the folder.
  func holds(_ path: String) -> Bool {
    path.utf8.count > self.path.utf8.count + 1 && path.utf8.starts(with: self.path.utf8)
      && path.utf8.dropFirst(self.path.utf8.count).first == UInt8(ascii: "/")
  }

  /// Calls `body` with a file in the folder, named so that no link on the way to it is followed. The
  /// file itself may be one.
  ///
  /// - Returns: The call's result and the error number behind it; -1 where the way to the file does
  ///   not lead through folders of the library.
  func call(
    _ path: String, _ body: (FileLocation) -> Int32
  ) -> (result: Int32, number: Int32) {
    // By bytes: a name may begin with a mark that text joins to the slash before it.
    let relative = String(decoding: path.utf8.dropFirst(self.path.utf8.count + 1), as: UTF8.self)
    let name = LibraryFiles.name(relative)
    guard name != "..", name != ".", !name.isEmpty else { return (-1, EXDEV) }
    guard name.utf8.count < relative.utf8.count else {
      let result = body(FileLocation(name, in: folder.descriptor))
      return (result, errno)
    }
    let parent = calls.openFolder(folder.descriptor, beneath: LibraryFiles.parent(relative))
    guard parent >= 0 else { return (-1, errno) }
    let result = body(FileLocation(name, in: parent))
    let number = errno
    _ = calls.close(parent)
    return (result, number)
  }
}
