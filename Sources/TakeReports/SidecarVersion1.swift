import FoundationEssentials

/// Sidecars written by versions before 0.2, which used other names for the same facts.
enum SidecarVersion1 {
  /// Their value of `format`.
  static let formatName = "recordctl take"

  /// Keys of the outermost object that were renamed.
  private static let outermost = ["format": "schema", "written": "date", "file": "fileName"]

  /// Keys of inner objects that were renamed; each had a single meaning.
  private static let inner = [
    "bytes": "byteCount", "checksum": "xxHash64", "fileBytes": "fileSize",
    "largestFrame": "largestFrameBytes", "largestQueue": "largestQueueBytes",
    "maximum": "maximumMilliseconds", "mean": "meanMilliseconds", "median": "medianMilliseconds",
    "percentile99": "percentile99Milliseconds", "percentile999": "percentile999Milliseconds",
    "report": "writer", "sound": "audio", "undecodedFrames": "framesUndecoded",
  ]

  /// Kinds of incidents that were renamed.
  static let incidentKinds = ["soundLost": "audioLost", "soundEnded": "audioEnded"]

  /// Translates each key to its current name.
  static let keys = JSONDecoder.KeyDecodingStrategy.custom { path in
    guard let key = path.last, key.intValue == nil else { return path.last ?? Name("") }
    return Name((path.count == 1 ? outermost : inner)[key.stringValue] ?? key.stringValue)
  }

  /// A current key.
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }
}

extension RecordingReport.Incident.Kind {
  /// Decodes the current name, or that of version 1.
  ///
  /// - Throws: `DecodingError` for an unknown one.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let kind = Self(rawValue: SidecarVersion1.incidentKinds[name] ?? name) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "unknown kind of incident '\(name)'")
    }
    self = kind
  }
}
