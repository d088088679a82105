public import MediaCore

extension AVAssetTrack {
  /// The time of the media that is shown at a time of the track; invalid where the track shows nothing then.
  public func samplePresentationTime(forTrackTime trackTime: CMTime) -> CMTime {
    guard let segment = segment(forTrackTime: trackTime), !segment.isEmpty,
      segment.timeMapping.target.contains(trackTime)
    else { return .invalid }
    return CMTimeMapTimeFromRangeToRange(
      trackTime, fromRange: segment.timeMapping.target, toRange: segment.timeMapping.source)
  }

  /// Same as ``samplePresentationTime(forTrackTime:)``.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func loadSamplePresentationTime(forTrackTime trackTime: CMTime) async throws -> CMTime {
    try await loaded { $0.samplePresentationTime(forTrackTime: trackTime) }
  }

  /// Same as ``segment(forTrackTime:)``.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func loadSegment(forTrackTime trackTime: CMTime) async throws -> AVAssetTrackSegment? {
    try await loaded { $0.segment(forTrackTime: trackTime) }
  }

  /// Metadata of a format.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] {
    try await loaded { format == .quickTimeMetadata ? $0.metadata : [] }
  }

  /// False: each packet of audio that is read here is decoded by itself, or after those before it.
  public var hasAudioSampleDependencies: Bool { false }
}

extension AVPartialAsyncProperty where Root: AVAssetTrack {
  /// What tracks this one refers to.
  public static var availableTrackAssociationTypes:
    AVAsyncProperty<Root, [AVAssetTrack.AssociationType]>
  {
    AVAsyncProperty { $0.availableTrackAssociationTypes }
  }
  /// False: see ``AVAssetTrack/hasAudioSampleDependencies``.
  public static var hasAudioSampleDependencies: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty { $0.hasAudioSampleDependencies }
  }
  /// True if pictures may be stored in another order than they are shown.
  public static var requiresFrameReordering: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty { $0.requiresFrameReordering }
  }
  /// True: a track that cannot be decoded fails when it is read.
  public static var isPlayable: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isPlayable } }
  /// True: a track that cannot be decoded fails when it is read.
  public static var isDecodable: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isDecodable } }
  /// True.
  public static var isSelfContained: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty { $0.isSelfContained }
  }
  /// True if the track has cursors.
  public static var canProvideSampleCursors: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty { $0.canProvideSampleCursors }
  }
  /// The language as ISO 639-2; nil if not known.
  public static var extendedLanguageTag: AVAsyncProperty<Root, String?> {
    AVAsyncProperty { $0.extendedLanguageTag }
  }
  /// 1: as loud as it was recorded.
  public static var preferredVolume: AVAsyncProperty<Root, Float> {
    AVAsyncProperty { $0.preferredVolume }
  }
  /// What the file says of the track under names that all containers share.
  public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty { $0.commonMetadata }
  }
}
