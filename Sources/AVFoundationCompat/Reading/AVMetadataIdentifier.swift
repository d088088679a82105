/// A space of metadata keys.
public struct AVMetadataKeySpace: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// Keys common to all containers.
  public static let common = Self(rawValue: "comn")
  /// Reverse-DNS keys of QuickTime's `moov/meta`.
  public static let quickTimeMetadata = Self(rawValue: "mdta")
  /// Four-character codes of QuickTime's `moov/udta`.
  public static let quickTimeUserData = Self(rawValue: "udta")
  /// Four-character codes of iTunes.
  public static let iTunes = Self(rawValue: "itsk")
  /// ID3 frames.
  public static let id3 = Self(rawValue: "org.id3")
}

/// The format of a file's metadata.
public struct AVMetadataFormat: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// QuickTime's `moov/meta`.
  public static let quickTimeMetadata = Self(rawValue: "com.apple.quicktime.mdta")
}

/// The key of a metadata item in a key space.
public struct AVMetadataKey: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }

  public static let commonKeyTitle = Self(rawValue: "title")
  public static let commonKeyCreator = Self(rawValue: "creator")
  public static let commonKeyArtist = Self(rawValue: "artist")
  public static let commonKeyAuthor = Self(rawValue: "author")
  public static let commonKeyDescription = Self(rawValue: "description")
  public static let commonKeyCreationDate = Self(rawValue: "creationDate")
  public static let commonKeyCopyrights = Self(rawValue: "copyrights")
  public static let commonKeyMake = Self(rawValue: "make")
  public static let commonKeyModel = Self(rawValue: "model")
  public static let commonKeySoftware = Self(rawValue: "software")
  public static let commonKeyLocation = Self(rawValue: "location")

  public static let quickTimeMetadataKeyTitle = quickTime("title")
  public static let quickTimeMetadataKeyArtist = quickTime("artist")
  public static let quickTimeMetadataKeyAuthor = quickTime("author")
  public static let quickTimeMetadataKeyComment = quickTime("comment")
  public static let quickTimeMetadataKeyContentIdentifier = quickTime("content.identifier")
  public static let quickTimeMetadataKeyCopyright = quickTime("copyright")
  public static let quickTimeMetadataKeyCreationDate = quickTime("creationdate")
  public static let quickTimeMetadataKeyDescription = quickTime("description")
  public static let quickTimeMetadataKeyInformation = quickTime("information")
  public static let quickTimeMetadataKeyKeywords = quickTime("keywords")
  public static let quickTimeMetadataKeyLocationISO6709 = quickTime("location.ISO6709")
  public static let quickTimeMetadataKeyMake = quickTime("make")
  public static let quickTimeMetadataKeyModel = quickTime("model")
  public static let quickTimeMetadataKeySoftware = quickTime("software")

  private static func quickTime(_ name: String) -> Self {
    Self(rawValue: "com.apple.quicktime." + name)
  }
}

/// A key space and a key: `mdta/com.apple.quicktime.make`.
public struct AVMetadataIdentifier: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }

  init(_ space: AVMetadataKeySpace, _ key: AVMetadataKey) {
    // Apple's identifiers start with `common`, although the key space is `comn`.
    rawValue = (space == .common ? "common" : space.rawValue) + "/" + key.rawValue
  }

  /// The key space and the key; nil if there is no slash.
  var parts: (space: AVMetadataKeySpace, key: AVMetadataKey)? {
    guard let slash = rawValue.firstIndex(of: "/") else { return nil }
    let space = String(rawValue[..<slash])
    return (
      space == "common" ? .common : AVMetadataKeySpace(rawValue: space),
      AVMetadataKey(rawValue: String(rawValue[rawValue.index(after: slash)...]))
    )
  }

  public static let commonIdentifierTitle = Self(.common, .commonKeyTitle)
  public static let commonIdentifierCreator = Self(.common, .commonKeyCreator)
  public static let commonIdentifierArtist = Self(.common, .commonKeyArtist)
  public static let commonIdentifierAuthor = Self(.common, .commonKeyAuthor)
  public static let commonIdentifierDescription = Self(.common, .commonKeyDescription)
  public static let commonIdentifierCreationDate = Self(.common, .commonKeyCreationDate)
  public static let commonIdentifierCopyrights = Self(.common, .commonKeyCopyrights)
  public static let commonIdentifierMake = Self(.common, .commonKeyMake)
  public static let commonIdentifierModel = Self(.common, .commonKeyModel)
  public static let commonIdentifierSoftware = Self(.common, .commonKeySoftware)
  public static let commonIdentifierLocation = Self(.common, .commonKeyLocation)

  public static let quickTimeMetadataTitle = quickTime(.quickTimeMetadataKeyTitle)
  public static let quickTimeMetadataArtist = quickTime(.quickTimeMetadataKeyArtist)
  public static let quickTimeMetadataAuthor = quickTime(.quickTimeMetadataKeyAuthor)
  public static let quickTimeMetadataComment = quickTime(.quickTimeMetadataKeyComment)
  public static let quickTimeMetadataContentIdentifier = quickTime(
    .quickTimeMetadataKeyContentIdentifier)
  public static let quickTimeMetadataCopyright = quickTime(.quickTimeMetadataKeyCopyright)
  public static let quickTimeMetadataCreationDate = quickTime(.quickTimeMetadataKeyCreationDate)
  /// The position of a face in the frame.
  public static let quickTimeMetadataDetectedFace = Self(
    .quickTimeMetadata, AVMetadataKey(rawValue: "com.apple.quicktime.detected-face"))
  public static let quickTimeMetadataDescription = quickTime(.quickTimeMetadataKeyDescription)
  public static let quickTimeMetadataInformation = quickTime(.quickTimeMetadataKeyInformation)
  public static let quickTimeMetadataKeywords = quickTime(.quickTimeMetadataKeyKeywords)
  public static let quickTimeMetadataLocationISO6709 = quickTime(
    .quickTimeMetadataKeyLocationISO6709)
  public static let quickTimeMetadataMake = quickTime(.quickTimeMetadataKeyMake)
  public static let quickTimeMetadataModel = quickTime(.quickTimeMetadataKeyModel)
  public static let quickTimeMetadataSoftware = quickTime(.quickTimeMetadataKeySoftware)

  private static func quickTime(_ key: AVMetadataKey) -> Self { Self(.quickTimeMetadata, key) }
}
