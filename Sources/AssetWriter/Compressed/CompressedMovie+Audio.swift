import MediaCore
import QuickTime

/// Audio that waits, because the session may end before it.
extension CompressedMovie {
  /// The most bytes of a track's audio that wait for video.
  private static var waitingLimit: Int { 16 << 20 }

  /// Gives an audio track's packets to the muxer, except the last one. Other tracks are not affected.
  func giveAudio(of place: Int) throws(QuickTimeError) {
    guard case .audio(let audio) = tracks[place] else { return }
    try audio.writer.give(keeping: audioKept(audio.settings.format, upTo: audio.written.end)) {
      packet throws(QuickTimeError) in try give(packet, audio.stream, audio.written)
    }
  }

  /// Audio frames to keep: half a second, and what extends beyond the video, because a session usually ends with the
  /// video. Live audio is not kept longer, nor is that of media segments, because it must end where they do.
  private func audioKept(_ format: AudioFormat, upTo end: Int64) -> Int {
    let least = format.sampleRate / 2
    guard !isLive, segments == nil, let video = videoEnd else { return least }
    let shown = video.converted(toTimescale: Int32(clamping: format.sampleRate))
    guard shown.isNumeric else { return least }
    let most = Self.waitingLimit / max(4 * format.channelCount, 1)
    return max(least, min(Int(clamping: end - shown.value), most))
  }

  /// Bytes that the file will need for audio that waits for video, beyond the half second that always waits.
  var waitingAudioBytes: Int64 {
    tracks.reduce(0) { sum, track in
      guard case .audio(let audio) = track else { return sum }
      let settings = audio.settings
      let rate = Int64(max(settings.format.sampleRate, 1))
      let frames = max(audio.written.end - audio.writer.given - rate / 2, 0)
      guard case .aac = settings.compression else {
        return sum + frames * Int64(settings.format.bytesPerFrame)
      }
      return sum + frames * Int64(settings.aacBitRate) / (8 * rate)
    }
  }

  /// The end of the first video track so far, from the movie's start; nil without one.
  private var videoEnd: MediaTime? {
    for case .video(let video) in tracks {
      return video.rate.time(ofFrame: video.written.end)
    }
    return nil
  }
}
