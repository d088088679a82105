import ASCMHL
import FoundationEssentials
import MediaCore

/// What the record of a conversion's part (`prores-recorder/encode-part`) says of the part, without who
/// made it: two workers may make one part, and then their records differ in nothing else.
struct PartRecord: Decodable, Hashable {
  var schema: String
  var part: Int
  var plan: String
  var fileSize: Int64
  var xxHash64: String
  var frames: [String]

  static let name = "part.json"
  private static let sizeLimit: Int64 = 64 << 20

  /// Reads a record; nil for anything else.
  init?(_ bytes: [UInt8]) {
    guard let record = try? JSONDecoder().decode(Self.self, from: Data(bytes)),
      record.schema == DocumentKind.encodePart.schema
    else { return nil }
    self = record
  }

  /// True where an object and a file are records of the same part, made alike.
  static func areAlike(
    _ item: RemoteCopy.Item, _ key: String, _ client: StorageClient
  ) throws(ObjectStorageError) -> Bool {
    guard CopyFolder.split(item.source).name == name, item.size <= sizeLimit else { return false }
    var bytes: [UInt8] = []
    do throws(ASCMHLError) {
      try item.folder.open(item.source).forEachChunk { bytes.append(contentsOf: $0) }
    } catch { throw ObjectStorageError(error) }
    guard let own = PartRecord(bytes), let facts = try client.head(key), facts.size <= sizeLimit,
      let other = try client.document(key, atMost: sizeLimit)
    else { return false }
    return PartRecord(other.bytes) == own
  }
}
