import AssetReader
public import AssetWriter
import CaptureDevices
public import MediaCore
public import QuickTime

/// Encodes a timeline of clips of any codec as a movie. The movie has the first clip's size; others
/// are fitted into it.
public struct TimelineEncoding: Sendable {
  /// The timeline to encode.
  public var timeline: MovieTimeline
  /// The movie's path. An existing file is not replaced.
  public var outputPath: String
  /// The codec.
  public var codec: VideoCodecType
  /// The movie's metadata.
  public var metadata = MovieMetadata()
  /// The movie's container. Codecs other than ProRes, and compressed audio, do not require `.mov`.
  public var fileType = FileType.mov
  /// The compression of audio.
  public var audio = AudioCompression.none
  /// The settings of an H.264 or HEVC encoder.
  public var compression = VideoCompression()
  /// A box that frames must fit in; nil for the first clip's size.
  package var box: FrameBox?
  /// How frames of several tracks are drawn over one another; nil keeps the tracks separate.
  package var composition: VideoComposition?
  /// How audio tracks are mixed into one; nil keeps the tracks separate.
  package var mix: AudioMix?
  /// Called after each sample with the fraction done, from 0 to 1. Must return quickly.
  public var onProgress: (@Sendable (Double) -> Void)?

  /// Creates an encoding of a timeline to a path.
  public init(_ timeline: MovieTimeline, outputPath: String, codec: VideoCodecType) {
    self.timeline = timeline
    self.outputPath = outputPath
    self.codec = codec
  }

  /// A track that feeds the encoder.
  private struct Feed {
    var samples: TimelineSamples
    var next: SampleBuffer
    var receiver: AssetWriterInput.SampleBufferReceiver
  }

  /// Encodes the timeline. Cancelling the task ends it. Leaves nothing of a movie that was not
  /// completed.
  ///
  /// - Returns: Notes on what the movie drops or changes compared with the timeline.
  /// - Throws: `AssetReaderError` if a clip cannot be read, `AssetWriterError` if the movie cannot
  ///   be written, a compositor's error, `CancellationError`.
  public func run() async throws -> [ExportNote] {
    let composed = try composition.map { composition throws(AssetReaderError) in
      try CompositedFrames(composition, of: timeline, hasFullChroma: codec.is4444)
    }
    let mixed = try mix.map { mix throws(AssetReaderError) in
      try MixedAudio(mix, of: timeline)
    }
    let sources = try sources(composed, mixed)
    let timecode = timecode(composed)
    let writer = try AssetWriter(
      path: outputPath, fileType: fileType, configuration: configuration(timecode))
    writer.metadata = metadata
    var sitings: [ExportNote] = []
    do {
      var feeds: [Feed] = []
      for var source in sources {
        guard let first = try await source.next() else { continue }
        let input = input(source, first)
        if let frame = first.imageBuffer?.details {
          sitings += [ExportNote.chromaSiting(frame)].compactMap(\.self)
        }
        feeds.append(
          Feed(samples: source, next: first, receiver: try writer.inputReceiver(for: input)))
      }
      guard !feeds.isEmpty else {
        throw AssetReaderError(
          .invalidArgument, "\(outputPath): the timeline has nothing to encode")
      }
      try writer.start()
      try writer.startSession(atSourceTime: .zero)
      try await append(feeds)
      try await writer.finishWriting()
    } catch {
      writer.cancelWriting()
      throw error
    }
    return (timecode?.notes ?? []) + (composed?.notes ?? []) + (mixed?.notes ?? []) + mismatches
      + chromaNotes + sitings
      + sources.flatMap { notes($0.track, isComposed: composed != nil) }
      + sources.compactMap { ExportNote.clipping($0.excess) }
  }

  /// The sources of the movie's tracks. A composition makes one track of all video tracks, a mix
  /// one of all audio tracks.
  private func sources(
    _ composed: CompositedFrames?, _ mixed: MixedAudio?
  ) throws(AssetReaderError) -> [TimelineSamples] {
    var sources: [TimelineSamples] = []
    var (composed, mixed) = (composed, mixed)
    for track in timeline.tracks where !track.clips.isEmpty {
      switch track.mediaType {
      case .video where composition != nil:
        guard let frames = composed.take(), let composition else { continue }
        let form = FrameForm(composition.size, within: box)
        sources.append(TimelineSamples(frames, track, form: form))
      case .video:
        sources.append(
          try TimelineSamples(track, form: FrameForm(track, codec, within: box)))
      case .audio where mix != nil:
        if let audio = mixed.take() { sources.append(TimelineSamples(audio, track)) }
      default: sources.append(try TimelineSamples(track, form: nil))
      }
    }
    return sources
  }

  /// The timecode of the first video track, counted at the movie's frame rate.
  private func timecode(_ composed: CompositedFrames?) -> TimelineTimecode? {
    let first = timeline.tracks.first { $0.mediaType == .video && !$0.clips.isEmpty }
    guard let composed else { return first.map { TimelineTimecode($0, rate: $0.frameRate) } }
    return first.map { TimelineTimecode($0, rate: composed.frameRate, from: .zero) }
  }

  private func configuration(_ timecode: TimelineTimecode?) -> AssetWriter.Configuration {
    var configuration = AssetWriter.Configuration()
    // One task feeds all tracks, so none may wait for another.
    configuration.interleavingLimit = 86_400
    configuration.maximumGap = 86_400
    // Other movies than ProRes are for players, which prefer an index to fragments.
    if codec.isInterframe || audio != .none { configuration.movieFragmentInterval = .invalid }
    configuration.startTimecode = timecode?.start
    configuration.writesTimecode = timecode?.start != nil
    configuration.reelName = timecode?.reelName ?? ""
    return configuration
  }

  /// True if this project's own writer writes the movie, not libavformat.
  private var holdsExtras: Bool { !codec.isInterframe && audio == .none }

  private func input(_ source: TimelineSamples, _ first: SampleBuffer) -> AssetWriterInput {
    let facts = source.track.clips[0].track
    switch first.content {
    case .video(let frame):
      var settings = VideoOutputSettings(
        codec: codec, width: frame.width, height: frame.height, frameRate: source.frameRate)
      settings.keepsFrameTimes = true
      settings.gapPolicy = .extendPreviousFrame
      settings.quarterTurns = source.quarterTurns
      settings.name = facts.title
      settings.language = source.track.language
      if codec.isInterframe { settings.compression = compression }
      if holdsExtras {
        settings.cleanAperture = source.cleanAperture
        settings.masteringDisplay = facts.sideData.masteringDisplay.map(
          MasteringDisplayColorVolume.init)
        settings.contentLightLevel = facts.sideData.contentLight.map(ContentLightLevel.init)
      }
      return AssetWriterInput(
        outputSettings: settings, sourceFormatHint: VideoFormatDescription(frame.details))
    case .audio(let audio):
      var settings = AudioOutputSettings(format: audio.format)
      settings.compression = self.audio
      settings.channelLayout = source.channelLabels.map(AudioChannelLayout.init(coreAudioLabels:))
      settings.name = facts.title
      settings.language = source.track.language
      return AssetWriterInput(outputSettings: settings)
    }
  }

  /// Appends samples in the order of their times.
  private func append(_ feeds: [Feed]) async throws {
    let total = max(timeline.duration.seconds, .leastNonzeroMagnitude)
    var feeds = feeds
    while let next = feeds.indices.min(by: {
      feeds[$0].next.presentationTimeStamp < feeds[$1].next.presentationTimeStamp
    }) {
      try Task.checkCancellation()
      try await feeds[next].receiver.append(feeds[next].next)
      onProgress?(min(feeds[next].next.presentationTimeStamp.seconds / total, 1))
      if let sample = try await feeds[next].samples.next() {
        feeds[next].next = sample
      } else {
        feeds.remove(at: next)
      }
    }
  }

  private func notes(_ track: MovieTimeline.Track, isComposed: Bool) -> [ExportNote] {
    guard track.mediaType == .video else { return [] }
    var notes: [ExportNote] = []
    let facts = track.clips[0].track.sideData
    if !holdsExtras, facts.masteringDisplay != nil || facts.contentLight != nil {
      notes.append(
        ExportNote(
          .dropped, "mastering",
          "mastering display and light level dropped: only ProRes with linear PCM has them here"))
    }
    guard !isComposed else { return notes }
    if !holdsExtras, let first = track.clips.first,
      CleanAperture.stored(in: first.location, first.track) != nil
    {
      notes.append(
        ExportNote(
          .dropped, "clean aperture",
          "clean aperture dropped: only ProRes with linear PCM supports it here"))
    }
    let sizes = Set(track.clips.compactMap(\.track.video?.dimensions))
    if sizes.count > 1, let size = track.clips[0].track.video?.dimensions {
      notes.append(
        ExportNote(
          .changed, "size", "clips of other sizes are fitted into the first one's \(size)"))
    }
    if !codec.is4444, track.clips.contains(where: \.track.hasAlpha) {
      notes.append(
        ExportNote(
          .dropped, "alpha", "alpha channel dropped: \(codec.displayName) has none; use ProRes 4444"
        ))
    }
    for (clip, next) in zip(track.clips, track.clips.dropFirst())
    where next.target.start > clip.target.end {
      notes.append(.gap(from: clip.target.end, to: next.target.start))
    }
    return notes
  }

  /// Notes on chroma that clips lack, without duplicates.
  private var chromaNotes: [ExportNote] {
    let tracks = timeline.tracks.filter { $0.mediaType == .video }
    var notes: [ExportNote] = []
    for track in tracks {
      let sizes = Set(track.clips.compactMap(\.track.video?.dimensions))
      let isResampled = composition != nil || sizes.count > 1 || box != nil
      for clip in track.clips {
        guard
          let note = ExportNote.chroma(of: clip.track, in: codec, isResampled: isResampled),
          !notes.contains(note)
        else { continue }
        notes.append(note)
      }
    }
    return notes
  }

  /// Notes on properties in which clips differ from the first one, whose tags the movie has.
  private var mismatches: [ExportNote] {
    let clips = timeline.tracks.filter { $0.mediaType == .video }.flatMap(\.clips)
    let videos = clips.compactMap(\.track.video)
    guard let first = videos.first else { return [] }
    var notes: [ExportNote] = []
    func note(_ subject: String, _ what: String, _ differs: (VideoFormatDescription) -> Bool) {
      guard videos.contains(where: differs) else { return }
      notes.append(
        ExportNote(
          .changed, subject,
          "clips differ in \(what), which is not converted; the movie is tagged as the first clip"))
    }
    note("color", "color") { video in
      (video.color.primaries, video.color.transferFunction, video.color.matrix)
        != (first.color.primaries, first.color.transferFunction, first.color.matrix)
    }
    note("scan", "field order") { $0.fieldOrder != first.fieldOrder }
    guard composition == nil else { return notes }
    note("aspect", "pixel aspect ratio") { $0.pixelAspectRatio != first.pixelAspectRatio }
    return notes
  }
}
