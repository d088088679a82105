import Foundation
import MediaCore
import RecorderControl
import Synchronization
import VideoRecorder

/// A recorder as plain lines.
struct MonitorLines {
  let client: ControlClient

  /// Prints until the recorder ends or a signal comes.
  func run() async throws {
    let isOver = Atomic(false)
    let interruption = Interruption {
      isOver.store(true, ordering: .releasing)
      client.close()
    }
    defer { withExtendedLifetime(interruption) {} }
    var last = ""
    var printed = 0.0
    while true {
      let status: RecorderStatus
      do throws(ControlError) {
        guard let new = try await client.send(.status).status else { return }
        status = new
      } catch {
        // The end of the recorder, or of this.
        return isOver.load(ordering: .acquiring) ? () : Console.note(error.message)
      }
      let now = ProcessInfo.processInfo.systemUptime
      let state = ControlText.state(status)
      if state != last || status.state == .recording && now - printed >= 1 {
        Console.print(Self.line(status))
        (last, printed) = (state, now)
      }
      guard status.state != .ended, Console.resultFailure == nil else { return }
      try? await Task.sleep(for: .milliseconds(200))
    }
  }

  /// A recorder in a line.
  static func line(_ status: RecorderStatus) -> String {
    var parts = [ControlText.state(status)]
    if let message = status.message { parts.append(message) }
    if status.source?.hasSignal == false { parts.append("NO SIGNAL") }
    if let progress = status.progress, status.state == .recording {
      parts.append(ControlText.clock(progress.duration))
      if let timecode = progress.timecode { parts.append(timecode) }
      parts.append("\(progress.dropped) dropped")
      if let place = progress.lostPlace { parts.append(ControlText.lostPlace(place)) }
      parts.append("queue \(progress.queue)/\(progress.queueDepth)")
      if let left = status.secondsLeft { parts.append("disk \(ControlText.minutes(left)) min") }
    }
    return parts.joined(separator: "  ")
  }
}
