import MediaCore

/// All that the library knows of an asset: what the journal keeps, and the catalogue is made of.
struct AssetRecord: Decodable, Sendable, Hashable {
  /// The asset's identifier.
  var id: String
  var mediaType: AssetMediaType
  /// Seconds since 1970, as all times here.
  var created: Double
  var added: Double
  var modified: Double
  /// When it was put among the recently deleted; nil where it was not.
  var trashed: Double?
  var favorite = false
  var location: GeographicLocation?
  var facts: MediaFacts
  var resources: [ResourceRecord]

  /// Adds the movie that a take goes on in.
  mutating func append(segment: AssetRecord) {
    facts.append(segment: segment.facts)
    resources += segment.resources.map { resource in
      var resource = resource
      resource.type = .segment
      return resource
    }
  }

  /// The file of the asset that holds what another one does, by hash and size; nil where none does.
  func file(like other: ResourceRecord) -> ResourceRecord? {
    resources.first { $0.hash == other.hash && $0.size == other.size }
  }

  /// The words that a search looks through.
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
  /// The name that it came with.
  var name: String
  /// The uniform type identifier.
  var uti: String
  var size: Int64
  /// xxHash64, 16 hexadecimal digits.
  var hash: String
  /// When the content changed last, in nanoseconds since 1970.
  var modified: Int64
}

extension Sequence<ResourceRecord> {
  /// Bytes of all; the largest number where what strangers wrote adds up to more.
  var byteCount: Int64 { reduce(Int64(0)) { $0.addingSaturating($1.size) } }
}
