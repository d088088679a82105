import Foundation
import TestSupport
import Testing

@testable import ASCMHL

/// A card `A001` and its copies.
extension TemporaryFolder {
  private static let movie: [UInt8] = {
    var random = SeededGenerator(seed: 31)
    return random.bytes(2_500_000)
  }()

  /// Writes a card with a few files, one of them large enough for several pieces.
  ///
  /// - Returns: The files' contents, by path.
  @discardableResult
  func writeCard() throws -> [String: [UInt8]] {
    let files: [String: [UInt8]] = [
      "DCIM/A001C001.mov": Self.movie,
      "DCIM/A001C002.mov": [UInt8]("two".utf8), "DCIM/empty.xml": [],
      "index & <1>.txt": [UInt8]("index".utf8), ".hidden": [1],
    ]
    for (path, bytes) in files { try write(bytes, "A001/" + path) }
    try makeFolder("A001/MISC/EMPTY")
    return files
  }

  /// An offload of the card to newly created folders.
  func offload(to names: [String] = ["one", "two"]) throws -> FolderOffload {
    FolderOffload(of: url.appending(path: "A001"), to: try names.map { try makeFolder($0) })
  }

  func expectWhole(
    _ files: [String: [UInt8]], in copy: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    for (path, content) in files {
      #expect(try bytes(copy + "/" + path) == content, "\(path)", sourceLocation: location)
    }
    let found = try CopyVerification.verify(folder: url.appending(path: copy))
    #expect(
      found.isSound && found.verifiedCount == files.count, "\(found)", sourceLocation: location)
    #expect(found.unlisted.isEmpty, "\(found.unlisted)", sourceLocation: location)
  }
}
