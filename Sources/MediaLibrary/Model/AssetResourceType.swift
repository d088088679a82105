/// What a file is to its asset, as `PHAssetResourceType`.
public enum AssetResourceType: String, Sendable, Hashable, Codable, CaseIterable {
  /// The picture.
  case photo
  /// The movie.
  case video
  /// The sound.
  case audio
  /// The picture in another form: the processed one beside a RAW, or the other way round.
  case alternatePhoto
  /// The movie that belongs to a picture.
  case pairedVideo
  /// The picture as it is after changes.
  case fullSizePhoto
  /// The movie as it is after changes. No asset is made with one, for movies are not edited here.
  case fullSizeVideo
  /// The movie that belongs to a picture, as it is after changes. No asset is made with one.
  case fullSizePairedVideo
  /// The picture as it was before the latest of several changes. No asset is made with one: changes here begin with
  /// the original.
  case adjustmentBasePhoto
  /// The movie as it was before the latest of several changes. No asset is made with one.
  case adjustmentBaseVideo
  /// The movie that belongs to a picture, as it was before the latest of several changes. No asset is made with one.
  case adjustmentBasePairedVideo
  /// What was changed, in the words of the program that did it.
  case adjustmentData
  /// A further movie of the same take, in order after the ``video``. Not Apple's.
  case segment
  /// A file that goes with the asset: a recording's report, checksums, notes. Not Apple's.
  case companion

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
        .adjustmentBasePairedVideo:
        false
      case .photo, .video, .audio, .companion: true
      }
    }
  }
}
