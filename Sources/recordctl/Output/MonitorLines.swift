import Foundation
import MediaCore
import RecorderControl
import Synchronization
import VideoRecorder

/// A recorder as plain lines, for where a screen cannot be drawn.
struct MonitorLines {
  let client: ControlClient

  /// What of a recorder is told at once when it changes.
  struct Remark: Equatable {
    private let state: String
    private let message: String?
    private let hasSignal: Bool
    private let lostPlace: String?

    init(_ status: RecorderStatus) {
      state = ControlText.state(status)
      message = status.message
      hasSignal = status.source?.hasSignal ?? true
      lostPlace = status.progress?.lostPlace.map(ControlText.lostPlace)
    }
  }

  /// Prints until the recorder ends or a signal comes.
  func run() async throws {
    let isOver = Atomic(false)
    let interruption = Interruption {
      isOver.store(true, ordering: .releasing)
      client.close()
    }
    defer { withExtendedLifetime(interruption) {} }
    let events = client.events
    let telling = Task {
      for await event in events where Self.isReported(event) {
        Console.print(ControlText.line(event))
      }
    }
    defer { telling.cancel() }
    do throws(ControlError) { try await subscribe() } catch { return Console.note(error.message) }
    var last: Remark?
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
      let remark = Remark(status)
      if remark != last || status.state == .recording && now - printed >= 1 {
        Console.print(Self.line(status))
        (last, printed) = (remark, now)
      }
      guard status.state != .ended, Console.resultFailure == nil else { return }
      try? await Task.sleep(for: .milliseconds(200))
    }
  }

  /// Has the recorder tell of alarms and notices.
  private func subscribe() async throws(ControlError) {
    let reply = try await client.send(.monitor(MonitorSubscription(alarms: true)))
    if let error = reply.error { Console.note("no alarms are reported: \(error.message)") }
    let events = try await client.send(.events(true))
    if let error = events.error { Console.note("no notices are reported: \(error.message)") }
  }

  /// True for what no state tells.
  static func isReported(_ event: RecorderEvent) -> Bool {
    event.event == .alarm || event.event == .notice
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
