import AssetReader
package import AssetWriter
import MediaCore
import QuickTime

extension ExportFeed {
  /// True if data is missing from the source or damaged.
  package var isDamaged: Bool {
    account.isDamaged || otherGaps > 0 || audio.isDamaged || strays.note != nil
      || loneFields != nil
  }

  /// The number of gaps that the account does not know. At each join of parts, every track may seem
  /// to have a gap.
  private var otherGaps: Int {
    max(0, damage.count - timeline.repairs.joins * reader.selectedTracks.count)
  }

  /// The notes on what was found during the export.
  package func notes(_ report: AssetWriter.Report) -> [ExportNote] {
    var notes = account.notes(of: session, fieldOrder: fieldOrder, otherGaps: otherGaps)
    notes += [strays.note, loneFields?.note].compactMap(\.self)
    let repairs = timeline.repairs
    notes += Self.repairNotes(repairs)
    notes += [Self.crowding(repairs, rate: track.frameRate)].compactMap(\.self)
    if endsBeforeOut {
      notes.append(
        ExportNote(.changed, "out", "the source ends before the out point; so does the movie"))
    }
    notes += [
      repetition(report), rateConversion, lostChapters(report), Self.lateCaptions(report.captions),
    ].compactMap(\.self)
    // If a frame limit was reached, frames beyond it were read.
    if !reachedLimit {
      notes += [Self.captionsOutside(report.captions)].compactMap(\.self)
    }
    notes += [captionsWithoutTrack].compactMap(\.self)
    for (index, track) in report.audio.enumerated() {
      notes += audioNotes(ofAudio: index, samplesOfSilence: track.samplesOfSilence)
    }
    return notes
  }

  /// Notes on corrected times.
  private static func repairNotes(_ repairs: SourceTimeline.Repairs) -> [ExportNote] {
    var notes: [ExportNote] = []
    if repairs.joins > 0 {
      notes.append(
        ExportNote(
          .repaired, "timestamps",
          "the source's timestamps restart at \(repairs.joins) "
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

  /// The note on frames repeated to keep the movie's rate constant.
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

  /// Notes on one of the movie's audio tracks.
  private func audioNotes(ofAudio index: Int, samplesOfSilence: Int64) -> [ExportNote] {
    var notes: [ExportNote] = []
    let subject = "audio track \(index + 1): "
    let omitted = omittedSamples(ofAudio: index)
    if omitted > 0 {
      notes.append(
        ExportNote(
          .dropped, "audio",
          "\(subject)\(omitted) "
            + "\(omitted == 1 ? "sample" : "samples") before the first frame left out"))
    }
    let undecoded = audio.undecodedCount(ofAudio: index)
    if undecoded > 0 {
      notes.append(
        ExportNote(
          .dropped, "audio",
          "\(subject)\(undecoded) \(undecoded == 1 ? "packet does" : "packets do") "
            + "not decode, and \(undecoded == 1 ? "is" : "are") left out"))
    }
    notes += [
      audio.layoutChange(ofAudio: index)?.note(of: subject),
      excess(ofAudio: index).flatMap { ExportNote.clipping($0, of: subject) },
    ].compactMap(\.self)
    if samplesOfSilence > 0 {
      notes.append(
        ExportNote(
          .changed, "audio",
          "\(subject)\(samplesOfSilence) samples of silence fill gaps"))
    }
    return notes
  }

  /// The note on frames that come faster than the source's frame rate has slots for. Another frame
  /// rate of the movie would not keep them, because they are dropped earlier.
  static func crowding(_ repairs: SourceTimeline.Repairs, rate: FrameRate?) -> ExportNote? {
    guard repairs.framesDropped > 0 else { return nil }
    let frames = repairs.framesDropped == 1 ? "frame" : "frames"
    let slots = "more than the frame rate\(rate.map { " of \($0)" } ?? "") has slots for"
    var message = "\(repairs.framesDropped) \(frames) dropped: \(slots)"
    if let step = repairs.shortestStep?.seconds, step > 0 {
      // Keeps an integer rate from being rounded up.
      let most = Int((1 / step - 1e-6).rounded(.up))
      message +=
        "; there are up to \(most) per second: to keep them, convert the source to that rate first, for example with "
        + "ffmpeg -r \(most)"
    }
    return ExportNote(.dropped, "frames", message)
  }

  /// The note on captions that came after their frame, or after later captions, had been written.
  static func lateCaptions(_ account: AssetWriter.Report.MetadataTrack?) -> ExportNote? {
    guard let late = account?.samplesLate, late > 0 else { return nil }
    return ExportNote(
      .dropped, "captions",
      "captions of \(late) \(late == 1 ? "frame" : "frames") dropped: they arrived too late to be written"
    )
  }

  /// The note on captions without a frame in the movie.
  static func captionsOutside(_ account: AssetWriter.Report.MetadataTrack?) -> ExportNote? {
    guard let count = account?.samplesOutside else { return nil }
    return ExportNote(
      .dropped, "captions",
      "captions of \(count) \(count == 1 ? "frame" : "frames") dropped: they are for times before the "
        + "movie's first frame or after its last one")
  }

  /// The note on captions that were not expected.
  private var captionsWithoutTrack: ExportNote? {
    let count = captions.unplacedCount
    guard count > 0 else { return nil }
    return ExportNote(
      .dropped, "captions",
      "captions of \(count) \(count == 1 ? "frame" : "frames") dropped: none were "
        + "expected of \(track.codecName)")
  }

  /// The note on chapters after the last frame, if the movie ends with the source.
  private func lostChapters(_ report: AssetWriter.Report) -> ExportNote? {
    guard session.edit.end == nil, session.maximumFrameCount == nil, !wasCancelled,
      let length = report.video.first?.duration
    else { return nil }
    let lost = chapters.filter { $0.start.seconds >= length }
    guard !lost.isEmpty else { return nil }
    return ExportNote(
      .dropped, "chapters",
      "chapters after the last frame dropped: "
        + lost.map {
          "\($0.title.isEmpty ? "without a title" : $0.title) at \($0.start.seconds.text(decimals: 3)) s"
        }
        .joined(separator: ", "))
  }

  /// Samples of a movie's audio track before the first frame, except those that an in point cuts
  /// off.
  func omittedSamples(ofAudio index: Int) -> Int { audio.samplesBefore(ofAudio: index) }

  /// The clipped samples of a movie's audio track.
  func excess(ofAudio index: Int) -> AudioExcess? { audio.excess(ofAudio: index) }
}
