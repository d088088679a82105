import MediaCore
import QuickTime

/// The track that an input has in a compressed movie.
enum CompressedTrack {
  /// An input without a track in the movie.
  case none
  /// A video track.
  case video(Video)
  /// Audio.
  case audio(Audio)

  /// A video track.
  struct Video {
    /// The muxer's number of the stream.
    let stream: Int
    let writer: any VideoTrackWriter
    let rate: FrameRate
    /// The slot of the take that is the movie's first.
    let start: Int64
    let written = Written()
  }

  /// An audio track.
  struct Audio {
    /// The muxer's number of the stream.
    let stream: Int
    let writer: any AudioTrackWriter
    let settings: AudioOutputSettings
    /// The sample of the take that is the movie's first.
    let start: Int64
    let written = Written()

    /// Samples a second, in which ``Written/end`` counts.
    var timescale: Int32 { Int32(clamping: settings.format.sampleRate) }
  }

  /// What a track has got.
  final class Written {
    var media = HeldMedia()
    /// The end of what is shown: in slots for video, in samples for audio.
    var end: Int64 = 0
  }

  var written: Written? {
    switch self {
    case .none: nil
    case .video(let video): video.written
    case .audio(let audio): audio.written
    }
  }

  private var stream: Int? {
    switch self {
    case .none: nil
    case .video(let video): video.stream
    case .audio(let audio): audio.stream
    }
  }

  /// What the movie's account says of it; nil for ``none``.
  func summary(id: TrackID) -> MovieSummary.Track? {
    let written: Written
    let (type, length): (MediaType, MediaTime)
    switch self {
    case .none: return nil
    case .video(let video):
      written = video.written
      (type, length) = (.video, video.rate.time(ofFrame: written.end))
    case .audio(let audio):
      written = audio.written
      (type, length) = (.audio, MediaTime(value: written.end, timescale: audio.timescale))
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
    case .video(let video):
      let written = video.written
      written.media.samples = held.samples.count
      written.end = min(
        written.end, video.rate.frameIndex(nearest: held.mediaDuration) ?? written.end)
    case .audio(let audio):
      let written = audio.written
      let length = held.mediaDuration.converted(
        toTimescale: audio.timescale, rounding: .roundTowardZero)
      written.end = min(written.end, length.value)
      written.media.samples = Int(clamping: written.end)
    }
  }
}
