import MediaCore

/// Tracks of timed metadata.
///
/// Their samples are in the fragments of the pictures, or of the sound, that they describe: a sudden end costs no
/// more of them.
extension MovieWriter {
  /// Adds a track of facts about another track. Where it gets none, the finished movie does not have it.
  ///
  /// - Parameters:
  ///   - keys: What is known of its keys; others may come with samples.
  ///   - track: The track of pictures or sound that is described, and in whose units the facts' times are kept.
  /// - Throws: As ``addVideoTrack(_:)``; ``QuickTimeError/Code/invalidArgument`` for a track of another kind.
  public func addMetadataTrack(
    _ keys: [TimedMetadataTrack.Key], for track: TrackID
  ) throws(QuickTimeError) -> TrackID {
    try expectConfiguring()
    let place = try index(of: track)
    let described = tracks[place]
    switch described.content {
    case .video, .audio: break
    case .timecode, .metadata, .companion:
      throw QuickTimeError(
        .invalidArgument, "track \(track): facts are about tracks of pictures and of sound")
    }
    var record = TrackRecord(
      id: UInt32(tracks.count + 1), handler: "meta", timescale: described.record.timescale)
    record.handlerName = "Core Media Metadata"
    record.references = [
      TrackRecord.TrackReference(type: "cdsc", tracks: [described.record.id])
    ]
    record.sampleEntry = Self.atom { $0.metadataSampleEntry(keys) }
    record.mediaHeader = Self.atom { $0.metadataMediaHeader() }
    return try add(
      .metadata(MetadataTrackState(describing: place, keys: keys)), record, capacity: 1 << 16)
  }

  /// Appends facts that hold at once. They are written with the pictures, or the sound, of their time; those before
  /// the movie and behind its end are left out. Of facts that overlap, those that are appended later count.
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
    guard case .metadata(let facts) = tracks[place].content else {
      throw QuickTimeError(.invalidArgument, "track \(track) is not a track of timed metadata")
    }
    let keys = keys ?? facts.keys
    guard keys.starts(with: facts.keys),
      sample.values.allSatisfy({ keys.indices.contains($0.key) })
    else { throw QuickTimeError(.invalidArgument, "timed metadata have a value without a key") }
    let scale = Int32(clamping: tracks[place].record.timescale)
    func units(_ time: MediaTime) -> Int64? {
      guard time.isNumeric else { return nil }
      let units = time.converted(toTimescale: scale, rounding: .roundHalfAwayFromZero)
      // What 64 bits do not count is far away, too.
      guard units.isNumeric else { return time < .zero ? -Self.furthest : Self.furthest }
      return min(max(units.value, -Self.furthest), Self.furthest)
    }
    guard let start = units(sample.start), start >= facts.lastStart ?? start else {
      throw QuickTimeError(.invalidArgument, "timed metadata are appended in order of their times")
    }
    let bytes = Self.atom { $0.metadataSample(sample.values) }
    guard bytes.count <= DataSampleReader.sizeLimit else {
      throw QuickTimeError(
        .invalidArgument,
        "timed metadata of \(bytes.count) bytes at once; \(DataSampleReader.sizeLimit) are possible"
      )
    }
    try guarding { () throws(QuickTimeError) in
      let entry = keys.count > facts.keys.count ? Self.atom { $0.metadataSampleEntry(keys) } : nil
      try makeRoom(
        for: bytes.count, headerSize: 2 * TrackState.runEntrySize + (entry?.count ?? 0))
      if let entry {
        facts.add(keys: keys)
        tracks[place].record.sampleEntry = entry
      }
      facts.append(start: start, end: units(sample.end), bytes: bytes)
    }
  }

  /// Times beyond are as good as none.
  private static let furthest = Int64.max / 8

  /// The most bytes of facts that no fragment has yet.
  var waitingMetadataBytes: Int {
    tracks.reduce(0) { sum, track in
      if case .metadata(let facts) = track.content { sum + facts.waitingBytes } else { sum }
    }
  }

  /// Puts the facts into the fragment that hold from a time on that the file then shows.
  func appendDueMetadata() throws(QuickTimeError) {
    for track in tracks {
      guard case .metadata(let facts) = track.content, track.isEmpty else { continue }
      let described = tracks[facts.described]
      let end = described.record.startDelay + described.duration
      let changes = facts.changes(before: end)
      guard let first = changes.first else { continue }
      for (index, change) in changes.enumerated() {
        let next = index + 1 < changes.count ? changes[index + 1].start : end
        let room = try track.buffer.extend(by: change.bytes.count)
        room.copyBytes(from: change.bytes)
        track.sizes.append(UInt32(clamping: change.bytes.count))
        track.durations.append(UInt32(clamping: next - change.start))
      }
      track.baseTime = first.start
      track.pendingDuration = end - first.start
    }
  }
}

extension TrackRecord {
  /// True for a track of timed metadata.
  var isMetadata: Bool { handler == "meta" && sampleEntry.dropFirst(4).starts(with: "mebx".utf8) }

  /// When the first sample is shown in the movie, in the track's units.
  var startDelay: Int64 {
    let scale = Int32(clamping: timescale)
    return edits.prefix { $0.mediaTime == nil }.reduce(0) { sum, edit in
      let units = (edit.duration ?? .zero).converted(
        toTimescale: scale, rounding: .roundHalfAwayFromZero)
      return sum.addingSaturating(units.isNumeric ? max(units.value, 0) : 0)
    }
  }

  /// When the movie has shown all of the track, in the track's units.
  func presentationEnd(movieTimescale: UInt32) -> Int64 {
    let shown = MediaTime(
      value: presentationDuration(movieTimescale: movieTimescale),
      timescale: Int32(clamping: movieTimescale)
    ).converted(toTimescale: Int32(clamping: timescale), rounding: .roundHalfAwayFromZero)
    let whole = startDelay.addingSaturating(samples.duration)
    return shown.isNumeric ? min(shown.value, whole) : whole
  }

  /// Lets samples of metadata follow that hold from a time of the movie on: those before end there. The first one
  /// says from when on the movie shows the track.
  mutating func beginMetadata(at time: Int64) {
    let delay = startDelay
    samples.endLastSample(at: time - delay)
    guard samples.isEmpty else { return }
    let start = MediaTime(value: max(time, 0), timescale: Int32(clamping: timescale))
    edits =
      time > 0
      ? [MovieEdit(mediaTime: nil, duration: start), MovieEdit(mediaTime: 0, duration: nil)] : []
  }
}

extension MovieRecord {
  /// Lets the facts that hold last hold to the end of what they describe, and takes away those behind it. A
  /// track without facts is none.
  ///
  /// - Parameter source: The file that has the samples.
  mutating func settleMetadata(in source: any MovieByteSource) {
    for index in tracks.indices where tracks[index].isMetadata {
      let described = tracks[index].references.first { $0.type == "cdsc" }?.tracks.first
      guard let described = tracks.first(where: { $0.id == described }) else { continue }
      let end = described.presentationEnd(movieTimescale: timescale)
      tracks[index].samples.endLastSample(at: end - tracks[index].startDelay)
      // Nothing at the end says no more than the end does.
      if let last = tracks[index].samples.last, last.size == MetadataTrackState.nothing.count,
        (try? source.bytes(at: last.offset, count: Int(last.size))) == MetadataTrackState.nothing
      {
        tracks[index].samples.endLastSample(at: last.time)
      }
    }
    tracks.removeAll { $0.isMetadata && $0.samples.isEmpty }
  }
}
