import MediaCore

/// Tracks of timed metadata.
extension MovieWriter {
  /// Adds a track of facts about another track. Where it gets none, the finished movie does not have it.
  ///
  /// - Parameters:
  ///   - keys: What is known of its keys; others may come with samples.
  ///   - track: The video or audio track that is described, and in whose units the metadata's times are kept.
  /// - Throws: As ``addVideoTrack(_:)``; ``QuickTimeError/Code/invalidArgument`` for a track of another kind.
  public func addMetadataTrack(
    _ keys: [TimedMetadataTrack.Key], for track: TrackID
  ) throws(QuickTimeError) -> TrackID {
    try expectConfiguring()
    let place = try index(of: track)
    switch tracks[place].content {
    case .video, .audio: break
    case .timecode, .data, .companion:
      throw QuickTimeError(
        .invalidArgument, "track \(track): metadata can describe only video and audio tracks")
    }
    let described = tracks[place].record.id
    return try addDataTrack(
      .metadata(keys), "meta", "Core Media Metadata", about: place, capacity: 1 << 16
    ) { record in
      record.references = [TrackRecord.TrackReference(type: "cdsc", tracks: [described])]
      record.mediaHeader = Self.atom { $0.metadataMediaHeader() }
    }
  }

  /// Appends metadata that applies at the same time. It is written with the video, or the audio, of its time; what
  /// lies before the movie or after its end is left out. If metadata overlaps, what was appended later counts.
  ///
  /// - Parameters:
  ///   - sample: The facts; no earlier than those that were appended last.
  ///   - keys: The keys, where there are more than before: those that were known, and then the new ones.
  ///   - track: A track of timed metadata.
  /// - Throws: ``QuickTimeError/Code/invalidArgument`` for a value without a key and facts out of order, and as
  ///   ``appendVideo(_:to:duration:)``.
  public func appendMetadata(
    _ sample: TimedMetadataTrack.Sample, keys: [TimedMetadataTrack.Key]? = nil, to track: TrackID
  ) throws(QuickTimeError) {
    guard state == .writing else { throw invalidState("metadata") }
    let place = try index(of: track)
    guard case .data(let data) = tracks[place].content, case .metadata(let known) = data.content
    else {
      throw QuickTimeError(.invalidArgument, "track \(track) is not a track of timed metadata")
    }
    let keys = keys ?? known
    guard keys.starts(with: known), sample.values.allSatisfy({ keys.indices.contains($0.key) })
    else { throw QuickTimeError(.invalidArgument, "a timed metadata value has no key") }
    try appendData(
      from: sample.start, until: sample.end, to: tracks[place], data, as: .metadata(keys),
      "timed metadata"
    ) { _, _ in Self.atom { $0.metadataSample(sample.values) } }
  }
}
