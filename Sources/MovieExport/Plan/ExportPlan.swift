package import AssetReader
package import AssetWriter
import CaptureDevices
import Foundation
package import MediaCore
import QuickTime

/// The writer of an export, an input for each track of the movie, and notes on differences.
package struct ExportPlan {
  package let writer: AssetWriter
  let video: AssetWriterInput.SampleBufferReceiver
  /// In the order of the audio tracks.
  let audioInputs: [AssetWriterInput.SampleBufferReceiver]
  /// True if the movie has a caption track while it is written.
  let hasCaptions: Bool
  /// What the movie drops, changes or assumes, as far as is known before its frames.
  package let notes: [ExportNote]

  /// - Parameters:
  ///   - beginning: The first frame for the encoder, and what is known by then.
  ///   - store: Frames that were encoded before; nil to encode frames.
  package init(
    _ setup: ExportSetup, beginning: ExportFeed.Beginning, store: (any EncodedFrameStore)? = nil
  ) throws {
    let track = setup.track
    let facts = SourceMetadata(setup.reader.metadata, tracks: setup.reader.tracks)
    let writer = try Self.writer(
      setup.session, facts, startTimecode: beginning.timing.startTimecode, store)
    let settings = Self.settings(
      setup.session, track, beginning, codec: setup.codec, scan: setup.scan,
      processing: setup.processing)
    video = try writer.inputReceiver(
      for: AssetWriterInput(
        outputSettings: settings,
        sourceFormatHint: VideoFormatDescription(beginning.frame.buffer.details)))
    audioInputs = try setup.audioTracks.map { audio in
      try writer.inputReceiver(for: AssetWriterInput(outputSettings: audio.settings))
    }
    // Captions are only known once they come. A finished movie without captions has no caption
    // track; an unfinished one has an empty one.
    hasCaptions = Self.mayHaveCaptions(track.codecName, beginning.first.sideData)
    if hasCaptions { try writer.addCaptionTrack() }
    self.writer = writer
    notes = ExportDifferences(setup, beginning, facts, settings).notes
  }

  /// A writer of the movie, without inputs, with the source's metadata.
  private static func writer(
    _ session: AssetExportSession, _ facts: SourceMetadata, startTimecode: Timecode?,
    _ store: (any EncodedFrameStore)?
  ) throws -> AssetWriter {
    var configuration = configuration(session, copiesFrames: store != nil)
    configuration.reelName = facts.reelName
    configuration.startTimecode = startTimecode
    let writer =
      if let store {
        try AssetWriter(
          outputURL: URL(filePath: session.outputPath), configuration: configuration,
          makeEncoder: EncoderFactory.copying(store))
      } else {
        try AssetWriter(path: session.outputPath, configuration: configuration)
      }
    writer.metadata = facts.metadata
    writer.creationTime = facts.creationTime ?? session.creationTime
    return writer
  }

  /// True if a source's frames may carry captions.
  static func mayHaveCaptions(_ codecName: String, _ first: FrameSideData) -> Bool {
    CaptionCollector.codecs.contains(codecName) || first.captions != nil
  }

  /// The writer's configuration.
  ///
  /// - Parameter copiesFrames: True to copy frames that were encoded before, into a movie that is
  ///   not used before it is complete.
  static func configuration(
    _ session: AssetExportSession, copiesFrames: Bool
  ) -> AssetWriter.Configuration {
    var configuration = AssetWriter.Configuration()
    configuration.overwritePolicy = session.overwritePolicy
    configuration.takesChecksums = session.writesSidecar
    // One task feeds all tracks in the file's order, so no track can wait for another. Data that is
    // ahead goes to disk, not memory.
    configuration.interleavingLimit = 86_400
    // The timeline has already decided which time steps are gaps and which begin another part of
    // the source.
    configuration.maximumGap = 86_400
    guard copiesFrames else { return configuration }
    // In time order to the sample, so that the file does not depend on which track was faster.
    configuration.interleavingWindow = 86_400
    // An incomplete movie is made again, because its parts still exist.
    configuration.synchronizesFragments = false
    return configuration
  }

  /// The settings of the encoded video.
  package static func settings(
    _ session: AssetExportSession, _ track: AssetTrack, _ beginning: ExportFeed.Beginning,
    codec: VideoCodecType, scan: FieldOrder?, processing: VideoProcessing
  ) -> VideoOutputSettings {
    let image = beginning.frame.buffer
    let edit = session.edit
    var settings = VideoOutputSettings(
      codec: codec, width: image.width, height: image.height,
      frameRate: beginning.timing.movieRate, encoder: session.encoder)
    settings.encoderThreads = session.encoderThreads
    settings.name = track.title
    settings.language = track.language
    // Filters already take these into account.
    if processing.isEmpty {
      settings.fieldOrder = scan
      settings.pixelAspectRatio = edit.pixelAspectRatio
      settings.cleanAperture = CleanAperture.stored(in: session.location, track)
    }
    if let color = edit.color,
      image.color.primaries != color.primaries
        || image.color.transferFunction != color.transferFunction
    {
      settings.color = color.with(range: image.color.range)
    }
    if track.rotation % 90 == 0, edit.rotation == .matrix {
      settings.quarterTurns = track.rotation / 90
    }
    let (stream, frame) = (track.sideData, beginning.first.sideData)
    settings.masteringDisplay = (frame.masteringDisplay ?? stream.masteringDisplay).map(
      MasteringDisplayColorVolume.init)
    settings.contentLightLevel = (frame.contentLight ?? stream.contentLight).map(
      ContentLightLevel.init)
    return settings
  }
}
