public import FoundationEssentials
public import MediaCore

extension AssetWriter {
  /// What is kept of the past.
  public struct PreRollProgress: Hashable, Sendable {
    /// How much of it.
    public var duration = MediaTime.zero
    /// The memory that it takes, in bytes.
    public var byteCount: Int64 = 0
  }

  /// Starts encoding without a file, instead of ``start()``. The latest samples are kept in memory until
  /// ``endPreRoll(outputURL:at:timecode:)`` begins the movie with them.
  ///
  /// - Throws: As ``start()``, but for the file's errors; ``AssetWriterError/Code/invalidSettings``
  ///   for a duration that is no time, or without a video input.
  public func startPreRoll(_ preRoll: PreRoll) throws(AssetWriterError) {
    guard preRoll.keptDuration.isNumeric, preRoll.duration >= .zero, preRoll.margin >= .zero else {
      throw AssetWriterError(
        .invalidSettings, "a pre-roll of \(preRoll.duration): must be a time of 0 or more")
    }
    guard inputs.contains(where: { $0.mediaType == .video }) else {
      throw AssetWriterError(.invalidSettings, "a pre-roll needs video; add a video input first")
    }
    guard core.shared.withLock({ $0.container }) == .quickTime else {
      throw AssetWriterError(
        .invalidSettings, "a pre-roll holds only ProRes frames and linear PCM")
    }
    try core.prepare(isRealTime: inputs.map(\.expectsMediaDataInRealTime)) {
      $0.beginHolding(preRoll)
    }
  }

  /// What is kept of the past now.
  public var preRollProgress: PreRollProgress {
    core.shared.withLock { state in
      PreRollProgress(duration: state.heldDuration, byteCount: state.heldBytes)
    }
  }

  /// Discards what is kept, because the next sample does not follow it, for example after a source was away.
  ///
  /// - Parameter slot: The number of the first frame that a movie may hold from here on.
  package func forgetPreRoll(before slot: Int64) {
    core.shared.update { $0.forgetPast(before: slot) }
  }

  /// Begins the movie with what is kept. Encoding is not interrupted.
  ///
  /// - Parameters:
  ///   - outputURL: The file; nil for the one that the writer was made with.
  ///   - start: The number of the frame from which the pre-roll is counted back, since
  ///     ``startPreRoll(_:)``: one that was appended already, no older than the margin; nil for the
  ///     next to come.
  ///   - timecode: Gives the address of the movie's first frame; it is told how many frames that one
  ///     lies before the next to come, and its number since ``startPreRoll(_:)``. Nil for the address
  ///     that follows from those that came with the frames.
  /// - Returns: The number of the movie's first frame, counted since the pre-roll started.
  /// - Throws: ``AssetWriterError/Code/fileExists``, ``AssetWriterError/Code/fileFailed``; the past
  ///   is kept on then, and another name may do. ``AssetWriterError/Code/invalidStatus`` without a
  ///   pre-roll, and what ended encoding.
  @discardableResult
  public func endPreRoll(
    outputURL: URL? = nil, at start: Int64? = nil,
    timecode: (_ heldFrames: Int64, _ frame: Int64) -> Timecode? = { _, _ in nil }
  ) throws(AssetWriterError) -> Int64 {
    let file = try makePreRollFile(outputURL: outputURL)
    return try endPreRoll(into: file, at: start, timecode: timecode)
  }

  /// The first file of a take whose past is kept, which holds nothing yet.
  package struct PreRollFile: Sendable {
    fileprivate let core: WriterCore
    fileprivate let thread: Handover<MovieThread>

    /// Removes it; the past is kept as before.
    package func abandon() {
      core.shared.withLock { $0.awaitFile(false) }
      thread.take()?.abandon()
    }
  }

  /// Makes the file of ``endPreRoll(outputURL:at:timecode:)`` beforehand: a disk may take seconds for it.
  ///
  /// - Throws: As that.
  package func makePreRollFile(outputURL: URL? = nil) throws(AssetWriterError) -> PreRollFile {
    try core.shared.withLock { state throws(AssetWriterError) in
      if let error = state.phase.statusError { throw error }
      guard state.phase.preRoll != nil else {
        throw AssetWriterError(.invalidStatus, "no pre-roll is running")
      }
      if let failure = state.phase.failure { throw failure }
    }
    if let outputURL { self.outputURL = outputURL }
    // However long it takes, the past from here on is kept, as far as there is memory for it.
    core.shared.withLock { $0.awaitFile(true) }
    do throws(AssetWriterError) {
      return PreRollFile(core: core, thread: try core.makeThread(files(configuration)))
    } catch {
      core.shared.withLock { $0.awaitFile(false) }
      throw error
    }
  }

  /// As ``endPreRoll(outputURL:at:timecode:)``, into a file that was made; does not wait for a disk.
  ///
  /// - Parameter end: The first frame that the movie is not to have, of those that were appended already.
  package func endPreRoll(
    into file: PreRollFile, at start: Int64? = nil, end: Int64? = nil,
    timecode: (_ heldFrames: Int64, _ frame: Int64) -> Timecode? = { _, _ in nil }
  ) throws(AssetWriterError) -> Int64 {
    do throws(AssetWriterError) {
      try core.shared.withLock { state throws(AssetWriterError) in
        if let error = state.phase.statusError { throw error }
        if let failure = state.phase.failure { throw failure }
      }
    } catch {
      file.abandon()
      throw error
    }
    return try core.start(file.thread) {
      $0.lastSlotEnd = end
      return $0.endHolding(at: start, timecode: timecode)
    }
  }
}
