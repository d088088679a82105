/// The role of a file in its asset, like `PHAssetResourceType`.
///
/// The numbers are Apple's. In files and in JSON, a type is written as its ``name``.
public enum AssetResourceType: Int, Sendable, Hashable, CaseIterable {
  case photo = 1
  case video = 2
  case audio = 3
  /// Another form of the photo: the processed file beside a RAW file, or the other way round.
  case alternatePhoto = 4
  /// The movie that belongs to a photo.
  case pairedVideo = 9
  /// The edited photo.
  case fullSizePhoto = 5
  /// An edited movie. Not used in assets, because movies are not edited here.
  case fullSizeVideo = 6
  /// The edited movie of a photo. Not used in assets.
  case fullSizePairedVideo = 10
  /// The photo before the last of several edits. Not used in assets: edits here start from the
  /// original.
  case adjustmentBasePhoto = 8
  /// The movie before the last of several edits. Not used in assets.
  case adjustmentBaseVideo = 12
  /// The movie of a photo before the last of several edits. Not used in assets.
  case adjustmentBasePairedVideo = 11
  /// An unfinished photo. Never created here; a file added with this type becomes the ``photo``.
  case photoProxy = 19
  /// The description of an edit, in a format of the editing program.
  case adjustmentData = 7
  /// A further movie of the same take, in order after the ``video``. Not one of Apple's types.
  case segment = 1001
  /// A file that accompanies the asset: a recording's report, checksums, notes. Not one of Apple's
  /// types.
  case companion = 1002

  /// The type as written in files and JSON: `alternatePhoto`.
  public var name: String {
    switch self {
    case .photo: "photo"
    case .video: "video"
    case .audio: "audio"
    case .alternatePhoto: "alternatePhoto"
    case .pairedVideo: "pairedVideo"
    case .fullSizePhoto: "fullSizePhoto"
    case .fullSizeVideo: "fullSizeVideo"
    case .fullSizePairedVideo: "fullSizePairedVideo"
    case .adjustmentBasePhoto: "adjustmentBasePhoto"
    case .adjustmentBaseVideo: "adjustmentBaseVideo"
    case .adjustmentBasePairedVideo: "adjustmentBasePairedVideo"
    case .photoProxy: "photoProxy"
    case .adjustmentData: "adjustmentData"
    case .segment: "segment"
    case .companion: "companion"
    }
  }

  /// The type with a name; nil if the name is unknown.
  public init?(name: String) {
    guard let type = Self.byName[name] else { return nil }
    self = type
  }

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  /// True if an asset can consist of this type alone.
  public var isPrimary: Bool { self == .photo || self == .video || self == .audio }

  /// True for the files of an edit, beside the original.
  var isEdit: Bool { self == .fullSizePhoto || self == .adjustmentData }

  var isImage: Bool {
    [.photo, .alternatePhoto, .fullSizePhoto, .adjustmentBasePhoto].contains(self)
  }
  var isMovie: Bool { isWholeMovie || self == .segment }
  /// True for a movie that is not a part of another one.
  var isWholeMovie: Bool {
    [
      .video, .pairedVideo, .fullSizeVideo, .fullSizePairedVideo, .adjustmentBaseVideo,
      .adjustmentBasePairedVideo,
    ].contains(self)
  }
  /// True if an asset can have any number of files of this type.
  private var isRepeatable: Bool { self == .companion || self == .segment }

  /// True if resources of these types make an asset: one photo, video or audio file; other types
  /// once each, but companions and segments any number of times; what belongs to a photo only with a
  /// photo, and segments only with a video.
  public static func makeAsset(_ types: some Collection<AssetResourceType>) -> Bool {
    let counts = Dictionary(types.map { ($0, 1) }, uniquingKeysWith: +)
    let primaries = types.filter(\.isPrimary)
    guard primaries.count == 1, let primary = primaries.first,
      counts.allSatisfy({ $0.key.isRepeatable || $0.value == 1 })
    else { return false }
    return types.allSatisfy { type in
      switch type {
      case .alternatePhoto, .pairedVideo, .fullSizePhoto: primary == .photo
      case .adjustmentData: primary != .audio
      case .segment: primary == .video
      case .fullSizeVideo, .fullSizePairedVideo, .adjustmentBasePhoto, .adjustmentBaseVideo,
        .adjustmentBasePairedVideo, .photoProxy:
        false
      case .photo, .video, .audio, .companion: true
      }
    }
  }
}

extension AssetResourceType: Codable {
  /// Decodes a name.
  ///
  /// - Throws: `DecodingError` for an unknown name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let type = Self(name: name) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "unknown resource type '\(name)'")
    }
    self = type
  }

  /// Encodes the name.
  ///
  /// - Throws: `EncodingError` if the encoder does not accept text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}
