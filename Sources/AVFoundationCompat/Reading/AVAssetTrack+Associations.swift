import MediaCore
import QuickTime

extension AVAssetTrack {
  /// The types of this track's references to other tracks of a QuickTime movie; empty for another file or a
  /// composition.
  ///
  /// References to tracks that are not listed, such as chapter text, are omitted.
  public var availableTrackAssociationTypes: [AssociationType] {
    guard let indexed else { return [] }
    return indexed.references.keys.map { AssociationType(rawValue: $0.description) }
      .filter { !associatedTracks(ofType: $0).isEmpty }
      .sorted { $0.rawValue < $1.rawValue }
  }

  /// The tracks that this one refers to, see ``availableTrackAssociationTypes``.
  public func associatedTracks(
    ofType trackAssociationType: AssociationType
  ) -> [AVAssetTrack] {
    guard let asset, let index = (try? asset.contents())?.index,
      let code = MediaCore.FourCharCode(trackAssociationType.rawValue),
      let referred = indexed?.references[code]
    else { return [] }
    return referred.compactMap { id in
      index.tracks.firstIndex { $0.id == id }.flatMap {
        asset.track(withTrackID: CMPersistentTrackID(clamping: $0 + 1))
      }
    }
  }

  /// The tracks that this one refers to, see ``associatedTracks(ofType:)``.
  ///
  /// - Throws: ``AVError`` if the file cannot be read.
  public func loadAssociatedTracks(
    ofType trackAssociationType: AssociationType
  ) async throws -> [AVAssetTrack] {
    try await loaded { track throws(AVError) in
      _ = try track.asset?.contents()
      return track.associatedTracks(ofType: trackAssociationType)
    }
  }
}
