package import AssetReader
package import AssetWriter
import CaptureDevices
import Foundation
package import MediaCore
import ProRes
import QuickTime

/// The writer of an export, an input for each track of the movie, and what will be different.
package struct ExportPlan {
  package let writer: AssetWriter
  let video: AssetWriterInput.SampleBufferReceiver
  /// In the order of the tracks of sound.
  let sounds: [AssetWriterInput.SampleBufferReceiver]
  /// True where the movie has a track for captions while it is written.
  let hasCaptions: Bool
  package private(set) var notes: [ExportNote] = []

  /// - Parameters:
  ///   - beginning: The first picture for the encoder, and what is known by then.
  ///   - scan: The field order, where it is not that of the pictures.
  ///   - store: Frames that were encoded before; nil where pictures are encoded.
  package init(
    _ session: AssetExportSession, _ reader: AssetReader, _ track: AssetTrack,
    beginning: ExportFeed.Beginning, codec: VideoCodecType, scan: FieldOrder?,
    processing: PictureProcessing, sounds: [ExportSound],
    store: (any EncodedFrameStore)? = nil
  ) throws {
    let picture = beginning.picture.buffer
    let timing = beginning.timing
    let facts = SourceMetadata(reader.metadata, tracks: reader.tracks)
    var configuration = Self.configuration(session, copiesFrames: store != nil)
    configuration.reelName = facts.reelName
    configuration.startTimecode = timing.startTimecode
    let writer: AssetWriter
    if let store {
      writer = try AssetWriter(
        outputURL: URL(filePath: session.outputPath), configuration: configuration,
        makeEncoder: EncoderFactory.copying(store))
    } else {
      writer = try AssetWriter(path: session.outputPath, configuration: configuration)
    }
    writer.metadata = facts.metadata
    writer.creationTime = facts.creationTime ?? session.creationTime
    let settings = Self.settings(
      session, track, beginning, codec: codec, scan: scan, processing: processing)
    video = try writer.inputReceiver(
      for: AssetWriterInput(
        outputSettings: settings, sourceFormatHint: VideoFormatDescription(picture.details)))
    var receivers: [AssetWriterInput.SampleBufferReceiver] = []
    for sound in sounds {
      receivers.append(
        try writer.inputReceiver(for: AssetWriterInput(outputSettings: sound.settings)))
    }
    // Whether there are captions is known with the first ones. A finished movie without has no such track, and an
    // unfinished one shows it empty.
    hasCaptions = Self.mayHaveCaptions(track.codecName, beginning.first.sideData)
    if hasCaptions { try writer.addCaptionTrack() }
    self.sounds = receivers
    self.writer = writer
    notes = Self.notes(
      reader, track, codec: codec, facts, isTurned: session.edit.rotation == .apply,
      isColorNamed: session.edit.color != nil)
    if session.edit.audio == .all { notes += Self.programNotes(reader, track) }
    notes += [
      ExportNote.chroma(of: track, in: codec, isResampled: processing.mixesPixels)
    ].compactMap(\.self)
    if let text = beginning.first.sideData.timecodeText, timing.startTimecode == nil,
      text != track.timecodeText
    {
      notes.append(
        ExportNote(
          .dropped, "timecode", "timecode \(text) dropped: it does not count at the frame rate"))
    }
    notes += [ExportNote.chromaSiting(picture.details)].compactMap(\.self)
    notes += Self.timeNotes(session, track, timing, hasSound: !sounds.isEmpty)
    notes += [Self.countingNote(session, timing)].compactMap(\.self)
    notes += Self.delayNotes(reader, track, sounds)
    notes += ExportSound.fieldNotes(sounds, of: reader)
    notes += ExportSound.markNotes(sounds, of: reader.tracks)
    notes += ExportSound.levelNotes(sounds, of: reader.tracks)
    if !processing.isEmpty, let aperture = CleanAperture.stored(in: session.location, track) {
      notes.append(
        ExportNote(
          .dropped, "clean aperture",
          "clean aperture of \(aperture.shortText) dropped: filters change the pictures"))
    }
    notes += [Self.displayNote(settings, session.edit.processing)].compactMap(\.self)
    if scan == nil { notes += Self.scanNotes(track, picture) }
    let color = settings.color ?? picture.color
    notes += Self.colorNotes(color)
    notes += Self.containerNotes(session, track, picture)
    notes += [
      Self.decodeOrderNote(reader.containerName, track, first: beginning.first)
    ].compactMap(\.self)
    notes += Self.editNotes(reader, among: [track.id] + sounds.map(\.trackID))
    if session.edit.color == nil {
      let (frame, stream) = (beginning.first.sideData, track.sideData)
      notes += Self.unknownColorNotes(
        frame.unknownColorCodes.isEmpty ? stream.unknownColorCodes : frame.unknownColorCodes, color)
    }
  }

  /// True where a source's pictures may come with captions.
  static func mayHaveCaptions(_ codecName: String, _ first: PictureSideData) -> Bool {
    CaptionCollector.codecs.contains(codecName) || first.captions != nil
  }

  /// How the movie is written.
  ///
  /// - Parameter copiesFrames: True for frames that were encoded before, into a movie that nobody sees before it
  ///   is complete.
  static func configuration(
    _ session: AssetExportSession, copiesFrames: Bool
  ) -> AssetWriter.Configuration {
    var configuration = AssetWriter.Configuration()
    configuration.overwritePolicy = session.overwritePolicy
    configuration.takesChecksums = session.writesSidecar
    // One task feeds all tracks in the file's order, so that none can wait for another. What is
    // ahead goes to the disk, not to memory.
    configuration.interleavingLimit = 86_400
    // What is a gap and what another part of the source, the timeline has judged.
    configuration.maximumGap = 86_400
    guard copiesFrames else { return configuration }
    // In order of time to the sample, so that the file does not depend on who was faster.
    configuration.interleavingWindow = 86_400
    // One that was not completed is made again, of parts that are still there.
    configuration.synchronizesFragments = false
    return configuration
  }

  /// How the pictures are encoded.
  package static func settings(
    _ session: AssetExportSession, _ track: AssetTrack, _ beginning: ExportFeed.Beginning,
    codec: VideoCodecType, scan: FieldOrder?, processing: PictureProcessing
  ) -> VideoOutputSettings {
    let picture = beginning.picture.buffer
    let edit = session.edit
    var settings = VideoOutputSettings(
      codec: codec, width: picture.width, height: picture.height,
      frameRate: beginning.timing.movieRate, encoder: session.encoder)
    settings.encoderThreads = session.encoderThreads
    settings.name = track.title
    settings.language = track.language
    // Filters have taken them into account.
    if processing.isEmpty {
      settings.fieldOrder = scan
      settings.pixelAspectRatio = edit.pixelAspectRatio
      settings.cleanAperture = CleanAperture.stored(in: session.location, track)
    }
    if let color = edit.color,
      picture.color.primaries != color.primaries
        || picture.color.transferFunction != color.transferFunction
    {
      settings.color = color.with(range: picture.color.range)
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

  // MARK: What will be different

  private static func notes(
    _ reader: AssetReader, _ track: AssetTrack, codec: VideoCodecType, _ facts: SourceMetadata,
    isTurned: Bool, isColorNamed: Bool
  ) -> [ExportNote] {
    var notes: [ExportNote] = []
    if track.hasAlpha, !codec.is4444 {
      notes.append(
        ExportNote(
          .dropped, "alpha",
          "alpha channel dropped: \(codec.displayName) has none; "
            + "encode in ProRes 4444 to keep it"))
    }
    if track.isAlphaPremultiplied, codec.is4444 {
      notes.append(
        ExportNote(
          .assumed, "alpha",
          "the source's colors are multiplied by its alpha already, and are encoded as they are: the movie does not "
            + "say so, and editors take its alpha for straight; tell them that it is premultiplied")
      )
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
    if track.isMirrored, !isTurned {
      notes.append(
        ExportNote(.dropped, "mirroring", "mirroring dropped: the movie shows it as coded"))
    }
    let extras = reader.tracks.filter { $0.mediaType == .video && $0.id != track.id }
    notes += extras.map {
      ExportNote(
        .dropped, "track",
        "video track \(reader.tracks.number(of: $0)) of the source "
          + "\(words([$0.codecName, $0.language], title: $0.title)) dropped: one is encoded")
    }
    notes += reader.contents.otherTracks.map {
      let words = words([$0.codecName, $0.language], title: $0.title)
      return ExportNote(
        .dropped, "track", "\($0.kind) track\(words.isEmpty ? "" : " \(words)") dropped")
    }
    if !facts.dropped.isEmpty {
      notes.append(
        ExportNote(.dropped, "metadata", "tags dropped: " + facts.dropped.joined(separator: ", ")))
    }
    let latinTags = reader.contents.latinTags
    if !latinTags.isEmpty {
      notes.append(
        ExportNote(
          .assumed, "metadata",
          "tags whose texts are not UTF-8 taken for Latin-1: \(latinTags.joined(separator: ", "))"))
    }
    if facts.lacksTimeZone {
      notes.append(
        ExportNote(
          .assumed, "date", "the source's date has no time zone; the movie's header has it as UTC"))
    }
    if let rate = reader.contents.assumedRate {
      notes.append(
        ExportNote(
          .assumed, "rate", "the source has no times; \(rate) frames a second are taken"))
    }
    // A color that is named takes the place of what the files say.
    notes += reader.contents.remarks.filter { !isColorNamed || $0.subject != "color" }.map {
      ExportNote($0.isLoss ? .dropped : .assumed, $0.subject, $0.message)
    }
    if let text = track.timecodeText, track.timecode == nil {
      notes.append(
        ExportNote(
          .dropped, "timecode", "timecode \(text) dropped: it does not count at the frame rate"))
    }
    return notes
  }

  /// What tells a track of a source from others, in parentheses; empty for neither facts nor a title.
  static func words(_ facts: [String?], title: String?) -> String {
    let name = title?.split(whereSeparator: \.isNewline).joined(separator: " ") ?? ""
    let short = name.count > titleLimit ? name.prefix(titleLimit) + "\u{2026}" : name[...]
    let words = (facts + [short.isEmpty ? nil : "'\(short)'"]).compactMap(\.self)
    return words.isEmpty ? "" : "(\(words.joined(separator: ", ")))"
  }

  /// Characters of a title that are told: nothing bounds what a file has for one.
  static let titleLimit = 100

  /// Sound that does not belong to the pictures.
  private static func programNotes(_ reader: AssetReader, _ track: AssetTrack) -> [ExportNote] {
    func program(_ track: AssetTrack) -> String {
      track.programs.sorted().map { "\($0)" }.joined(separator: ", ")
    }
    return ExportSound.strangers(in: reader, to: track).map { number, sound in
      ExportNote(
        .dropped, "track",
        "audio track \(number) of the source \(words([sound.codecName, sound.language], title: sound.title)) "
          + "dropped: it is of program \(program(sound)), the pictures are of program \(program(track)); "
          + "choose audio tracks by number to keep it")
    }
  }

  /// What rates, and what the pictures' files say of themselves, come to.
  private static func timeNotes(
    _ session: AssetExportSession, _ track: AssetTrack, _ timing: ExportTiming, hasSound: Bool
  ) -> [ExportNote] {
    var notes: [ExportNote] = []
    if let conform = session.edit.conformRate, let rate = timing.sourceRate, rate != conform {
      notes.append(
        ExportNote(
          .changed, "rate",
          "each frame is shown at \(conform) in place of \(rate)"
            + (hasSound ? "; the sound is played as fast" : "")))
    }
    if let rate = timing.shownRate, let movie = timing.movieRate, rate != movie {
      notes.append(
        ExportNote(
          .changed, "rate",
          "\(rate) frames a second brought to \(movie)"
            + (session.edit.processing.frameRate == nil
              ? ": a frame of each field" : ": frames repeated or left out")))
    }
    if track.sourceFormatName.contains("f32") || track.sourceFormatName.contains("f16") {
      notes.append(
        ExportNote(
          .changed, "range",
          "values below 0 and above 1 are cut off, and those that are no numbers become 0 "
            + "(\(track.sourceFormatName))"))
    }
    return notes
  }

  private static func delayNotes(
    _ reader: AssetReader, _ track: AssetTrack, _ sounds: [ExportSound]
  ) -> [ExportNote] {
    sounds.enumerated().compactMap { number, sound in
      reader.tracks.first { $0.id == sound.trackID }.flatMap {
        EncoderDelay.note(
          $0, unit: track.timeUnit, in: reader.containerName, of: "audio track \(number + 1): ")
      }
    }
  }

  /// How the movie's timecode counts, where that is another way than the source's.
  private static func countingNote(
    _ session: AssetExportSession, _ timing: ExportTiming
  ) -> ExportNote? {
    guard session.startTimecode == nil, let source = timing.sourceTimecodeFormat,
      let start = timing.startTimecode, source.isDropFrame != start.format.isDropFrame
    else { return nil }
    func name(_ format: TimecodeFormat) -> String {
      "\(format.isDropFrame ? "drop-frame" : "non-drop") at \(format.frameRate)"
    }
    return ExportNote(
      .changed, "timecode",
      "the source's timecode is \(name(source)), the movie's \(name(start.format)), from \(start) on"
    )
  }

  /// What a movie says of the display and the light of its source where it shows other pictures.
  static func displayNote(
    _ settings: VideoOutputSettings, _ processing: PictureProcessing
  ) -> ExportNote? {
    guard processing.lut != nil,
      settings.masteringDisplay != nil || settings.contentLightLevel != nil
    else { return nil }
    return ExportNote(
      .assumed, "display",
      "the mastering display and the light levels are the source's, and what the look-up table makes of the "
        + "pictures may not fit them")
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

extension PictureProcessing {
  /// True where pixels come of several of the source, or chroma of luma.
  fileprivate var mixesPixels: Bool {
    lut != nil || quarterTurns % 2 != 0 || (scaling.map { $0.fitting != .crop } ?? false)
  }
}
