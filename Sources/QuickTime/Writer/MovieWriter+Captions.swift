import MediaCore

/// Tracks of closed captions.
extension MovieWriter {
  /// Adds a track of the captions (CEA-608) of a video track. If it gets none, the finished movie does not
  /// have it.
  ///
  /// - Throws: As ``addVideoTrack(_:)``; ``QuickTimeError/Code/invalidArgument`` for a track of another kind.
  public func addCaptionTrack(for video: TrackID) throws(QuickTimeError) -> TrackID {
    let place = try frames(video, for: "captions")
    let shown = tracks[place].record
    return try addDataTrack(
      .captions, "clcp", "Closed Caption Media Handler", about: place, capacity: 1 << 12
    ) { record in
      record.displayWidth = shown.displayWidth
      record.displayHeight = shown.displayHeight
      record.mediaHeader = Self.atom { $0.captionMediaHeader() }
    }
  }

  /// Appends the captions of a moment, which last until the next ones. They are written with the frames of their
  /// time; those before the movie and after its end are left out. Those of one moment become one sample.
  ///
  /// - Parameters:
  ///   - sample: The captions; no earlier than those that were appended last.
  ///   - track: A track of captions.
  /// - Throws: ``QuickTimeError/Code/invalidArgument`` for captions out of order, and as
  ///   ``appendVideo(_:to:duration:)``.
  public func appendCaptions(
    _ sample: CaptionSample, to track: TrackID
  ) throws(QuickTimeError) {
    guard state == .writing else { throw invalidState("captions") }
    let place = try index(of: track)
    guard case .data(let data) = tracks[place].content, case .captions = data.content else {
      throw QuickTimeError(.invalidArgument, "track \(track) is not a track of captions")
    }
    if sample.start < .zero { return }
    var sample = sample
    try appendData(from: sample.start, to: tracks[place], data, as: .captions, "captions") {
      start, last in
      if start == last, let before = data.lastCaptions {
        sample.firstField = before.firstField + sample.firstField
        sample.secondField = before.secondField + sample.secondField
      }
      return Self.atom { $0.captionSample(sample) }
    }
    data.lastCaptions = sample
  }
}
