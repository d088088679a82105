import AssetReader
import AssetWriter
import CaptureDevices
import MediaCore
import QuickTime
import Takes

/// The writer of an export, an input for each track of the source, and what will be different.
struct ExportPlan {
  let writer: AssetWriter
  let inputs: [AssetTrack.ID: AssetWriterInput.SampleBufferReceiver]
  let videoTrackID: AssetTrack.ID
  let rate: FrameRate?
  private(set) var notes: [ExportNote] = []

  /// - Parameters:
  ///   - first: The first picture, which is the last word on what all of them are.
  ///   - scan: The field order, where it is not that of the pictures.
  init(
    _ session: AssetExportSession, _ reader: AssetReader, _ track: AssetTrack,
    first: AssetSample, codec: VideoCodecType, scan: FieldOrder?
  ) throws {
    guard let picture = first.sampleBuffer.imageBuffer else {
      throw AssetReaderError(.noSuchTrack, "\(reader.location.displayName) has no pictures")
    }
    let facts = SourceMetadata(reader.metadata, tracks: reader.tracks)
    var configuration = AssetWriter.Configuration()
    configuration.overwritePolicy = session.overwritePolicy
    configuration.takesChecksums = session.writesSidecar
    configuration.reelName = facts.reelName
    // One task feeds all tracks in the file's order, so that none can wait for another. What is
    // ahead goes to the disk, not to memory.
    configuration.interleavingLimit = 86_400
    let rate = track.frameRate
    configuration.startTimecode = try Self.timecode(session, first, rate: rate)
    let writer = try AssetWriter(path: session.outputPath, configuration: configuration)
    writer.metadata = facts.metadata
    if let time = facts.creationTime { writer.creationTime = time }
    var settings = VideoOutputSettings(
      codec: codec, width: picture.width, height: picture.height, frameRate: rate,
      encoder: session.encoder)
    settings.fieldOrder = scan
    settings.name = track.title
    settings.language = track.language
    if track.rotation % 90 == 0 { settings.quarterTurns = track.rotation / 90 }
    let (stream, frame) = (track.sideData, first.sideData)
    settings.masteringDisplay = (frame.masteringDisplay ?? stream.masteringDisplay).map(
      MasteringDisplayColorVolume.init)
    settings.contentLightLevel = (frame.contentLight ?? stream.contentLight).map(
      ContentLightLevel.init)
    var inputs: [AssetTrack.ID: AssetWriterInput.SampleBufferReceiver] = [:]
    inputs[track.id] = try writer.inputReceiver(
      for: AssetWriterInput(
        outputSettings: settings, sourceFormatHint: VideoFormatDescription(picture.details)))
    for sound in reader.audioTracks {
      guard let format = sound.audio else { continue }
      var settings = AudioOutputSettings(format: format)
      settings.channelLayout = sound.channelLabels.flatMap(
        AudioChannelLayout.init(coreAudioLabels:))
      settings.name = sound.title
      settings.language = sound.language
      inputs[sound.id] = try writer.inputReceiver(for: AssetWriterInput(outputSettings: settings))
    }
    self.writer = writer
    self.inputs = inputs
    self.videoTrackID = track.id
    self.rate = rate
    notes = Self.notes(reader, track, codec: codec, facts)
    if scan == nil { notes += Self.scanNotes(track, picture) }
  }

  /// The first frame's address: as asked for, else as the container or the picture has it.
  private static func timecode(
    _ session: AssetExportSession, _ first: AssetSample, rate: FrameRate?
  ) throws -> Timecode? {
    let counted = rate ?? .fps25
    if let text = session.startTimecode {
      guard let start = Timecode(text, frameRate: counted) else {
        throw CaptureError(.invalidArgument, PresetReader.timecodeFault(text, rate: counted))
      }
      return start
    }
    guard first.sampleBuffer.attachments.timecode == nil, let rate else { return nil }
    return first.sideData.timecodeText.flatMap { Timecode($0, frameRate: rate) }
  }

  // MARK: What will be different

  private static func notes(
    _ reader: AssetReader, _ track: AssetTrack, codec: VideoCodecType, _ facts: SourceMetadata
  ) -> [ExportNote] {
    var notes: [ExportNote] = []
    if track.hasAlpha, !codec.is4444 {
      notes.append(
        ExportNote(
          .dropped, "alpha",
          "alpha channel dropped: \(codec.displayName) has none; "
            + "encode in ProRes 4444 to keep it"))
    }
    if track.hasFullChroma, !codec.is4444 {
      notes.append(
        ExportNote(
          .changed, "chroma",
          "chroma brought from 4:4:4 to 4:2:2; "
            + "encode in ProRes 4444 to keep it"
        ))
    }
    if track.rotation % 90 != 0 {
      notes.append(
        ExportNote(
          .dropped, "rotation", "rotation by \(track.rotation) degrees dropped: no quarter"))
    }
    if track.isMirrored {
      notes.append(
        ExportNote(.dropped, "mirroring", "mirroring dropped: the movie shows it as coded"))
    }
    let extras = reader.tracks.filter { $0.mediaType == .video && $0.id != track.id }
    notes += extras.map {
      ExportNote(
        .dropped, "track", "video track \($0.id) (\($0.codecName)) dropped: one is encoded")
    }
    notes += reader.contents.otherTracks.map {
      let words = [$0.codecName, $0.language].compactMap(\.self).joined(separator: ", ")
      return ExportNote(
        .dropped, "track", "\($0.kind) track\(words.isEmpty ? "" : " (\(words))") dropped")
    }
    if !facts.dropped.isEmpty {
      notes.append(
        ExportNote(.dropped, "metadata", "tags dropped: " + facts.dropped.joined(separator: ", ")))
    }
    if let text = track.timecodeText, track.timecode == nil {
      notes.append(
        ExportNote(
          .dropped, "timecode", "timecode \(text) dropped: it does not count at the frame rate"))
    }
    return notes
  }

  private static func scanNotes(_ track: AssetTrack, _ picture: PixelBuffer) -> [ExportNote] {
    let interlacedHeights: Set = [480, 486, 512, 576, 608, 1080, 1088]
    guard picture.fieldOrder == .progressive, !track.saysFieldOrder,
      interlacedHeights.contains(picture.height), (track.frameRate?.framesPerSecond ?? 60) < 31
    else { return [] }
    return [
      ExportNote(
        .assumed, "scan",
        "the source does not say its field order; taken as progressive; "
          + "name the field order, or have it detected"
      )
    ]
  }
}

extension MasteringDisplayColorVolume {
  fileprivate init(_ display: PictureSideData.MasteringDisplay) {
    let places = display.chromaticities
    func place(_ index: Int) -> Chromaticity {
      Chromaticity(x: places[2 * index], y: places[2 * index + 1])
    }
    self.init(
      red: place(0), green: place(1), blue: place(2), white: place(3),
      maximumLuminance: display.maximumLuminance, minimumLuminance: display.minimumLuminance)
  }
}

extension ContentLightLevel {
  fileprivate init(_ light: PictureSideData.ContentLight) {
    self.init(maximum: light.maximum, maximumFrameAverage: light.maximumFrameAverage)
  }
}

extension AudioChannelLayout {
  /// The layout of channels whose purposes are known, by Core Audio's tag where there is one.
  ///
  /// Nil for mono and stereo, which need none.
  fileprivate init?(coreAudioLabels labels: [UInt32]) {
    let tags: [[UInt32]: UInt32] = [
      [1, 2, 5, 6]: 108 << 16 | 4, [1, 2, 3]: 113 << 16 | 3, [1, 2, 3, 9]: 115 << 16 | 4,
      [1, 2, 3, 5, 6]: 117 << 16 | 5, [1, 2, 3, 4, 5, 6]: 121 << 16 | 6,
    ]
    if labels == [1, 2] || labels.count == 1 { return nil }
    self = tags[labels].map(Self.tag) ?? .labels(labels.map(Label.init(rawValue:)))
  }
}
