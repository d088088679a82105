public import MediaCore

extension AVAssetTrack {
  /// The time of the media shown at a time of the track; invalid if the track is empty then.
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

  /// The metadata in a format.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] {
    try await loaded { format == .quickTimeMetadata ? $0.metadata : [] }
  }

  /// False: each audio packet can be decoded on its own, or after the packets before it.
  public var hasAudioSampleDependencies: Bool { false }
}

extension AVPartialAsyncProperty where Root: AVAssetTrack {
  /// The types of this track's references to other tracks.
  public static var availableTrackAssociationTypes:
    AVAsyncProperty<Root, [AVAssetTrack.AssociationType]>
  {
    AVAsyncProperty { $0.availableTrackAssociationTypes }
  }
  /// False: see ``AVAssetTrack/hasAudioSampleDependencies``.
  public static var hasAudioSampleDependencies: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty { $0.hasAudioSampleDependencies }
  }
  /// True if the codec may store frames out of presentation order.
  public static var requiresFrameReordering: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty { $0.requiresFrameReordering }
  }
  /// Always true: a track that cannot be decoded fails when it is read.
  public static var isPlayable: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isPlayable } }
  /// Always true: a track that cannot be decoded fails when it is read.
  public static var isDecodable: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isDecodable } }
  public static var isSelfContained: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty { $0.isSelfContained }
  }
  /// True if the track can provide sample cursors.
  public static var canProvideSampleCursors: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty { $0.canProvideSampleCursors }
  }
  /// The language, as an ISO 639-2 code; nil if unknown.
  public static var extendedLanguageTag: AVAsyncProperty<Root, String?> {
    AVAsyncProperty { $0.extendedLanguageTag }
  }
  /// Always 1: as recorded.
  public static var preferredVolume: AVAsyncProperty<Root, Float> {
    AVAsyncProperty { $0.preferredVolume }
  }
  /// The track's metadata with keys common to all containers.
  public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty { $0.commonMetadata }
  }
}
