import ASCMHL
import FoundationEssentials
import MediaCore

/// Information from a movie's sidecar (`prores-recorder/sidecar`) about the movie's file: whether
/// it is complete, and its checksum.
struct SidecarDigest: Sendable, Hashable {
  /// False for a movie that is being recorded or was not finished.
  var isComplete: Bool
  /// The xxHash64 of the whole file, as sixteen hexadecimal digits; nil if unknown.
  var xxh64: String?

  /// The suffix of sidecars' names.
  static let suffix = ".json"
  /// The largest sidecar that is read: enough for a day at 60 frames per second.
  static let sizeLimit: Int64 = 512 << 20

  private struct Document: Decodable {
    struct Checksums: Decodable { var file: String? }

    var schema: String
    var state: String
    var checksums: Checksums?
  }

  /// Parses a sidecar; nil for anything else.
  init?(_ bytes: [UInt8]) {
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)),
      document.schema == DocumentKind.sidecar.schema
    else { return nil }
    isComplete = document.state != "recording"
    xxh64 = document.checksums?.file.flatMap { ContentHash($0) }.map { "\($0)" }
  }

  /// Reads the sidecar of a file in a folder; nil if it has none.
  init?(of path: String, in folder: CopyFolder) throws(ObjectStorageError) {
    do throws(ASCMHLError) {
      guard let facts = try folder.facts(path + Self.suffix), facts.isRegularFile,
        facts.size <= Self.sizeLimit
      else { return nil }
      var bytes: [UInt8] = []
      try folder.open(path + Self.suffix).forEachChunk { bytes.append(contentsOf: $0) }
      self.init(bytes)
    } catch { throw ObjectStorageError(error) }
  }
}
