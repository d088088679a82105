import MediaCore

/// Audio that was appended beyond the movie's end.
extension MovieWriter {
  /// Ends an audio track after `count` samples, and drops those that were appended after that. Call it after the last
  /// audio, before ``finish()``.
  ///
  /// Samples that are not in a fragment yet are not written. The bytes of others stay in the file, but its index does
  /// not refer to them. With checksums, which cover every byte, samples in complete fragments stay in the track, and
  /// an edit list excludes them; likewise if nothing of the track is to remain.
  ///
  /// - Parameters:
  ///   - track: An audio track.
  ///   - count: The samples that the movie is to have, counted from the track's beginning; 0 or more.
  /// - Returns: How many samples were taken from the track; 0 where an edit list leaves them out.
  /// - Throws: ``QuickTimeError/Code/invalidState`` unless samples flow, ``QuickTimeError/Code/invalidArgument`` for
  ///   another track and for a negative number.
  @discardableResult
  public func endAudio(of track: TrackID, after count: Int64) throws(QuickTimeError) -> Int64 {
    guard state == .writing else { throw invalidState("the end of a track") }
    let audio = tracks[try index(of: track)]
    guard case .audio(let description) = audio.content else {
      throw QuickTimeError(.invalidArgument, "track \(track) is not an audio track")
    }
    guard count >= 0 else {
      throw QuickTimeError(.invalidArgument, "an end after \(count) samples: must not be negative")
    }
    let surplus = audio.duration - count
    guard surplus > 0 else { return 0 }
    let waiting = min(surplus, audio.pendingDuration)
    let isWritten = waiting < surplus
    // A movie with nothing in it could not be finished.
    guard count > 0, !isWritten || checksum == nil else {
      let shown = MediaTime(value: count, timescale: Int32(clamping: audio.record.timescale))
      audio.record.edits = [MovieEdit(mediaTime: 0, duration: shown)]
      return 0
    }
    audio.buffer.removeLast(Int(waiting) * description.format.bytesPerFrame)
    audio.pendingDuration -= waiting
    if isWritten { audio.record.samples.keepFirst(Int(count)) }
    return surplus
  }
}
