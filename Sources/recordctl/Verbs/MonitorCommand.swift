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
      "Monitors and controls a recorder in the terminal.",
    discussion: """
      The recorder is a `recordctl channel` or a `recordctl record --control`. Shows its state, \
      figures, audio levels and a waveform. Keys: Enter starts a take; s pressed twice stops it; x \
      continues in a new movie; m marks the current frame, with a note; b switches standby on or \
      off; q ends the monitor but not the recorder.

      If standard output is not a terminal, or the terminal has no cursor (TERM=dumb), keys are \
      ignored and a line is printed on each change of state, on each alarm, and once a second \
      while a take is recorded.
      """)

  @Argument(help: "Path of the recorder's socket.", completion: .file())
  var socket: String

  @Flag(inversion: .prefixedNo, help: "Show the video waveform.")
  var waveform = true

  @Flag(help: "Ignore all keys except q.")
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
