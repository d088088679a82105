import VideoRecorder

/// A recording in words.
enum RecordingText {
  /// Incidents that are told one by one.
  private static let incidentLimit = 10

  /// The progress line: time, frames, drops, queue, disk, peak.
  static func line(_ progress: RecordingProgress) -> String {
    var parts = [
      progress.isPaused ? "paused" : "rec", clock(progress.duration), "\(progress.frames) frames",
      "\(progress.dropped) dropped",
    ]
    if progress.repeated > 0 { parts.append("\(progress.repeated) repeated") }
    if progress.damaged > 0 { parts.append("\(progress.damaged) damaged") }
    parts.append("queue \(progress.queue)/\(progress.queueDepth)")
    parts.append(Quantity.bytes(progress.fileSize))
    if let left = progress.secondsLeft { parts.append("disk \(Int(left / 60)) min") }
    parts.append("peak " + (progress.audioPeak.map { "\(Quantity.number($0, 1)) dB" } ?? "-"))
    return parts.joined(separator: "  ")
  }

  /// The report.
  static func text(_ report: RecordingReport) -> String {
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
    table.add("frames", frames(report.frames))
    for sound in report.sound { table.add("sound", Self.sound(sound)) }
    table.add("ended", report.error ?? reason(report.end))
    var lines = [table.text]
    for incident in report.incidents.prefix(incidentLimit) { lines.append(Self.incident(incident)) }
    let more = report.incidents.count + report.incidentsOmitted - incidentLimit
    if more > 0 { lines.append("and \(more) incidents more; --json lists them") }
    return lines.joined(separator: "\n")
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
      + "\(frames.damaged) damaged; queue at most \(frames.longestQueue) of \(frames.queueDepth)"
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

  private static func clock(_ seconds: Double) -> String {
    let whole = Int(seconds)
    func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(pad(whole / 3600)):\(pad(whole / 60 % 60)):\(pad(whole % 60))"
  }
}
