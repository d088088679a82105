import MediaCore
import QuickTime

/// How the file is completed, and what is saved of it after an error.
extension CompressedMovie {
  /// There is no track for captions and timecode, nor for facts: a writer of those has no movie of this kind.
  func write(_ data: DataQueue.Write) {
    switch data.content {
    case .metadata: break
    case .captions: omittedData.insert(.captions)
    case .timecode: omittedData.insert(.timecode)
    }
  }

  private func noteOmitted(_ facts: MovieFacts) {
    let kinds = omittedData.union(facts.kinds)
    omitted = Segment.Extra.allCases.filter { kinds.contains($0) }
  }

  func finish(end: MediaTime?, facts: MovieFacts) throws(QuickTimeError) -> MovieSummary {
    guard let muxer, let output else {
      throw QuickTimeError(.nothingRecorded, "\(file.name): no sample was recorded")
    }
    try drain(end: end)
    try segmenter?.finish()
    guard muxer.packetCount > 0 else {
      throw QuickTimeError(
        .nothingRecorded, "\(file.name): no sample was recorded; the file can be removed")
    }
    try checkFile()
    try dropOmittedAudio()
    try muxer.finish()
    try settleAudioLength()
    try output.synchronize()
    try settleName()
    // The movie is complete: without this sync only a power cut could cost its name.
    try? file.synchronizeParentDirectory()
    let summary = summary(size: output.size)
    noteHeld()
    close()
    try? file.close()
    noteOmitted(facts)
    return summary
  }

  /// Lets everything out that waits in encoders.
  private func drain(end: MediaTime?) throws(QuickTimeError) {
    for track in tracks {
      switch track {
      case .none: break
      case .video(let video):
        try video.writer.finish { packet throws(QuickTimeError) in
          try giveFrame(packet, video.stream, video.written)
        }
      case .audio(let audio):
        let written = audio.written
        let last = end?.converted(toTimescale: audio.timescale)
        let limit = last.flatMap { $0.isNumeric ? max($0.value - audio.start, 0) : nil }
        if let limit {
          leaveOutAudio(behind: canCutAudio ? limit : max(limit, audio.writer.given), written)
        }
        written.media.samples = Int(clamping: written.end)
        try audio.writer.finish(end: limit) { packet throws(QuickTimeError) in
          try give(packet, audio.stream, written)
        }
      }
    }
  }

  /// True if audio that is already in the file can be removed again.
  private var canCutAudio: Bool { plainAudio != nil || fileType == .caf }

  private func leaveOutAudio(behind end: Int64, _ written: CompressedTrack.Written) {
    guard written.end > end else { return }
    written.media.samplesTrimmed += written.end - end
    written.end = end
  }

  private func summary(size: UInt64) -> MovieSummary {
    let summaries = tracks.enumerated().compactMap { index, track in
      track.summary(id: TrackID(rawValue: UInt32(index + 1)))
    }
    return MovieSummary(
      fileSize: size, duration: summaries.map(\.duration).max() ?? .zero, tracks: summaries,
      fragmentCount: fragmentEnds.count)
  }

  /// Counts what the file holds: what was given since its last whole fragment is lost.
  private func countFragments() {
    guard let index = try? MovieIndex(file) else { return }
    for track in tracks { track.count(in: index) }
  }

  private func noteHeld() {
    for (input, track) in tracks.enumerated() {
      held[input] = track.written?.media ?? HeldMedia()
    }
  }

  /// Releases encoders and muxer, because the take may continue for hours in other movies.
  private func close() {
    tracks = []
    segmenter = nil
    muxer = nil
    output = nil
  }

  func rescue(_ facts: MovieFacts) -> MovieSummary? {
    noteOmitted(facts)
    // Segments that were handed out cannot be taken back, and what waits is not a whole one.
    guard segments == nil else { return letGo() }
    // A file that is gone cannot be saved.
    guard restoreError == nil, (try? checkFile()) != nil else { return letGo() }
    // All audio of a short file may still be waiting.
    if plainAudio != nil, output?.failure == nil { try? drain(end: nil) }
    guard let output, let muxer, muxer.packetCount > 0, holdsAudio else {
      remove()
      return nil
    }
    let isFailed = output.failure != nil
    if !isFailed || dropUnwrittenAudio() {
      // The encoder failed, not the disk: what came out of it makes a movie.
      if !isFailed { try? drain(end: nil) }
      if (try? muxer.finish()) != nil, (try? settleAudioLength()) != nil,
        (try? output.synchronize()) != nil
      {
        // Its failure is kept in restoreError.
        try? settleName()
        guard restoreError == nil else { return letGo() }
        return closed(at: output.size)
      }
    }
    guard isFragmented, !muxer.isComplete else {
      // Complete, and not known to be on the disk. Or no index tells where frames lie: whoever can find them
      // without one may want to try.
      return leave(output)
    }
    guard !fragmentEnds.isEmpty || output.isInDoubt else {
      remove()
      return nil
    }
    // The fragments that are whole are a movie; after a sync that fails, those that an earlier one has
    // confirmed.
    for _ in 0..<2 {
      guard let end = fragmentEnds.last(where: { $0 <= output.reliableSize }) else { break }
      fragmentEnds.removeAll { $0 > end }
      guard output.end(at: end) else { continue }
      if isLost { try? settleName() }
      guard restoreError == nil else { return letGo() }
      countFragments()
      return closed(at: end)
    }
    countFragments()
    return leave(output)
  }

  /// Closes a file that holds a movie of `size` bytes, and returns the movie's summary.
  private func closed(at size: UInt64) -> MovieSummary {
    let summary = summary(size: size)
    noteHeld()
    close()
    // Everything up to `size` is synchronized, so nothing can fail here that matters.
    try? file.close()
    return summary
  }

  /// Ends with a file that is no complete movie for all that is known.
  private func leave(_ output: MovieFileOutput) -> MovieSummary? {
    if isLost { try? settleName() }
    guard restoreError == nil else { return letGo() }
    if let change = forgoName() { (fileChange, lastChange) = (fileChange ?? .moved, change) }
    remainder = summary(size: output.size)
    noteHeld()
    close()
    try? file.close()
    return nil
  }

  /// Ends without a file.
  private func letGo() -> MovieSummary? {
    close()
    try? file.close()
    return nil
  }

  func remove() {
    isRemoved = true
    close()
    try? file.remove()
    try? file.close()
  }
}
