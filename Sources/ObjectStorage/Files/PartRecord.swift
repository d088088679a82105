import ASCMHL
import FoundationEssentials
import MediaCore

/// The record of an export's part (`prores-recorder/encode-part`) without its maker: if two workers
/// make the same part, their records differ only in that.
struct PartRecord: Decodable, Hashable {
  var schema: String
  var part: Int
  var plan: String
  var fileSize: Int64
  var xxHash64: String
  var frames: [String]

  static let name = "part.json"
  private static let sizeLimit: Int64 = 64 << 20

  /// Parses a record; nil for anything else.
  init?(_ bytes: [UInt8]) {
    guard let record = try? JSONDecoder().decode(Self.self, from: Data(bytes)),
      record.schema == DocumentKind.encodePart.schema
    else { return nil }
    self = record
  }

  /// True if an object and a file are equal records of the same part.
  static func areAlike(
    _ item: RemoteCopy.Item, _ key: String, _ client: StorageClient
  ) throws(ObjectStorageError) -> Bool {
    let source = item.source
    guard CopyFolder.split(source.path).name == name, source.size <= sizeLimit else { return false }
    var bytes: [UInt8] = []
    do throws(ASCMHLError) {
      try source.folder.open(source.path).forEachChunk { bytes.append(contentsOf: $0) }
    } catch { throw ObjectStorageError(error) }
    guard let own = PartRecord(bytes), let facts = try client.head(key), facts.size <= sizeLimit,
      let other = try client.document(key, atMost: sizeLimit)
    else { return false }
    return PartRecord(other.bytes) == own
  }
}
