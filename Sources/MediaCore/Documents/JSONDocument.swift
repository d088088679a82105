public import FoundationEssentials

/// A JSON document of one of the ``DocumentKind``s: the keys of its parts side by side, and `schema`
/// and `version`.
public struct JSONDocument: Encodable {
  private enum Keys: CodingKey { case schema, version }

  private let kind: DocumentKind
  private let parts: [any Encodable]

  /// A document of parts that are encoded as objects. Of two that have a key in common the later
  /// one counts.
  public init(_ kind: DocumentKind, _ parts: any Encodable...) {
    self.kind = kind
    self.parts = parts
  }

  /// Writes the parts' keys, `schema` and `version`.
  ///
  /// - Throws: `EncodingError`, should a number be infinite or NaN.
  public func encode(to encoder: any Encoder) throws {
    for part in parts { try part.encode(to: encoder) }
    var header = encoder.container(keyedBy: Keys.self)
    try header.encode(kind.schema, forKey: .schema)
    try header.encode(DocumentKind.version, forKey: .version)
  }

  /// The document as UTF-8, keys sorted, so that two of them compare.
  ///
  /// - Parameter isOneLine: True for JSON Lines, false for people.
  /// - Throws: `EncodingError` for a number that JSON lacks, such as infinity.
  public func data(isOneLine: Bool = false) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if !isOneLine { encoder.outputFormatting.insert(.prettyPrinted) }
    return try encoder.encode(self)
  }

  /// The dates that ISO 8601 writes with four digits for the year.
  private static let writableTimes: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// A date as documents tell it, ISO 8601 in UTC: `2026-11-22T17:02:48Z`.
  ///
  /// - Parameter unixTime: Seconds since 1970; what lies beyond the years 1 to 9999 becomes their end.
  public static func date(unixTime: Int64) -> String {
    let time = min(max(unixTime, writableTimes.lowerBound), writableTimes.upperBound)
    return Date(timeIntervalSince1970: Double(time)).formatted(.iso8601)
  }

  /// ``data(isOneLine:)`` as text.
  ///
  /// - Throws: As ``data(isOneLine:)``.
  public func text(isOneLine: Bool = false) throws -> String {
    String(decoding: try data(isOneLine: isOneLine), as: UTF8.self)
  }
}
