import MediaCore
import QuickTime

/// Which sound waits, since the session may be ended before it.
extension CompressedMovie {
  /// The most bytes of a track's sound that wait for pictures.
  private static var waitingLimit: Int { 16 << 20 }

  /// Gives a track's sound to the muxer, but for the last of it; nothing of other tracks.
  func giveSound(of place: Int) throws(QuickTimeError) {
    guard case .audio(let stream, let writer, let settings, _, let written) = tracks[place] else {
      return
    }
    try writer.give(keeping: soundKept(settings.format, upTo: written.end)) {
      packet throws(QuickTimeError) in try give(packet, stream, written)
    }
  }

  /// Frames of sound to keep: half a second, and what lies behind the pictures, for a session usually ends with
  /// those. Live sound is not kept longer, nor is that of media segments: it belongs to where they end.
  private func soundKept(_ format: AudioFormat, upTo end: Int64) -> Int {
    let least = format.sampleRate / 2
    guard !isLive, segments == nil, let pictures = picturesEnd else { return least }
    let shown = pictures.converted(toTimescale: Int32(clamping: format.sampleRate))
    guard shown.isNumeric else { return least }
    let most = Self.waitingLimit / max(4 * format.channelCount, 1)
    return max(least, min(Int(clamping: end - shown.value), most))
  }

  /// Bytes that the file will have of sound that waits for pictures, beyond the half second that always waits.
  var waitingSoundBytes: Int64 {
    tracks.reduce(0) { sum, track in
      guard case .audio(_, let writer, let settings, _, let written) = track else { return sum }
      let rate = Int64(max(settings.format.sampleRate, 1))
      let frames = max(written.end - writer.given - rate / 2, 0)
      guard case .aac = settings.compression else {
        return sum + frames * Int64(settings.format.bytesPerFrame)
      }
      return sum + frames * Int64(settings.aacBitRate) / (8 * rate)
    }
  }

  /// When the first track of pictures ends so far, from the movie's start; nil without one.
  private var picturesEnd: MediaTime? {
    for case .video(_, _, let rate, _, let written) in tracks {
      return rate.time(ofFrame: written.end)
    }
    return nil
  }
}
