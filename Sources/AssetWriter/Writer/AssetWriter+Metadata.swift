public import MediaCore
public import QuickTime

/// Facts with their times, and addresses that do not come with the pictures.
extension AssetWriter {
  /// A track of facts with their times.
  public struct MetadataTrack: Hashable, Sendable {
    /// Its place among those of its writer.
    let index: Int
  }

  /// Adds a track of facts about the first track of pictures, or without one, of sound; before ``start()``. A movie that
  /// gets none of them does not have it.
  ///
  /// - Parameter keys: What is known of its keys; others may come with the facts.
  /// - Throws: ``AssetWriterError/Code/invalidStatus`` once writing has started.
  public func addMetadataTrack(
    keys: [TimedMetadataTrack.Key] = []
  ) throws(AssetWriterError) -> MetadataTrack {
    try core.shared.withLock { state throws(AssetWriterError) in
      guard case .unknown = state.phase else {
        throw AssetWriterError(
          .invalidStatus, "a track of metadata cannot be added once writing has started")
      }
      state.metadata.append(MetadataQueue(keys: keys))
      return MetadataTrack(index: state.metadata.count - 1)
    }
  }

  /// Appends facts that hold from a time of the source on. They are written once the pictures have come to it, into
  /// the movie that has it, and into each later one at whose start they hold. Of facts that overlap the later ones count.
  ///
  /// - Parameters:
  ///   - sample: The facts, no earlier than those that were appended last, at the source's times.
  ///   - keys: The keys, where there are more than before: those that were known, and then the new ones.
  /// - Throws: What ended writing, or ``AssetWriterError/Code/invalidStatus``, ``AssetWriterError/Code/inputFinished``
  ///   behind ``finishWriting()``, ``AssetWriterError/Code/invalidTime``, ``AssetWriterError/Code/timeNotIncreasing``,
  ///   ``AssetWriterError/Code/invalidSettings`` for a value without a key, ``AssetWriterError/Code/notReady`` where
  ///   16 MiB wait for their pictures.
  public func appendMetadata(
    _ sample: TimedMetadataTrack.Sample, keys: [TimedMetadataTrack.Key]? = nil,
    to track: MetadataTrack
  ) throws(AssetWriterError) {
    try core.shared.update { state throws(AssetWriterError) in
      try state.append(sample, keys: keys, toMetadata: track.index)
    }
  }

  /// True unless many facts of a track wait for pictures of their times.
  public func isReadyForMetadata(_ track: MetadataTrack) -> Bool {
    core.shared.withLock { $0.metadata[track.index].hasRoom }
  }

  /// Says which address a picture has from elsewhere; those that follow it are counted on. Beside `writesTimecode` of
  /// false, lest there be two timecodes. Written with the end of each movie.
  ///
  /// - Parameters:
  ///   - run: The address, at the source's time.
  ///   - format: How frames are counted, the same each time.
  /// - Throws: As ``appendMetadata(_:keys:to:)``; ``AssetWriterError/Code/formatMismatch`` for another format.
  public func appendTimecode(
    _ run: TimecodeRuns.Run, countedAs format: TimecodeFormatDescription
  ) throws(AssetWriterError) {
    try core.shared.withLock { state throws(AssetWriterError) in
      try state.checkIsOpen()
      guard run.start.isNumeric else {
        throw AssetWriterError(.invalidTime, "a frame number needs a time")
      }
      guard state.facts.append(run, countedAs: format) else {
        throw AssetWriterError(.formatMismatch, "a track of timecode counts in one way")
      }
    }
  }
}
