import MediaCore

/// Everything the library knows about an asset: the journal stores it, and the catalogue is built
/// from it.
struct AssetRecord: Decodable, Sendable, Hashable {
  /// The asset's identifier.
  var id: String
  var mediaType: AssetMediaType
  /// Seconds since 1970, like all times here.
  var created: Double
  var added: Double
  var modified: Double
  /// When it was moved to the recently deleted; nil if it was not.
  var trashed: Double?
  var favorite = false
  var location: GeographicLocation?
  var facts: MediaFacts
  var resources: [ResourceRecord]

  /// Appends a further movie of the take.
  mutating func append(segment: AssetRecord) {
    facts.append(segment: segment.facts)
    resources += segment.resources.map { resource in
      var resource = resource
      resource.type = .segment
      return resource
    }
  }

  /// The asset's file with the same hash and size as another one; nil if there is none.
  func file(like other: ResourceRecord) -> ResourceRecord? {
    resources.first { $0.hash == other.hash && $0.size == other.size }
  }

  /// The text that searches look at.
  var searchText: String {
    var words = resources.map(\.name)
    words += [facts.codecName, facts.codec, facts.device, facts.timecode, facts.frameRate]
      .compactMap { $0 }
    let slate = [("reel", facts.reel), ("scene", facts.scene), ("take", facts.take)]
    for case (let name, let value?) in slate { words.append(name + " " + value) }
    if facts.isRAW { words.append("RAW") }
    if facts.width > 0 { words.append("\(facts.width)x\(facts.height)") }
    return words.joined(separator: "\n")
  }
}

/// A file of an asset.
struct ResourceRecord: Decodable, Sendable, Hashable {
  var type: AssetResourceType
  /// The path in the library.
  var path: String
  /// The name under which it was added.
  var name: String
  /// The uniform type identifier.
  var uti: String
  var size: Int64
  /// xxHash64, 16 hexadecimal digits.
  var hash: String
  /// When the content last changed, in nanoseconds since 1970.
  var modified: Int64
}

extension Sequence<ResourceRecord> {
  /// The total size in bytes, saturating, because sizes may come from strangers.
  var byteCount: Int64 { reduce(Int64(0)) { $0.addingSaturating($1.size) } }
}
