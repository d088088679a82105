import AssetReader
import MediaCore
import QuickTime

/// The samples of a track of the movie that a timeline becomes.
///
/// They are used from one thread at a time.
struct TimelineSamples {
  private enum Source {
    case track(TimelineReader)
    case composition(CompositedPictures)
    case mix(MixedSound)
  }

  private let source: Source
  /// What pictures are brought to; nil for as they are.
  private var form: PictureForm?
  /// The track that says what the samples are.
  let track: MovieTimeline.Track
  /// The rate of pictures; nil where frames last as long as their times say.
  let frameRate: FrameRate?
  /// How far a player turns the pictures, in quarters clockwise.
  let quarterTurns: Int

  /// The samples of a track as it is.
  ///
  /// - Throws: `AssetReaderError` where the first clip cannot be read.
  init(_ track: MovieTimeline.Track, form: PictureForm?) throws(AssetReaderError) {
    source = .track(try TimelineReader(track.clips, sound: track.clips[0].track.audio))
    self.form = form
    self.track = track
    frameRate = track.mediaType == .video ? track.frameRate : nil
    quarterTurns = track.quarterTurns
  }

  /// The frames of a composition.
  ///
  /// - Parameter track: The first of its tracks.
  init(_ pictures: CompositedPictures, _ track: MovieTimeline.Track, form: PictureForm?) {
    source = .composition(pictures)
    self.form = form
    self.track = track
    frameRate = pictures.frameRate
    quarterTurns = 0
  }

  /// The sound of a mix.
  ///
  /// - Parameter track: The first of its tracks.
  init(_ sound: MixedSound, _ track: MovieTimeline.Track) {
    source = .mix(sound)
    self.track = track
    frameRate = nil
    quarterTurns = 0
  }

  /// The part of pictures that is meant to be seen, where all of them have their size; nil for all.
  var cleanAperture: CleanAperture? {
    guard case .track = source, form?.keepsSize ?? true, let first = track.clips.first else {
      return nil
    }
    return CleanAperture.stored(in: first.location, first.track)
  }

  /// What channels of sound are for, as Core Audio's labels; nil where that is not known.
  var channelLabels: [UInt32]? {
    if case .mix(let sound) = source { return sound.channelLabels }
    return track.clips.first?.track.channelLabels
  }

  /// Sound above full scale so far, which was clipped.
  var excess: SoundExcess {
    switch source {
    case .track(let reader): reader.excess
    case .mix(let sound): sound.excess
    case .composition: SoundExcess()
    }
  }

  /// The next sample; nil behind the end.
  ///
  /// - Throws: `AssetReaderError` where a clip cannot be read; what a composition's compositor fails with.
  mutating func next() async throws -> SampleBuffer? {
    let (sample, name) =
      switch source {
      case .track(let reader): (try reader.next(), reader.clipName)
      case .composition(let pictures): (try await pictures.next(), "video composition")
      case .mix(let sound): (try sound.next(), "audio mix")
      }
    guard let sample, form != nil, let picture = sample.imageBuffer else { return sample }
    return sample.with(try form?.formed(picture, of: name) ?? picture)
  }
}
