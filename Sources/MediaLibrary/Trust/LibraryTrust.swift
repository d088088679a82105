public import FoundationEssentials
import Glibc
import MediaCore
import SystemPackage

/// The libraries that a user trusts by name, although somebody else owns or may write to them.
///
/// The list is `trusted-libraries` in the user's configuration folder (`~/.config/recordctl`), with
/// a resolved path on each line. A trusted library can be changed, and hooks named in its own
/// settings are run.
public struct LibraryTrust: Sendable {
  private let path: String
  private let user: LibraryUser
  private let files: LibraryFiles
  private static let sizeLimit = 1 << 20

  /// The list of this process's user.
  public init() { self.init(user: .current) }

  package init(
    user: LibraryUser, calls: any LibraryFileCalls = SystemLibraryFileCalls(),
    afterMoment: (@Sendable (@escaping @Sendable () -> Void) -> Void)? = nil
  ) {
    self.user = user
    files = LibraryFiles(
      calls: calls, lockWait: afterMoment.map { LockWait(afterMoment: $0) } ?? LockWait())
    path = user.configuration + "/trusted-libraries"
  }

  /// Sets a handler, which is called with a one-line message if an operation waits for longer than
  /// a moment because another process is changing the list; nil for none.
  public func onWait(_ handler: (@Sendable (String) -> Void)?) {
    files.lockWait.setHandler(handler)
  }

  /// The paths of the trusted libraries, in order.
  ///
  /// - Throws: ``MediaLibraryError`` if the list cannot be read, or somebody else may write to it.
  public func libraries() throws(MediaLibraryError) -> [String] {
    guard let status = try files.ownership(path) else { return [] }
    guard status.isRegularFile else {
      throw MediaLibraryError(.invalidPath, "\(path): is not a regular file; move it away")
    }
    if let reason = user.stranger(status) {
      throw MediaLibraryError(
        .untrusted,
        "\(path): \(reason), so nothing in it is trusted; take ownership of it (mode 0600)")
    }
    let text = String(decoding: try files.contents(of: path, limit: Self.sizeLimit), as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }

  /// Trusts the library in a folder from now on.
  ///
  /// - Returns: The folder's path without links, as it appears in the list.
  /// - Throws: ``MediaLibraryError/Code/fileNotFound`` if the folder does not exist,
  ///   ``MediaLibraryError/Code/invalidPath`` if its path contains a line break, and errors of
  ///   ``libraries()``.
  @discardableResult
  public func add(_ library: URL) throws(MediaLibraryError) -> String {
    guard let resolved = realpath(library.path, nil) else {
      throw .system("trust", library.path, Errno(rawValue: errno))
    }
    defer { free(resolved) }
    let name = String(cString: resolved)
    guard !name.utf8.contains(10) else {
      throw MediaLibraryError(
        .invalidPath, "\(name): has a line break in its path; rename the folder")
    }
    try locked { () throws(MediaLibraryError) in
      let present = try libraries()
      if !present.contains(name) { try write(present + [name]) }
    }
    return name
  }

  /// Removes a library from the list. Its folder need not exist any more.
  ///
  /// - Returns: False if it was not in the list.
  /// - Throws: Errors of ``libraries()``.
  @discardableResult
  public func remove(_ library: URL) throws(MediaLibraryError) -> Bool {
    let names = [LibraryLayout(library).root, files.resolved(LibraryLayout(library).root)]
    guard try files.status(path) != nil else { return false }
    return try locked { () throws(MediaLibraryError) -> Bool in
      let present = try libraries()
      let left = present.filter { !names.contains($0) }
      guard left.count < present.count else { return false }
      try write(left)
      return true
    }
  }

  /// True if the list contains a resolved path.
  func contains(_ resolved: String) throws(MediaLibraryError) -> Bool {
    try libraries().contains(resolved)
  }

  /// Runs a change of the list while no other process changes it: of two concurrent changes, one
  /// would be lost.
  private func locked<Result>(
    _ body: () throws(MediaLibraryError) -> Result
  ) throws(MediaLibraryError) -> Result {
    try files.makeFolders(user.configuration)
    let lock = try files.openOwn(path + ".lock", O_RDWR | O_CREAT)
    // A file system without locks keeps nobody out.
    try? files.lockWait.take(lock, of: path, kind: "list")
    defer { lock.unlock() }
    return try body()
  }

  private func write(_ libraries: [String]) throws(MediaLibraryError) {
    try files.replace(path, with: [UInt8](libraries.map { $0 + "\n" }.joined().utf8))
  }
}
