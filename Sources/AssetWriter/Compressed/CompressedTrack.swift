import MediaCore
import QuickTime

/// What an input came to in a compressed movie.
enum CompressedTrack {
  /// An input of which the movie has nothing.
  case none
  /// Pictures: the muxer's stream, and the slot of the take that is the movie's first.
  case video(Int, any VideoTrackWriter, rate: FrameRate, start: Int64, written: Written)
  /// Sound: the muxer's stream, and the sample of the take that is the movie's first.
  case audio(Int, any SoundTrackWriter, AudioOutputSettings, start: Int64, written: Written)

  /// What a track has got.
  final class Written {
    var media = HeldMedia()
    /// The end of what it shows: slots of pictures, samples of sound.
    var end: Int64 = 0
  }

  var written: Written? {
    switch self {
    case .none: nil
    case .video(_, _, _, _, let written), .audio(_, _, _, _, let written): written
    }
  }

  private var stream: Int? {
    switch self {
    case .none: nil
    case .video(let stream, _, _, _, _), .audio(let stream, _, _, _, _): stream
    }
  }

  /// What the movie's account says of it; nil for ``none``.
  func summary(id: TrackID) -> MovieSummary.Track? {
    let (type, length, written): (MediaType, MediaTime, Written)
    switch self {
    case .none: return nil
    case .video(_, _, let rate, _, let own):
      (type, length, written) = (.video, rate.time(ofFrame: own.end), own)
    case .audio(_, _, let settings, _, let own):
      let rate = Int32(clamping: settings.format.sampleRate)
      (type, length, written) = (.audio, MediaTime(value: own.end, timescale: rate), own)
    }
    return MovieSummary.Track(
      id: id, mediaType: type, sampleCount: written.media.samples, duration: length,
      byteCount: UInt64(clamping: written.media.bytes))
  }

  /// Counts no more than what a file holds of it.
  func count(in index: MovieIndex) {
    guard let stream, index.tracks.indices.contains(stream) else { return }
    let held = index.tracks[stream]
    switch self {
    case .none: break
    case .video(_, _, let rate, _, let written):
      written.media.samples = held.samples.count
      written.end = min(written.end, rate.frameIndex(nearest: held.mediaDuration) ?? written.end)
    case .audio(_, _, let settings, _, let written):
      let length = held.mediaDuration.converted(
        toTimescale: Int32(clamping: settings.format.sampleRate), rounding: .roundTowardZero)
      written.end = min(written.end, length.value)
      written.media.samples = Int(clamping: written.end)
    }
  }
}
