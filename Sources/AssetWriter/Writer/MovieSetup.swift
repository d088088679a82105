import MediaCore
import QuickTime

/// All that a movie's header says: what the assembler of a segment needs to begin it.
struct MovieSetup {
  /// A track of an input, with its place in the take where the movie begins.
  enum Track {
    /// The input gives the movie nothing.
    case none
    case video(VideoTrack)
    case audio(AudioOutputSettings, start: Int64)
  }

  /// A video track.
  struct VideoTrack {
    var description: VideoTrackDescription
    var settings: VideoOutputSettings
    var form: VideoTrackForm
    /// True for a source that cannot wait.
    var isRealTime: Bool
    /// The slot of the take's first frame.
    var first: Int64
    /// The movie's first slot.
    var start: Int64
  }

  var span: SegmentTimeline.Span
  /// The source time of the take's beginning.
  var sessionStart: MediaTime
  var configuration: AssetWriter.Configuration
  var facts: TakeFacts
  /// The address of the take's first frame; nil without a timecode track.
  var timecode: Timecode?
  /// A track an input, in the order of the inputs.
  var tracks: [Track]
  /// What is known of each track of facts, captions and timecode.
  var data: [DataQueue.Content] = []

  /// What the movie writer is to do.
  var writerConfiguration: MovieWriter.Configuration {
    var writer = MovieWriter.Configuration()
    let interval = configuration.movieFragmentInterval
    if interval.isNumeric { writer.fragmentInterval = max(interval.seconds, 0.04) }
    writer.syncPolicy = configuration.synchronizesFragments ? .eachFragment : .off
    writer.metadata = facts.metadata
    if span.number == 1, let time = facts.creationTime { writer.creationTime = time }
    writer.takesChecksums = configuration.takesChecksums
    writer.fileSizeLimit = configuration.segments.fileSizeLimit.map { UInt64(max($0, 0)) }
    return writer
  }
}

extension VideoTrackDescription {
  /// A track as its settings and its frames have it.
  init(_ settings: VideoOutputSettings, _ form: VideoTrackForm, rate: FrameRate) {
    self.init(
      codec: settings.codec, dimensions: settings.dimensions, frameRate: rate,
      color: form.color, fieldOrder: form.fieldOrder,
      pixelAspectRatio: form.pixelAspectRatio,
      cleanAperture: settings.cleanAperture ?? CleanAperture(settings.dimensions),
      hasAlpha: form.hasAlpha, masteringDisplay: settings.masteringDisplay,
      contentLightLevel: settings.contentLightLevel, name: settings.name ?? "")
    quarterTurns = settings.quarterTurns
    language = settings.language
  }
}
