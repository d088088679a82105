import Logging
import RecorderControl

/// Decides what the log says about a channel's recorder: that it is connected, has a problem, or is away, and
/// why. Each is logged once, however often it recurs.
struct ConnectionLog {
  /// A line of the log.
  struct Line: Hashable {
    var isFault: Bool
    var text: String
  }

  /// The last logged line.
  private var reported: Line?

  /// The line to log for a status; nil for none.
  mutating func line(of status: ChannelStatus) -> Line? {
    guard let line = Self.line(of: status), line != reported else { return nil }
    reported = line
    return line
  }

  private static func line(of status: ChannelStatus) -> Line? {
    switch (status.connection, status.recorder) {
    case (.away, _):
      let reason = status.message ?? "looking for it again"
      return Line(
        isFault: reason != RecorderChannel.endedHere,
        text: "channel \(status.name): no recorder: \(reason)")
    // Not while it starts, because it may still fail to open the device, and end.
    case (.connected, let recorder?) where ![.starting, .ended].contains(recorder.state):
      let isOther = status.notes.contains(RecorderChannel.difference)
      let faults = [isOther ? RecorderChannel.difference : nil, recorder.message].compactMap(\.self)
      return Line(
        isFault: !faults.isEmpty,
        text: (["channel \(status.name): its recorder is process \(recorder.processID)"] + faults)
          .joined(separator: "; "))
    case (.connecting, _), (.connected, _): return nil
    }
  }

  /// Tells a log until the task is cancelled.
  static func keep(of channel: RecorderChannel, _ logger: Logger) async {
    var log = Self()
    for await update in channel.updates {
      guard case .status(let status) = update, let line = log.line(of: status) else { continue }
      logger.log(level: line.isFault ? .warning : .info, "\(line.text)")
    }
  }
}
