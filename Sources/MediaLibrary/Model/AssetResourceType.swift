/// What a file is to its asset, as `PHAssetResourceType`.
///
/// Numbers are Apple's. In files and in JSON a type is its ``name``.
public enum AssetResourceType: Int, Sendable, Hashable, CaseIterable {
  /// The picture.
  case photo = 1
  /// The movie.
  case video = 2
  /// The sound.
  case audio = 3
  /// The picture in another form: the processed one beside a RAW, or the other way round.
  case alternatePhoto = 4
  /// The movie that belongs to a picture.
  case pairedVideo = 9
  /// The picture as it is after changes.
  case fullSizePhoto = 5
  /// The movie as it is after changes. No asset is made with one, for movies are not edited here.
  case fullSizeVideo = 6
  /// The movie that belongs to a picture, as it is after changes. No asset is made with one.
  case fullSizePairedVideo = 10
  /// The picture as it was before the latest of several changes. No asset is made with one: changes here begin with
  /// the original.
  case adjustmentBasePhoto = 8
  /// The movie as it was before the latest of several changes. No asset is made with one.
  case adjustmentBaseVideo = 12
  /// The movie that belongs to a picture, as it was before the latest of several changes. No asset is made with one.
  case adjustmentBasePairedVideo = 11
  /// A photo that is yet to be finished. None is made here, and a file that is added as one is the ``photo``.
  case photoProxy = 19
  /// What was changed, in the words of the program that did it.
  case adjustmentData = 7
  /// A further movie of the same take, in order after the ``video``. Not Apple's.
  case segment = 1001
  /// A file that goes with the asset: a recording's report, checksums, notes. Not Apple's.
  case companion = 1002

  /// The type as files and JSON have it: `alternatePhoto`.
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

  /// The type of a name; nil for one that there is not.
  public init?(name: String) {
    guard let type = Self.byName[name] else { return nil }
    self = type
  }

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  /// True for what an asset can be made of alone.
  public var isPrimary: Bool { self == .photo || self == .video || self == .audio }

  /// True for what an edit leaves beside the original.
  var isEdit: Bool { self == .fullSizePhoto || self == .adjustmentData }

  var isPicture: Bool {
    [.photo, .alternatePhoto, .fullSizePhoto, .adjustmentBasePhoto].contains(self)
  }
  var isMovie: Bool { isWholeMovie || self == .segment }
  /// True for a movie that is no part of another.
  var isWholeMovie: Bool {
    [
      .video, .pairedVideo, .fullSizeVideo, .fullSizePairedVideo, .adjustmentBaseVideo,
      .adjustmentBasePairedVideo,
    ].contains(self)
  }
  /// True for what an asset may have any number of.
  private var isRepeatable: Bool { self == .companion || self == .segment }

  /// True where resources of these types make an asset: one photo, video or sound; what is beside
  /// it once each, companions any number of times; what belongs to a picture beside a picture;
  /// further segments beside a video.
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
  /// Reads a name.
  ///
  /// - Throws: `DecodingError` for one that there is not.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let type = Self(name: name) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "unknown resource type '\(name)'")
    }
    self = type
  }

  /// Writes the name.
  ///
  /// - Throws: `EncodingError` where the encoder takes no text there.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}
