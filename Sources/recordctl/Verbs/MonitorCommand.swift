import ArgumentParser
import Foundation
import MediaCore
import RecorderControl
import Takes

/// `recordctl monitor`
struct MonitorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract:
      "Shows a recorder in the terminal: state, figures, levels, waveform; and steers it by keys.",
    discussion: """
      The recorder is a `recordctl channel`, or a `recordctl record --control`. Keys: Enter starts a take; \
      s twice stops it; x goes on in a new movie; m marks the present frame, with a note; b stands by or \
      idles; q ends the monitor, and not the recorder.

      Where standard output is no terminal, or one without a cursor (TERM=dumb), it obeys no keys, and prints a \
      line whenever the state changes, at alarms, and once a second while a take is recorded.
      """)

  @Argument(help: "The recorder's socket.", completion: .file())
  var socket: String

  @Flag(inversion: .prefixedNo, help: "Show the waveform of the picture.")
  var waveform = true

  @Flag(help: "Obey no keys but q.")
  var viewOnly = false

  func run() async throws {
    let client = try ControlClient(path: socket)
    let terminal = Terminal(STDOUT_FILENO, ProcessInfo.processInfo.environment)
    if terminal.hasCursor {
      try await MonitorSession(
        client: client, terminal: terminal, showsWaveform: waveform, isViewOnly: viewOnly
      ).run()
    } else {
      try await MonitorLines(client: client).run()
    }
  }
}
