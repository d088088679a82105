import AssetReader
import MediaCore
import QuickTime

/// The samples of a track of the movie that is made from a timeline.
///
/// Used from one thread at a time.
struct TimelineSamples {
  private enum Source {
    case track(TimelineReader)
    case composition(CompositedFrames)
    case mix(MixedAudio)
  }

  private let source: Source
  /// The conversion of frames; nil for none.
  private var form: FrameForm?
  /// The track that describes the samples.
  let track: MovieTimeline.Track
  /// The frame rate; nil if durations follow from frame times.
  let frameRate: FrameRate?
  /// How far a player rotates the video, in clockwise quarter turns.
  let quarterTurns: Int

  /// The samples of an unchanged track.
  ///
  /// - Throws: `AssetReaderError` if the first clip cannot be read.
  init(_ track: MovieTimeline.Track, form: FrameForm?) throws(AssetReaderError) {
    source = .track(try TimelineReader(track.clips, audio: track.clips[0].track.audio))
    self.form = form
    self.track = track
    frameRate = track.mediaType == .video ? track.frameRate : nil
    quarterTurns = track.quarterTurns
  }

  /// The frames of a composition.
  ///
  /// - Parameter track: The first of its tracks.
  init(_ frames: CompositedFrames, _ track: MovieTimeline.Track, form: FrameForm?) {
    source = .composition(frames)
    self.form = form
    self.track = track
    frameRate = frames.frameRate
    quarterTurns = 0
  }

  /// The audio of a mix.
  ///
  /// - Parameter track: The first of its tracks.
  init(_ audio: MixedAudio, _ track: MovieTimeline.Track) {
    source = .mix(audio)
    self.track = track
    frameRate = nil
    quarterTurns = 0
  }

  /// The clean aperture, if frames keep their size; nil for the whole frame.
  var cleanAperture: CleanAperture? {
    guard case .track = source, form?.keepsSize ?? true, let first = track.clips.first else {
      return nil
    }
    return CleanAperture.stored(in: first.location, first.track)
  }

  /// The channels' labels, as in Core Audio; nil if unknown.
  var channelLabels: [UInt32]? {
    if case .mix(let audio) = source { return audio.channelLabels }
    return track.clips.first?.track.channelLabels
  }

  /// The samples clipped so far because they exceeded full scale.
  var excess: AudioExcess {
    switch source {
    case .track(let reader): reader.excess
    case .mix(let audio): audio.excess
    case .composition: AudioExcess()
    }
  }

  /// The next sample; nil after the end.
  ///
  /// - Throws: `AssetReaderError` if a clip cannot be read; a compositor's error.
  mutating func next() async throws -> SampleBuffer? {
    let (sample, name) =
      switch source {
      case .track(let reader): (try reader.next(), reader.clipName)
      case .composition(let frames): (try await frames.next(), "video composition")
      case .mix(let audio): (try audio.next(), "audio mix")
      }
    guard let sample, form != nil, let frame = sample.imageBuffer else { return sample }
    return sample.with(try form?.formed(frame, of: name) ?? frame)
  }
}
