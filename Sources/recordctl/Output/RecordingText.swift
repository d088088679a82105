import AssetWriter
import MediaCore
import QuickTime
import Takes
import VideoRecorder

/// A recording in words.
enum RecordingText {
  /// What happened between two movies of a take, for whoever watches.
  static func event(_ event: RecordingSeries.Event) -> String {
    switch event {
    case .interrupted(let report):
      "\(report.error?.message ?? ReportWords.end(report.end)); \(report.movie.path) is complete, "
        + "\(Quantity.count(report.movie.frameCount, "frame")); waiting for the source, Ctrl-C ends"
    case .resumed(let path): "the source is back: recording \(path)"
    case .noticed(let text): text
    }
  }

  /// The report, and those of the recordings that continued it.
  static func series(_ report: RecordingReport) -> [String] {
    Array(([report] + report.continuations).map(lines).joined(separator: [""]))
  }

  static func lines(_ report: RecordingReport) -> [String] {
    let movie = report.movie
    var table = TextTable()
    table.add("file", "\(movie.path), \(Quantity.bytes(movie.fileSize))")
    table.add(
      "source",
      "\(report.source.deviceName), \(report.source.format)"
        + (report.source.tier.map { ", tier \($0.rawValue) (\(ReportWords.tier($0, in: report)))" }
          ?? ""))
    table.add(
      "video",
      "\(movie.codecName) \(movie.width)x\(movie.height), \(movie.frameRate), "
        + "\(movie.fieldOrder.displayName), color \(movie.color), \(movie.encoder)")
    if movie.masteringDisplay != nil || movie.contentLight != nil {
      table.add(
        "HDR",
        [
          movie.masteringDisplay.map { "mastering display \($0)" },
          movie.contentLight.map { "content light \($0)" },
        ].compactMap(\.self).joined(separator: ", "))
    }
    table.add(
      "timecode",
      [movie.startTimecode, ReportWords.lastTimecode(of: movie)].compactMap { $0 }
        .joined(separator: " to "))
    table.add(
      "recorded",
      "\(Quantity.count(movie.frameCount, "frame")), \(Quantity.seconds(movie.duration))")
    if report.segments.count > 1 {
      for segment in report.segments { table.add("movie \(segment.number)", Self.segment(segment)) }
    }
    if report.segments.count == 1, let sum = report.segments.first?.checksum {
      table.add("xxHash64", sum)
    }
    for line in copies(report) { table.add("copy", line) }
    table.add("frames", frames(report))
    for audio in report.audio { table.add("audio", Self.audio(audio)) }
    if let latency = report.latency {
      table.add("latency", "to encoded \(Self.latency(latency.encoded))")
      table.add("", "to written \(Self.latency(latency.written))")
    }
    if let clock = report.clock { table.add("clock", clock.summary) }
    if !report.threads.isEmpty { table.add("threads", threads(report.threads)) }
    table.add("ended", report.error?.message ?? ReportWords.end(report.end))
    return table.lines + IncidentText.lines(of: report)
  }

  /// What became of the second files: the folders where all are whole, and each that is not.
  private static func copies(_ report: RecordingReport) -> [String] {
    let copies = report.segments.flatMap { $0.copies ?? [] }
    var lines: [String] = []
    for copy in copies where copy.isWhole {
      let line = "complete in \(copy.path.parentPath)"
      if !lines.contains(line) { lines.append(line) }
    }
    return lines
      + copies.filter { !$0.isWhole }.map {
        "\($0.path) is NOT complete" + ($0.message.map { ": \($0)" } ?? "")
      }
  }

  private static func segment(_ segment: Segment) -> String {
    "\(segment.path.pathName), from frame \(segment.firstFrame)"
      + (segment.startTimecode.map { " (\($0))" } ?? "")
      + ", \(Quantity.count(segment.frameCount, "frame")), \(Quantity.bytes(segment.fileSize))"
      + (segment.isValid ? "" : ", NOT complete") + "; \(why(segment.end))"
  }

  private static func why(_ end: Segment.End) -> String {
    switch end {
    case .durationReached: "cut by length"
    case .sizeReached: "cut by size"
    case .fileSizeLimitReached: "cut before the file system's maximum file size"
    case .requested: "cut on request"
    case .takeEnded: "end of the take"
    case .writingFailed: "writing failed"
    }
  }

  private static func frames(_ report: RecordingReport) -> String {
    let frames = report.frames
    let due = ReportWords.framesDue(report)
    // Each loss once: where and why a frame was lost is one thing.
    let reasons = frames.droppedByReason.sorted { $0.key < $1.key }
      .map { "\($0.value) \(ReportWords.reason($0.key))" }
    return "\(due) due, \(frames.received) received, \(frames.dropped) dropped"
      + (reasons.isEmpty ? "" : " (\(reasons.joined(separator: "; ")))")
      + ", \(frames.repeated) repeated, "
      + "\(frames.damaged) damaged; queue at most \(frames.longestQueue) of \(frames.queueDepth) "
      + "(\(Quantity.number(frames.queueDuration, 1)) s)"
  }

  private static func latency(_ times: Distribution) -> String {
    "\(Quantity.milliseconds(times.mean)) mean, \(Quantity.milliseconds(times.percentile999)) for "
      + "999 of 1000, \(Quantity.milliseconds(times.maximum)) at most"
  }

  private static func threads(_ threads: [ThreadScheduling]) -> String {
    threads.map { "\($0.thread) \($0)" }.joined(separator: ", ")
  }

  private static func audio(_ audio: RecordingReport.Audio) -> String {
    let peaks = audio.peaks.map { $0.map { Quantity.number($0, 1) } ?? "-" }
      .joined(separator: " ")
    return "\(audio.source.deviceName), \(audio.sampleRate) Hz, \(audio.channelCount) channels"
      + (audio.channelLayout.map { " (\($0))" } ?? "") + ", "
      + "\(audio.written) samples, \(audio.lost) lost"
      + (audio.silence > 0 ? ", \(audio.silence) of silence instead of missing ones" : "")
      + ", peaks \(peaks) dB"
  }
}
