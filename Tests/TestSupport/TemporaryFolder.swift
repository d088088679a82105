package import Foundation
import Synchronization

/// A folder that is removed when its last owner releases it.
package final class TemporaryFolder: Sendable {
  package let url: URL
  private let neighbors = Mutex<Set<String>>([])

  package init(in parent: URL = FileManager.default.temporaryDirectory) throws {
    url = parent.appending(path: "test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    let neighbors = neighbors.withLock { $0 }
    for path in [url.path] + neighbors { try? FileManager.default.removeItem(atPath: path) }
  }

  package var path: String { url.path }

  package func path(_ name: String) -> String { url.path + "/" + name }

  package func url(_ name: String) -> URL { url.appending(path: name) }

  /// A path outside the folder that is removed with it.
  package func beside(_ name: String) -> String {
    let path = url.path + "-" + name
    neighbors.withLock { _ = $0.insert(path) }
    return path
  }

  /// The names in the folder, sorted.
  package var contents: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }

  @discardableResult
  package func makeFolder(_ name: String) throws -> URL {
    let folder = url(name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Writes a file, and the folders on its path.
  @discardableResult
  package func write(_ bytes: [UInt8], _ name: String) throws -> URL {
    let file = url(name)
    // In bytes, because a combining accent after a slash makes it another character.
    if name.utf8.contains(UInt8(ascii: "/")) {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    }
    try Data(bytes).write(to: file)
    return file
  }

  @discardableResult
  package func write(_ text: String, _ name: String) throws -> URL {
    try write([UInt8](text.utf8), name)
  }

  /// Writes a program by running another process. A file that is open for writing cannot be
  /// executed, and if this process wrote it, the children that other tests start at the same time
  /// would hold it open until they run their own programs.
  @discardableResult
  package func writeProgram(_ text: String, _ name: String) throws -> URL {
    let source = try write(text, name + ".source")
    defer { try? FileManager.default.removeItem(at: source) }
    let copy = try Command.run("/usr/bin/install", ["-m", "755", source.path, path(name)])
    guard copy.status == 0 else { throw Unusable(description: copy.errors) }
    return url(name)
  }

  package func emptyFile(_ name: String) throws -> URL { try write([], name) }

  package func bytes(_ name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: url(name))) }

  /// Changes one bit in the middle of a file.
  package func damage(_ name: String) throws {
    var bytes = try bytes(name)
    bytes[bytes.count / 2] ^= 0x40
    try write(bytes, name)
  }
}
