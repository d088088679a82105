import MediaCore
import RecorderControl
import VideoRecorder

/// A recorder's messages as text.
enum ControlText {
  /// The reply to a command.
  static func lines(_ reply: RecorderReply) -> [String] {
    if let marker = reply.marker {
      return ["marked frame \(marker.frame)" + (marker.timecode.map { ", \($0)" } ?? "")]
    }
    if let take = reply.take { return ["take \(take.number): recording \(take.path)"] }
    return reply.status.map(lines) ?? []
  }

  /// The reply to a command in one line: its result with any warning, or why it was refused.
  static func line(_ reply: RecorderReply) -> String {
    if let error = reply.error { return error.message }
    return ((reply.notes ?? []) + lines(reply).prefix(1)).joined(separator: "; ")
  }

  /// The status of a recorder.
  static func lines(_ status: RecorderStatus) -> [String] {
    var table = TextTable()
    table.add("state", state(status))
    if let message = status.message { table.add("", message) }
    if let source = status.source {
      table.add(
        "source",
        "\(source.deviceName), \(source.format)" + (source.hasSignal ? "" : ", NO SIGNAL"))
      table.add("preset", "\(source.preset), \(source.codec)")
    }
    if let progress = status.progress, status.state == .recording {
      table.add("time", "\(clock(progress.duration))\(progress.timecode.map { ", \($0)" } ?? "")")
      table.add(
        "frames",
        "\(progress.frames), \(progress.dropped) dropped, \(progress.repeated) repeated, "
          + "\(progress.damaged) damaged")
      table.add("queue", "\(progress.queue) of \(progress.queueDepth)")
      if let place = progress.lostPlace {
        table.add("", lostPlace(place) + (place.message.map { ": \($0)" } ?? ""))
      }
    }
    if let left = status.secondsLeft { table.add("disk", "\(minutes(left)) min") }
    if let clock = status.clock { table.add("clock", clock.summary) }
    table.add(
      "takes",
      "\(status.takesFinished) complete"
        + (status.takesFinishing > 0 ? ", \(status.takesFinishing) being completed" : ""))
    return table.lines
  }

  /// The state, with what belongs to it.
  static func state(_ status: RecorderStatus) -> String {
    switch status.state {
    case .starting: "starting"
    case .idle: "idle"
    case .standingBy: "standing by"
    case .armed:
      "start set for \(status.armed.map { $0.timecode ?? $0.date } ?? "?")"
    case .recording:
      (status.isPaused ? "paused" : "recording")
        + (status.take.map { " take \($0.number), \($0.path)" } ?? "")
    case .finishing: "finishing" + (status.take.map { " take \($0.number)" } ?? "")
    case .awaitingSource:
      "waiting for the source"
        + (status.armed.map { ", start set for \($0.timecode ?? $0.date)" } ?? "")
    case .ended: "ended"
    }
  }

  /// An event.
  static func line(_ event: RecorderEvent) -> String {
    let text =
      switch event.event {
      case .greeting: "recorder \(event.recorder ?? "")"
      case .state: event.status.map(state) ?? ""
      case .takeStarted: event.take.map { "take \($0.number) begins: \($0.path)" } ?? ""
      case .takeFinished: event.finished.map(finished) ?? ""
      case .marker:
        event.marker.map { "marker at frame \($0.frame)" + ($0.note.isEmpty ? "" : ": \($0.note)") }
          ?? ""
      case .split: "a new movie starts"
      case .notice: event.message ?? ""
      case .alarm:
        event.alarm.map { "\($0.name.rawValue) \($0.isPresent ? "began" : "ended")" } ?? ""
      case .levels, .picture: ""
      }
    return "\(event.date)  \(text)"
  }

  private static func finished(_ take: RecorderEvent.FinishedTake) -> String {
    let verdict =
      switch take.outcome {
      case .complete, .imperfect: "is complete"
      case .endedEarly: "ended early"
      case .failed: "failed"
      }
    let reason = take.message.map { " (\($0))" } ?? ""
    return "take \(take.number) \(verdict)\(reason): \(take.path), \(take.frameCount) frames, "
      + "\(take.dropped) dropped, \(take.repeated) repeated, \(take.damaged) damaged"
      + (take.omitted.map { "; \($0) movies and markers are in the sidecars only" } ?? "")
  }

  /// Which disk of two a take has lost.
  static func lostPlace(_ place: RecordingProgress.LostPlace) -> String {
    place.isSecond ? "SECOND DISK LOST" : "FIRST DISK LOST"
  }

  /// `00:01:02`; more than two digits from 100 hours on.
  static func clock(_ seconds: Double) -> String {
    let whole = max(Int(saturating: seconds), 0)
    func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(pad(whole / 3600)):\(pad(whole / 60 % 60)):\(pad(whole % 60))"
  }

  /// Whole minutes.
  static func minutes(_ seconds: Double) -> Int { Int(min(max(seconds / 60, 0), 99_999)) }
}
