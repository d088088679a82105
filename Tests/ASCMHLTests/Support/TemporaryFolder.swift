import Foundation

/// A folder that goes when nobody holds it any more.
final class TemporaryFolder: Sendable {
  let url: URL

  init(in parent: URL = FileManager.default.temporaryDirectory) throws {
    url = parent.appending(path: "ascmhl-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.path + "/" + name }

  /// Makes a folder.
  @discardableResult
  func makeFolder(_ name: String) throws -> URL {
    let folder = URL(filePath: path(name))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Writes a file.
  @discardableResult
  func write(_ bytes: [UInt8], _ name: String) throws -> URL {
    let file = URL(filePath: path(name))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file
  }

  @discardableResult
  func write(_ text: String, _ name: String) throws -> URL { try write([UInt8](text.utf8), name) }

  func bytes(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(filePath: path(name))))
  }

  /// Changes one bit in the middle of a file.
  func damage(_ name: String) throws {
    var bytes = try bytes(name)
    bytes[bytes.count / 2] ^= 0x40
    try write(bytes, name)
  }
}
