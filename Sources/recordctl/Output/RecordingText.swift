import AssetWriter
import MediaCore
import VideoRecorder

/// A recording in words.
enum RecordingText {
  /// Incidents that are told one by one.
  private static let incidentLimit = 10

  /// What happened between two movies of a take, for whoever watches.
  static func event(_ event: RecordingSeries.Event) -> String {
    switch event {
    case .interrupted(let report):
      "\(report.error ?? report.end.rawValue); \(report.movie.path) is complete, "
        + "\(report.movie.frameCount) frames; waiting for the source, Ctrl-C ends"
    case .resumed(let path): "the source is back: recording \(path)"
    }
  }

  /// The report, and those of the recordings that continued it.
  static func series(_ report: RecordingReport) -> [String] {
    Array(([report] + report.continuations).map(lines).joined(separator: [""]))
  }

  /// The report.
  static func lines(_ report: RecordingReport) -> [String] {
    let movie = report.movie
    var table = TextTable()
    table.add("file", "\(movie.path), \(Quantity.bytes(movie.fileSize))")
    table.add(
      "source",
      "\(report.source.deviceName), \(report.source.format)"
        + (report.source.tier.map { ", tier \($0.rawValue) (\(report.source.tierName ?? ""))" }
          ?? ""))
    table.add(
      "pictures",
      "\(movie.codecName) \(movie.width)x\(movie.height), \(movie.frameRate), "
        + "\(movie.fieldOrder), colour \(movie.color), \(movie.encoder)")
    table.add(
      "timecode",
      [movie.startTimecode, movie.endTimecode].compactMap { $0 }
        .joined(separator: " to "))
    table.add("recorded", "\(movie.frameCount) frames, \(Quantity.seconds(movie.duration))")
    if report.segments.count > 1 {
      for segment in report.segments { table.add("movie \(segment.number)", Self.segment(segment)) }
    }
    if report.segments.count == 1, let sum = report.segments.first?.checksum {
      table.add("xxHash64", sum)
    }
    table.add("frames", frames(report.frames))
    for sound in report.sound { table.add("sound", Self.sound(sound)) }
    if let latency = report.latency {
      table.add("latency", "to encoded \(Self.latency(latency.encoded))")
      table.add("", "to written \(Self.latency(latency.written))")
    }
    if !report.threads.isEmpty { table.add("threads", threads(report.threads)) }
    table.add("ended", report.error ?? reason(report.end))
    var lines = table.lines
    for incident in report.incidents.prefix(incidentLimit) { lines.append(Self.incident(incident)) }
    let more = report.incidents.count + report.incidentsOmitted - incidentLimit
    if more > 0 { lines.append("and \(more) incidents more; --json lists them") }
    return lines
  }

  private static func segment(_ segment: Segment) -> String {
    let name = segment.path.split(separator: "/").last.map(String.init) ?? segment.path
    return "\(name), from frame \(segment.firstFrame)"
      + (segment.startTimecode.map { " (\($0))" } ?? "")
      + ", \(segment.frameCount) frames, \(Quantity.bytes(segment.fileSize))"
      + (segment.isValid ? "" : ", NOT complete") + "; \(why(segment.end))"
  }

  private static func why(_ end: Segment.End) -> String {
    switch end {
    case .durationReached: "cut by length"
    case .sizeReached: "cut by size"
    case .fileSizeLimitReached: "cut before the largest size that a file may have there"
    case .requested: "cut on request"
    case .takeEnded: "the take's end"
    case .writingFailed: "writing failed"
    }
  }

  private static func reason(_ end: RecordingReport.End) -> String {
    switch end {
    case .stopped: "on request"
    case .maximumDurationReached: "as long as it was to be"
    case .sourceEnded: "with the source"
    default: "\(end)"
    }
  }

  private static func frames(_ frames: RecordingReport.Frames) -> String {
    let reasons = frames.droppedByReason.sorted { $0.key < $1.key }
      .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    return "\(frames.received) received, \(frames.dropped) dropped"
      + (reasons.isEmpty ? "" : " (\(reasons))") + ", \(frames.repeated) repeated, "
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

  private static func sound(_ sound: RecordingReport.Sound) -> String {
    let peaks = sound.peaks.map { $0.map { Quantity.number($0, 1) } ?? "-" }
      .joined(separator: " ")
    return "\(sound.source.deviceName), \(sound.sampleRate) Hz, \(sound.channelCount) channels, "
      + "\(sound.written) samples, \(sound.lost) lost, peaks \(peaks) dB"
  }

  private static func incident(_ incident: RecordingReport.Incident) -> String {
    "\(incident.kind): \(incident.count) from frame \(incident.frame)"
      + (incident.timecode.map { " (\($0))" } ?? "")
      + (incident.reason.map { ", \($0)" } ?? "")
  }
}
