import MediaCore

/// The keys of a JSON object from a client.
///
/// Unknown keys have to be refused: `{"channels":["b"]}` sent to an address without such a key would stop
/// every channel.
struct BodyKeys: Decodable {
  private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// In alphabetical order.
  private let names: [String]

  /// The most keys to list in a message.
  private static let limit = 8

  init(from decoder: any Decoder) throws {
    names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
  }

  /// The keys of a text; nil if it is not a JSON object.
  init?(_ bytes: [UInt8]) {
    guard let keys = JSONText.value(BodyKeys.self, bytes) else { return nil }
    self = keys
  }

  /// The first keys that are not among the known ones, each fit for a line of a log.
  func unknown(except known: [String]) -> [String] {
    names.filter { !known.contains($0) }.prefix(Self.limit).map { name in
      name.unicodeScalars.prefix(40).reduce(into: "") { text, scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: text += "?"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
  }

  /// The error for unknown keys, in words; nil for none.
  ///
  /// - Parameters:
  ///   - known: The keys that are accepted.
  ///   - place: What the keys belong to, such as `this address`.
  func fault(except known: [String], of place: String) -> String? {
    let unknown = unknown(except: known)
    guard !unknown.isEmpty else { return nil }
    let words = unknown.map { "'\($0)'" + Suggestion.remark(on: $0, among: known) }
    return words.joined(separator: ", ")
      + (unknown.count == 1 ? " is not a key of \(place)" : " are not keys of \(place)")
      + (known.isEmpty ? ", which has none" : "; known here: " + known.joined(separator: ", "))
  }
}
