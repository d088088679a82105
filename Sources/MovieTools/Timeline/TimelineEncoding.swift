import AssetReader
import AssetWriter
import CaptureDevices
public import MediaCore
public import QuickTime

/// Encodes a timeline as a ProRes movie: of clips of any codec. The first clip's size is the movie's; others are
/// fitted into it.
public struct TimelineEncoding: Sendable {
  /// What is encoded.
  public var timeline: MovieTimeline
  /// The movie's path; a file that exists is not replaced.
  public var outputPath: String
  /// The codec.
  public var codec: VideoCodecType
  /// What the movie says of itself.
  public var metadata = MovieMetadata()
  /// Called after each sample with the part that is done, from 0 to 1; it must return quickly.
  public var onProgress: (@Sendable (Double) -> Void)?

  /// An encoding of a timeline to a path.
  public init(_ timeline: MovieTimeline, outputPath: String, codec: VideoCodecType) {
    self.timeline = timeline
    self.outputPath = outputPath
    self.codec = codec
  }

  /// A track on its way to the encoder.
  private struct Feed {
    var source: Source
    var sample: SampleBuffer
    var receiver: AssetWriterInput.SampleBufferReceiver
  }

  /// A track's samples, of which all pictures look alike.
  private struct Source {
    let reader: TimelineReader
    var form: PictureForm?

    mutating func next() throws(AssetReaderError) -> SampleBuffer? {
      guard let sample = try reader.next() else { return nil }
      guard form != nil, let picture = sample.imageBuffer else { return sample }
      return sample.with(try form?.formed(picture, of: reader.clipName) ?? picture)
    }
  }

  /// Encodes all. Cancelling the task ends it; nothing is left of a movie that was not completed.
  ///
  /// - Returns: What the movie lacks or changes, compared with the timeline.
  /// - Throws: `AssetReaderError` where a clip cannot be read, `AssetWriterError` where the movie cannot be
  ///   written, `CancellationError`.
  public func run() async throws -> [ExportNote] {
    let tracks = timeline.tracks.filter { !$0.clips.isEmpty }
    let timecode = tracks.first { $0.mediaType == .video }.map(TimelineTimecode.init)
    let writer = try AssetWriter(path: outputPath, configuration: configuration(timecode))
    writer.metadata = metadata
    do {
      var feeds: [Feed] = []
      for track in tracks {
        var source = Source(
          reader: try TimelineReader(track.clips, sound: track.clips[0].track.audio),
          form: PictureForm(track, codec))
        guard let first = try source.next() else { continue }
        let input = input(track, first)
        feeds.append(
          Feed(source: source, sample: first, receiver: try writer.inputReceiver(for: input)))
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
    return (timecode?.notes ?? []) + tracks.flatMap(notes)
  }

  private func configuration(_ timecode: TimelineTimecode?) -> AssetWriter.Configuration {
    var configuration = AssetWriter.Configuration()
    // One task feeds all tracks: none may wait for another.
    configuration.interleavingLimit = 86_400
    configuration.maximumGap = 86_400
    configuration.startTimecode = timecode?.start
    configuration.writesTimecode = timecode?.start != nil
    configuration.reelName = timecode?.reelName ?? ""
    return configuration
  }

  private func input(_ track: MovieTimeline.Track, _ first: SampleBuffer) -> AssetWriterInput {
    let facts = track.clips[0].track
    switch first.content {
    case .video(let picture):
      var settings = VideoOutputSettings(
        codec: codec, width: picture.width, height: picture.height, frameRate: track.frameRate)
      settings.keepsFrameTimes = true
      settings.gapPolicy = .extendPreviousFrame
      settings.quarterTurns = track.quarterTurns
      settings.name = facts.title
      settings.language = track.language
      settings.masteringDisplay = facts.sideData.masteringDisplay.map(
        MasteringDisplayColorVolume.init)
      settings.contentLightLevel = facts.sideData.contentLight.map(ContentLightLevel.init)
      return AssetWriterInput(
        outputSettings: settings, sourceFormatHint: VideoFormatDescription(picture.details))
    case .audio(let sound):
      var settings = AudioOutputSettings(format: sound.format)
      settings.channelLayout = facts.channelLabels.map(AudioChannelLayout.init(coreAudioLabels:))
      settings.name = facts.title
      settings.language = track.language
      return AssetWriterInput(outputSettings: settings)
    }
  }

  /// The sample that is shown first goes first.
  private func append(_ feeds: [Feed]) async throws {
    let total = max(timeline.duration.seconds, .leastNonzeroMagnitude)
    var feeds = feeds
    while let next = feeds.indices.min(by: {
      feeds[$0].sample.presentationTimeStamp < feeds[$1].sample.presentationTimeStamp
    }) {
      try Task.checkCancellation()
      try await feeds[next].receiver.append(feeds[next].sample)
      onProgress?(min(feeds[next].sample.presentationTimeStamp.seconds / total, 1))
      if let sample = try feeds[next].source.next() {
        feeds[next].sample = sample
      } else {
        feeds.remove(at: next)
      }
    }
  }

  private func notes(_ track: MovieTimeline.Track) -> [ExportNote] {
    guard track.mediaType == .video else { return [] }
    var notes: [ExportNote] = []
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
}
