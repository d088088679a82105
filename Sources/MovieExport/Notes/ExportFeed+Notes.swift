import AssetReader
package import AssetWriter
import MediaCore
import QuickTime

extension ExportFeed {
  /// True where the source lacks data, or its data is wrong.
  package var isDamaged: Bool {
    account.isDamaged || otherGaps > 0 || sound.isDamaged || strays.note != nil
  }

  /// Places where the source lacks data that the account does not know. Where parts were joined, each
  /// track may look like one.
  private var otherGaps: Int {
    max(0, damage.count - timeline.repairs.joins * reader.selectedTracks.count)
  }

  /// What was found on the way.
  package func notes(_ report: AssetWriter.Report) -> [ExportNote] {
    var notes = account.notes(of: session, fieldOrder: fieldOrder, otherGaps: otherGaps)
    notes += [strays.note].compactMap(\.self)
    let repairs = timeline.repairs
    notes += Self.repairNotes(repairs)
    notes += [Self.crowding(repairs, rate: track.frameRate)].compactMap(\.self)
    if endsBeforeOut {
      notes.append(
        ExportNote(.changed, "out", "the source ends before the out point; so does the movie"))
    }
    notes += [
      repetition(report), lostChapters(report), Self.lateCaptions(report.captions),
    ].compactMap(\.self)
    // Of more frames than are wanted some are read on the way to the last one.
    if !reachedLimit {
      notes += [Self.captionsOutside(report.captions)].compactMap(\.self)
    }
    notes += [captionsWithoutTrack].compactMap(\.self)
    for (index, track) in report.audio.enumerated() {
      notes += soundNotes(ofSound: index, samplesOfSilence: track.samplesOfSilence)
    }
    return notes
  }

  /// What of the source's times was mended.
  private static func repairNotes(_ repairs: SourceTimeline.Repairs) -> [ExportNote] {
    var notes: [ExportNote] = []
    if repairs.joins > 0 {
      notes.append(
        ExportNote(
          .repaired, "timestamps",
          "the source's clock begins anew at \(repairs.joins) "
            + "\(repairs.joins == 1 ? "place" : "places"); joined without a gap"))
    }
    if repairs.audioSamplesTrimmed > 0 {
      let place = repairs.firstOverlap.map { " from \($0.text(decimals: 3)) s on" } ?? ""
      notes.append(
        ExportNote(
          .repaired, "audio",
          "audio overlaps\(place); \(repairs.audioSamplesTrimmed) "
            + "samples trimmed"))
    }
    if repairs.framesMoved > 0 {
      notes.append(
        ExportNote(
          .repaired, "timestamps",
          "\(repairs.framesMoved) frames come "
            + "faster than the frame rate, and are shown a frame late"))
    }
    return notes
  }

  /// Frames that are shown again, so that the movie's rate is constant.
  private func repetition(_ report: AssetWriter.Report) -> ExportNote? {
    let repeated = report.video.reduce(framesFilled) { $0 + $1.framesRepeated }
    guard repeated > 0 else { return nil }
    return ExportNote(
      .changed, "rate",
      (isDamaged
        ? "frames are missing in the source, or their rate varies; "
        : "frame rate varies in the source; ")
        + "\(repeated) \(repeated == 1 ? "frame" : "frames") repeated"
        + (movieRate.map { ", as the movie has \($0) fps" } ?? ""))
  }

  /// What happened to one of the movie's tracks of sound.
  private func soundNotes(ofSound index: Int, samplesOfSilence: Int64) -> [ExportNote] {
    var notes: [ExportNote] = []
    let subject = "audio track \(index + 1): "
    let leftOut = samplesLeftOut(ofSound: index)
    if leftOut > 0 {
      notes.append(
        ExportNote(
          .dropped, "audio",
          "\(subject)\(leftOut) "
            + "\(leftOut == 1 ? "sample" : "samples") before the first frame left out"))
    }
    let undecoded = sound.undecodedCount(ofSound: index)
    if undecoded > 0 {
      notes.append(
        ExportNote(
          .dropped, "audio",
          "\(subject)\(undecoded) \(undecoded == 1 ? "packet does" : "packets do") "
            + "not decode, and \(undecoded == 1 ? "is" : "are") left out"))
    }
    notes += [
      sound.layoutChange(ofSound: index)?.note(of: subject),
      excess(ofSound: index).flatMap { ExportNote.clipping($0, of: subject) },
    ].compactMap(\.self)
    if samplesOfSilence > 0 {
      notes.append(
        ExportNote(
          .changed, "audio",
          "\(subject)\(samplesOfSilence) samples of silence fill gaps"))
    }
    return notes
  }

  /// Frames that come faster than the source's rate has slots for. Another rate of the movie does not bring them back:
  /// they are left out before.
  static func crowding(_ repairs: SourceTimeline.Repairs, rate: FrameRate?) -> ExportNote? {
    guard repairs.framesDropped > 0 else { return nil }
    let frames = repairs.framesDropped == 1 ? "frame" : "frames"
    let slots = "more than the frame rate\(rate.map { " of \($0)" } ?? "") has slots for"
    var message = "\(repairs.framesDropped) \(frames) dropped: \(slots)"
    if let step = repairs.shortestStep?.seconds, step > 0 {
      // A rate that is a whole number stays one.
      let most = Int((1 / step - 1e-6).rounded(.up))
      message +=
        "; they come up to \(most) a second: to keep them, bring the source to that rate first, for example with "
        + "ffmpeg -r \(most)"
    }
    return ExportNote(.dropped, "frames", message)
  }

  /// Captions that came when their picture was written, and its movie complete, or behind later ones.
  static func lateCaptions(_ account: AssetWriter.Report.MetadataTrack?) -> ExportNote? {
    guard let late = account?.samplesLate, late > 0 else { return nil }
    return ExportNote(
      .dropped, "captions",
      "captions of \(late) \(late == 1 ? "frame" : "frames") dropped: they came too late to be written"
    )
  }

  /// Captions that no frame of the movie is shown with.
  static func captionsOutside(_ account: AssetWriter.Report.MetadataTrack?) -> ExportNote? {
    guard let count = account?.samplesOutside else { return nil }
    return ExportNote(
      .dropped, "captions",
      "captions of \(count) \(count == 1 ? "frame" : "frames") dropped: they are for times before the "
        + "movie's first frame or behind its last one")
  }

  /// Captions of pictures that were not known to have any.
  private var captionsWithoutTrack: ExportNote? {
    let count = captions.unplacedCount
    guard count > 0 else { return nil }
    return ExportNote(
      .dropped, "captions",
      "captions of \(count) \(count == 1 ? "frame" : "frames") dropped: none were "
        + "expected of \(track.codecName)")
  }

  /// Chapters behind the last picture, where the source's end is the movie's.
  private func lostChapters(_ report: AssetWriter.Report) -> ExportNote? {
    guard session.edit.end == nil, session.maximumFrameCount == nil, !wasCancelled,
      let length = report.video.first?.duration
    else { return nil }
    let lost = chapters.filter { $0.start.seconds >= length }
    guard !lost.isEmpty else { return nil }
    return ExportNote(
      .dropped, "chapters",
      "chapters behind the last frame dropped: "
        + lost.map {
          "\($0.title.isEmpty ? "without a title" : $0.title) at \($0.start.seconds.text(decimals: 3)) s"
        }
        .joined(separator: ", "))
  }

  /// Samples before the first frame, of the movie's track of sound, but for those that an in point cuts off.
  func samplesLeftOut(ofSound index: Int) -> Int { sound.samplesBefore(ofSound: index) }

  /// What was clipped of the movie's track of sound.
  func excess(ofSound index: Int) -> SoundExcess? { sound.excess(ofSound: index) }
}
