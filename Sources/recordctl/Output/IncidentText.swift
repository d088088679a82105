import Foundation
import VideoRecorder

/// What happened to the frames of a recording, in lines.
enum IncidentText {
  /// Lines at most; the rest is counted.
  private static let lineLimit = 10

  /// A line for each incident, or run of alike ones, and one that says where the others are listed.
  static func lines(of report: RecordingReport) -> [String] {
    let runs = merged(report.incidents)
    let reported = runs.prefix(lineLimit)
    let more =
      report.incidents.count + report.incidentsOmitted - reported.reduce(0) { $0 + $1.incidents }
    var lines = reported.map { line($0.incident) }
    if more > 0 { lines.append("and \(Quantity.count(more, "more incident"))" + listed(report)) }
    return lines
  }

  /// Incidents of one kind and reason that follow each other without a frame between are one.
  static func merged(
    _ incidents: [RecordingReport.Incident]
  ) -> [(incident: RecordingReport.Incident, incidents: Int)] {
    var runs: [(incident: RecordingReport.Incident, incidents: Int)] = []
    // The latest run of each kind: a drop and the repeat that fills it alternate.
    var latest: [String: Int] = [:]
    for incident in incidents {
      let key = "\(incident.kind) \(incident.reason?.rawValue ?? "")"
      if let index = latest[key], follows(incident, runs[index].incident) {
        runs[index].incident.count += incident.count
        runs[index].incidents += 1
      } else {
        latest[key] = runs.count
        runs.append((incident, 1))
      }
    }
    return runs
  }

  private static func follows(
    _ incident: RecordingReport.Incident, _ last: RecordingReport.Incident
  ) -> Bool {
    switch incident.kind {
    // Counted in samples, at the frame where they are missing.
    case .audioLost: incident.frame == last.frame
    case .dropped, .repeated, .damaged:
      incident.frame == last.frame || incident.frame == last.frame + Int64(last.count)
    default: false
    }
  }

  private static func line(_ incident: RecordingReport.Incident) -> String {
    let count =
      switch incident.kind {
      case .dropped, .repeated, .damaged: Quantity.count(incident.count, "frame") + " "
      case .audioLost: Quantity.count(incident.count, "sample") + " "
      default: incident.duration.map { "for \(Quantity.seconds($0)) " } ?? ""
      }
    return "\(ReportWords.incident(incident.kind)): \(count)from frame \(incident.frame)"
      + (incident.timecode.map { " (\($0))" } ?? "")
      + (incident.reason.map { ", \(ReportWords.reason($0))" } ?? "")
  }

  /// Says where to find the incidents that are not listed, because a finished take cannot be repeated with `--json`.
  private static func listed(_ report: RecordingReport) -> String {
    let sidecar = report.movie.path + ".json"
    guard report.segments.count < 2 else { return "; each movie's sidecar lists its own" }
    return FileManager.default.fileExists(atPath: sidecar) ? "; \(sidecar) lists all" : ""
  }
}
