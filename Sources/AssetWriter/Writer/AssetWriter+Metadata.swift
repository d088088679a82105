public import MediaCore
public import QuickTime

/// Timed metadata, captions, and timecode that does not come with the video.
extension AssetWriter {
  /// A track of facts with their times.
  public struct MetadataTrack: Hashable, Sendable {
    /// Its place among those of its writer.
    let index: Int
  }

  /// Adds a timed metadata track that describes the first video track, or without one, the first audio track. Call it
  /// before ``start()``. A movie without any metadata samples does not get the track.
  ///
  /// - Parameter keys: The keys that are known; samples may bring others.
  /// - Throws: ``AssetWriterError/Code/invalidStatus`` once writing has started.
  public func addMetadataTrack(
    keys: [TimedMetadataTrack.Key] = []
  ) throws(AssetWriterError) -> MetadataTrack {
    try core.shared.withLock { state throws(AssetWriterError) in
      MetadataTrack(index: try state.addData(.metadata(keys), "metadata"))
    }
  }

  /// Appends metadata that applies from a time of the source on. It is written with the frame of that time, into that
  /// frame's movie, and into each later movie at whose start it applies. If metadata overlaps, the later sample counts.
  ///
  /// - Parameters:
  ///   - sample: The facts, no earlier than those that were appended last, at the source's times.
  ///   - keys: The keys, where there are more than before: those that were known, and then the new ones.
  /// - Throws: What ended writing, or ``AssetWriterError/Code/invalidStatus``, ``AssetWriterError/Code/inputFinished``
  ///   behind ``finishWriting()``, ``AssetWriterError/Code/invalidTime``, ``AssetWriterError/Code/timeNotIncreasing``,
  ///   ``AssetWriterError/Code/invalidSettings`` for a value without a key, ``AssetWriterError/Code/notReady`` where
  ///   16 MiB wait for their frames.
  public func appendMetadata(
    _ sample: TimedMetadataTrack.Sample, keys: [TimedMetadataTrack.Key]? = nil,
    to track: MetadataTrack
  ) throws(AssetWriterError) {
    try core.shared.update { state throws(AssetWriterError) in
      try state.append(toData: track.index) { queue throws(AssetWriterError) in
        try queue.append(sample, keys: keys)
      }
    }
  }

  /// True unless much of a track's metadata waits for the frames of its times.
  public func isReadyForMetadata(_ track: MetadataTrack) -> Bool {
    core.shared.withLock { $0.data[track.index].hasRoom }
  }

  /// Adds a caption track for the first video track. Call it before ``start()``. A movie without any captions does
  /// not get the track.
  ///
  /// - Throws: ``AssetWriterError/Code/invalidStatus`` once writing has started, and for a second one.
  public func addCaptionTrack() throws(AssetWriterError) {
    try core.shared.withLock { state throws(AssetWriterError) in
      guard state.captionIndex == nil else {
        throw AssetWriterError(.invalidStatus, "a take has one track of captions")
      }
      _ = try state.addData(.captions, "captions")
    }
  }

  /// Appends closed captions of a frame (CEA-608), in order of time from the take's start, before the frame. They are
  /// written with it, into its movie. Captions that arrive when that movie is complete, or after later ones, are left
  /// out and reported as late; those before the take's first frame or after its last one, as outside
  /// (``Report/captions``).
  ///
  /// - Throws: As ``appendMetadata(_:keys:to:)``, but not for their order; ``AssetWriterError/Code/invalidSettings``
  ///   without ``addCaptionTrack()``.
  public func appendCaptions(_ sample: CaptionSample) throws(AssetWriterError) {
    try core.shared.update { state throws(AssetWriterError) in
      guard let index = state.captionIndex else {
        throw AssetWriterError(.invalidSettings, "the writer has no caption track; add one first")
      }
      try state.append(toData: index) { queue throws(AssetWriterError) in
        try queue.append(sample)
      }
    }
  }

  /// Adds a timecode track that is fed separately from the video. Call it before ``start()``, and set `writesTimecode`
  /// to false to avoid a second one. A movie without any timecode samples does not get the track.
  ///
  /// - Parameter format: How frames will be counted, where that is known; the first number says it.
  /// - Throws: As ``addCaptionTrack()``; ``AssetWriterError/Code/invalidSettings`` for frames that last no time.
  public func addTimecodeTrack(
    countedAs format: TimecodeFormatDescription? = nil
  ) throws(AssetWriterError) {
    if let format { try DataQueue.check(format) }
    try core.shared.withLock { state throws(AssetWriterError) in
      guard state.timecodeIndex == nil else {
        throw AssetWriterError(.invalidStatus, "a take has one track of timecode")
      }
      _ = try state.addData(.timecode(format), "timecode")
    }
  }

  /// Sets the timecode of a frame from an outside source; the frames after it count on from it, into later movies, too.
  /// Written with that frame.
  ///
  /// - Parameters:
  ///   - run: The address, at the source's time, no earlier than the one that was appended last.
  ///   - format: How frames are counted, the same each time.
  /// - Throws: As ``appendMetadata(_:keys:to:)``; ``AssetWriterError/Code/formatMismatch`` for another format,
  ///   ``AssetWriterError/Code/invalidSettings`` without ``addTimecodeTrack(countedAs:)``.
  public func appendTimecode(
    _ run: TimecodeRun, countedAs format: TimecodeFormatDescription
  ) throws(AssetWriterError) {
    try core.shared.update { state throws(AssetWriterError) in
      guard let index = state.timecodeIndex else {
        throw AssetWriterError(.invalidSettings, "the writer has no timecode track; add one first")
      }
      try state.append(toData: index) { queue throws(AssetWriterError) in
        try queue.append(run, countedAs: format)
      }
    }
  }
}
