import AssetReader
import AssetWriter
import MediaCore
import QuickTime

/// What an export drops, changes or assumes compared with its source, as far as is known from the
/// first frame.
struct ExportDifferences {
  let setup: ExportSetup
  let beginning: ExportFeed.Beginning
  let facts: SourceMetadata
  /// The settings of the encoded video.
  let settings: VideoOutputSettings

  init(
    _ setup: ExportSetup, _ beginning: ExportFeed.Beginning, _ facts: SourceMetadata,
    _ settings: VideoOutputSettings
  ) {
    (self.setup, self.beginning, self.facts, self.settings) = (setup, beginning, facts, settings)
  }

  var session: AssetExportSession { setup.session }
  var track: AssetTrack { setup.track }
  /// The first frame for the encoder.
  var frame: PixelBuffer { beginning.frame.buffer }
  private var reader: AssetReader { setup.reader }
  private var timing: ExportTiming { beginning.timing }

  /// All notes, in the order of their output.
  var notes: [ExportNote] {
    let tracks = reader.tracks
    let groups: [[ExportNote]] = [
      codecNotes, orientationNotes, otherTrackNotes, metadataNotes, readerNotes,
      timecodeJumpNotes, track.timecode == nil ? Self.timecodeNotes(track.timecodeText) : [],
      session.edit.audio == .all ? programNotes : [],
      [
        ExportNote.chroma(
          of: track, in: setup.codec, isResampled: setup.processing.mixesPixels)
      ].compactMap(\.self),
      frameTimecodeNotes,
      [ExportNote.chromaSiting(frame.details)].compactMap(\.self),
      rateNotes, floatNotes, [countingNote].compactMap(\.self), delayNotes,
      ExportAudio.fieldNotes(setup.audioTracks, of: reader),
      ExportAudio.markNotes(setup.audioTracks, of: tracks),
      ExportAudio.levelNotes(setup.audioTracks, of: tracks),
      apertureNotes, [Self.displayNote(settings, session.edit.processing)].compactMap(\.self),
      scanNotes, colorNotes, containerNotes,
      [decodeOrderNote(reader.containerName)].compactMap(\.self),
      Self.editNotes(reader, among: [track.id] + setup.audioTracks.map(\.trackID)),
      unknownColorNotes,
    ]
    return groups.flatMap(\.self)
  }

  // MARK: Frames

  /// Notes on alpha and chroma that the codec cannot hold.
  private var codecNotes: [ExportNote] {
    var notes: [ExportNote] = []
    let codec = setup.codec
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
          "the source's colors are multiplied by its alpha already, and are encoded unchanged: the movie cannot state "
            + "this, and editors take its alpha for straight; set it to premultiplied there")
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
    return notes
  }

  /// Notes on rotation and mirroring that the movie does not keep.
  private var orientationNotes: [ExportNote] {
    var notes: [ExportNote] = []
    if track.rotation % 90 != 0 {
      notes.append(
        ExportNote(
          .dropped, "rotation",
          "rotation by \(track.rotation) degrees dropped: not a multiple of 90"))
    }
    if track.isMirrored, session.edit.rotation != .apply {
      notes.append(
        ExportNote(.dropped, "mirroring", "mirroring dropped: the movie shows it as coded"))
    }
    return notes
  }

  /// Notes on floating-point video, which exceeds a movie's range.
  private var floatNotes: [ExportNote] {
    guard track.sourceFormatName.contains("f32") || track.sourceFormatName.contains("f16") else {
      return []
    }
    return [
      ExportNote(
        .changed, "range",
        "values below 0 and above 1 are clipped, and those that are not numbers become 0 "
          + "(\(track.sourceFormatName))")
    ]
  }

  /// A note on a clean aperture that is dropped because of filters.
  private var apertureNotes: [ExportNote] {
    guard !setup.processing.isEmpty,
      let aperture = CleanAperture.stored(in: session.location, track)
    else { return [] }
    return [
      ExportNote(
        .dropped, "clean aperture",
        "clean aperture of \(aperture.shortText) dropped: filters change the frames")
    ]
  }

  /// A note on HDR metadata that may not fit after a look-up table.
  static func displayNote(
    _ settings: VideoOutputSettings, _ processing: VideoProcessing
  ) -> ExportNote? {
    guard processing.lut != nil,
      settings.masteringDisplay != nil || settings.contentLightLevel != nil
    else { return nil }
    return ExportNote(
      .assumed, "display",
      "the mastering display and the light levels are the source's; they may not match the frames after "
        + "the look-up table")
  }

  /// Notes on video that may be interlaced but does not state its field order.
  private var scanNotes: [ExportNote] {
    guard setup.scan == nil, frame.fieldOrder == .progressive else { return [] }
    if track.isMarkedInterlaced {
      return [
        ExportNote(
          .assumed, "scan",
          "the source says that it is interlaced, but not which field is first; taken as progressive; "
            + "name the field order, or have it detected")
      ]
    }
    let interlacedHeights: Set = [480, 486, 512, 576, 608, 1080, 1088]
    guard !track.statesFieldOrder,
      interlacedHeights.contains(frame.height), (track.frameRate?.framesPerSecond ?? 60) < 31
    else { return [] }
    return [
      ExportNote(
        .assumed, "scan",
        "the source does not say its field order; taken as progressive; "
          + "name the field order, or have it detected"
      )
    ]
  }

  // MARK: Tracks and audio

  /// Notes on tracks that are not in the movie.
  private var otherTrackNotes: [ExportNote] {
    let extras = reader.tracks.filter { $0.mediaType == .video && $0.id != track.id }
    return extras.map {
      ExportNote(
        .dropped, "track",
        "video track \(reader.tracks.number(of: $0)) of the source "
          + "\(Self.words([$0.codecName, $0.language], title: $0.title)) dropped: one is encoded")
    }
      + reader.contents.otherTracks.map {
        let words = Self.words([$0.codecName, $0.language], title: $0.title)
        return ExportNote(
          .dropped, "track", "\($0.kind) track\(words.isEmpty ? "" : " \(words)") dropped")
      }
  }

  /// Notes on audio of other programs than the video's.
  private var programNotes: [ExportNote] {
    func program(_ track: AssetTrack) -> String {
      track.programs.sorted().map { "\($0)" }.joined(separator: ", ")
    }
    return ExportAudio.strangers(in: reader, to: track).map { number, audio in
      ExportNote(
        .dropped, "track",
        "audio track \(number) of the source \(Self.words([audio.codecName, audio.language], title: audio.title)) "
          + "dropped: it belongs to program \(program(audio)), the video to program \(program(track)); "
          + "choose audio tracks by number to keep it")
    }
  }

  /// Notes on unknown encoder delays.
  private var delayNotes: [ExportNote] {
    setup.audioTracks.enumerated().compactMap { number, audio in
      reader.tracks.first { $0.id == audio.trackID }.flatMap {
        EncoderDelay.note(
          $0, unit: track.timeUnit, in: reader.containerName, of: "audio track \(number + 1): ")
      }
    }
  }

  /// A description of a track, in parentheses; empty without facts and title.
  static func words(_ facts: [String?], title: String?) -> String {
    let name = title?.split(whereSeparator: \.isNewline).joined(separator: " ") ?? ""
    let short = name.count > titleLimit ? name.prefix(titleLimit) + "\u{2026}" : name[...]
    let words = (facts + [short.isEmpty ? nil : "'\(short)'"]).compactMap(\.self)
    return words.isEmpty ? "" : "(\(words.joined(separator: ", ")))"
  }

  /// The most characters of a title in messages, because a file's titles can be of any length.
  static let titleLimit = 100

  // MARK: What the source says of itself

  /// Notes on tags that the movie has no key for or whose meaning is uncertain.
  private var metadataNotes: [ExportNote] {
    var notes: [ExportNote] = []
    if !facts.dropped.isEmpty {
      notes.append(
        ExportNote(.dropped, "metadata", "tags dropped: " + facts.dropped.joined(separator: ", ")))
    }
    let latinTags = reader.contents.latinTags
    if !latinTags.isEmpty {
      notes.append(
        ExportNote(
          .assumed, "metadata",
          "tags that are not UTF-8 read as Latin-1: \(latinTags.joined(separator: ", "))"))
    }
    if facts.lacksTimeZone {
      notes.append(
        ExportNote(
          .assumed, "date", "the source's date has no time zone; the movie's header gives it as UTC"
        ))
    }
    return notes
  }

  /// Notes on what the reader had to assume or leaves out.
  private var readerNotes: [ExportNote] {
    let rate = reader.contents.assumedRate.map {
      ExportNote(
        .assumed, "rate", "the source has no timestamps; \($0) frames per second are assumed")
    }
    // If the user names the color, what the files state does not matter.
    let remarks = reader.contents.remarks.filter {
      session.edit.color == nil || $0.subject != "color"
    }
    return [rate].compactMap(\.self)
      + remarks.map { ExportNote($0.isLoss ? .dropped : .assumed, $0.subject, $0.message) }
  }

  // MARK: Time

  /// Notes on discontinuities of the source's timecode.
  private var timecodeJumpNotes: [ExportNote] {
    guard let first = track.timecodeJumps.first else { return [] }
    let count = track.timecodeJumps.count
    return [
      ExportNote(
        .changed, "timecode",
        "the source's timecode jumps at \(first.seconds.text(decimals: 3)) s"
          + (count == 1 ? "" : ", the first of \(count) such places")
          + ": the movie's counts without jumps from its first frame")
    ]
  }

  /// A note on a timecode of the first frame that is dropped, unless it was reported for the track.
  private var frameTimecodeNotes: [ExportNote] {
    let text = beginning.first.sideData.timecodeText
    guard timing.startTimecode == nil, text != track.timecodeText else { return [] }
    return Self.timecodeNotes(text)
  }

  private static func timecodeNotes(_ text: String?) -> [ExportNote] {
    guard let text else { return [] }
    return [
      ExportNote(
        .dropped, "timecode", "timecode \(text) dropped: it does not count at the frame rate")
    ]
  }

  /// Notes on frame rates that differ from the source's.
  private var rateNotes: [ExportNote] {
    var notes: [ExportNote] = []
    if let conform = session.edit.conformRate, let rate = timing.sourceRate, rate != conform {
      notes.append(
        ExportNote(
          .changed, "rate",
          "each frame is shown at \(conform) instead of \(rate)"
            + (setup.audioTracks.isEmpty ? "" : "; the audio is played as fast")))
    }
    // If frames are chosen, the note comes at the end, with their numbers.
    if session.edit.processing.frameRate == nil, let rate = timing.shownRate,
      let movie = timing.movieRate, rate != movie
    {
      notes.append(
        ExportNote(
          .changed, "rate",
          "\(rate) frames per second converted to \(movie): a frame of each field"))
    }
    return notes
  }

  /// A note on a movie timecode that counts differently from the source's.
  private var countingNote: ExportNote? {
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
}

extension VideoProcessing {
  /// True if pixels are mixed from several source pixels, or chroma is made from luma.
  fileprivate var mixesPixels: Bool {
    lut != nil || quarterTurns % 2 != 0 || (scaling.map { $0.fitting != .crop } ?? false)
  }
}
