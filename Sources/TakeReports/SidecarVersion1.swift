import FoundationEssentials

/// Sidecars as versions before 0.2 wrote them: the same facts under other names.
enum SidecarVersion1 {
  /// What they said under `format`.
  static let formatName = "recordctl take"

  /// Keys of the outermost object.
  private static let outermost = ["format": "schema", "written": "date", "file": "fileName"]

  /// Keys of the objects within, each of which had one meaning.
  private static let inner = [
    "bytes": "byteCount", "checksum": "xxHash64", "fileBytes": "fileSize",
    "largestFrame": "largestFrameBytes", "largestQueue": "largestQueueBytes",
    "maximum": "maximumMilliseconds", "mean": "meanMilliseconds", "median": "medianMilliseconds",
    "percentile99": "percentile99Milliseconds", "percentile999": "percentile999Milliseconds",
    "report": "writer", "sound": "audio", "undecodedFrames": "framesUndecoded",
  ]

  /// Kinds of incidents that are called otherwise today.
  static let incidentKinds = ["soundLost": "audioLost", "soundEnded": "audioEnded"]

  /// Gives each key the name that it has today.
  static let keys = JSONDecoder.KeyDecodingStrategy.custom { path in
    guard let key = path.last, key.intValue == nil else { return path.last ?? Name("") }
    return Name((path.count == 1 ? outermost : inner)[key.stringValue] ?? key.stringValue)
  }

  /// A key of today.
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }
}

extension RecordingReport.Incident.Kind {
  /// Reads today's name, or that of version 1.
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
