import MovieExport
import RawPhoto
import VideoRecorder

/// The progress line of an encode: frames, speed, bytes, time left.
struct ExportLine: Sendable {
  private let began = ContinuousClock.now

  /// The line, at an instant of the clock.
  func text(
    _ progress: AssetExportSession.Progress, now: ContinuousClock.Instant = .now
  ) -> String {
    let seconds = (now - began).seconds
    var parts = ["frame \(progress.frames)" + (progress.totalFrames.map { " of \($0)" } ?? "")]
    let speed = seconds > 0.5 ? Double(progress.frames) / seconds : 0
    if speed > 0, !progress.isFinishing {
      parts.append("\(Quantity.number(speed, 1)) per second")
    }
    parts.append(Quantity.bytes(progress.fileBytes))
    if progress.isFinishing {
      parts.append("finishing the file")
    } else if let total = progress.totalFrames, speed > 0 {
      parts.append(Quantity.timeLeft(Double(max(total - progress.frames, 0)) / speed))
    }
    return parts.joined(separator: "  ")
  }
}

/// The progress line of a row of photos.
enum PhotoLine {
  /// Tells each warning once, except those that were told already.
  static func warn(_ photos: [[PhotoFileSummary]], after told: [String] = []) {
    var told = Set(told)
    for file in photos.joined() {
      for warning in file.warnings where told.insert(warning).inserted { Console.note(warning) }
    }
  }

  /// The line while a photo is made.
  static func text(
    _ step: PhotoSession.Step, _ number: Int, of count: Int, _ taken: [PhotoFileSummary],
    since began: ContinuousClock.Instant
  ) -> String {
    var parts = ["photo \(number) of \(count)", text(step)]
    let done = number - 1
    guard done > 0 else { return parts.joined(separator: "  ") }
    let seconds = (ContinuousClock.now - began).seconds
    parts.append("\(Quantity.seconds(seconds / Double(done))) each")
    parts.append(Quantity.bytes(taken.reduce(0) { $0 + Int64($1.fileSize) }))
    parts.append(Quantity.timeLeft(seconds / Double(done) * Double(count - done)))
    return parts.joined(separator: "  ")
  }

  private static func text(_ step: PhotoSession.Step) -> String {
    switch step {
    case .exposing: "exposing"
    case .processing: "developing and compressing"
    case .writing(let path): "writing \(path)"
    }
  }
}

extension Duration {
  /// The whole in seconds.
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
