import Foundation
import MediaCore
import TestSupport
import Testing

@testable import RecorderControl
@testable import recordctl

/// `channel`, `control` and `monitor`, as processes connected by a socket.
@Suite(.timeLimit(.minutes(10))) struct ChannelTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var socket: String { folder.path("a.socket") }

  private func startChannel() throws -> Process {
    let process = try Recordctl.start([
      "channel", "--socket", socket, "--device", "pattern:bars", "--size", "640x360", "--rate",
      "25",
      "--codec", "proxy", "-o", folder.path("c-{take}.mov"),
    ])
    try waitUntil("the channel listens") {
      FileManager.default.fileExists(atPath: socket) || !process.isRunning
    }
    try waitUntil("the channel is idle") {
      try control("status", "--json").output.contains("\"state\":\"idle\"")
    }
    return process
  }

  private func control(_ arguments: String...) throws -> Recordctl {
    try Recordctl(["control", socket] + arguments)
  }

  @Test(.tags(.judges))
  func a_channel_refuses_suspension_and_keeps_its_options_with_another_preset() throws {
    let channel = try startChannel()
    defer { channel.terminate() }
    kill(channel.processIdentifier, SIGTSTP)
    let changed = try control("preset", "1080p25-hq")
    #expect(changed.status == 0, "\(changed.errors)")
    #expect(try control("start").status == 0)
    try waitUntil("a frame is recorded") {
      try control("mark", "one").output.hasPrefix("marked frame")
    }
    #expect(try control("stop").status == 0)
    try waitUntil("the take is complete") {
      try control("status", "--json").output.contains("\"takesFinished\":1")
    }
    let probe = try Judges.probe(folder.path("c-001.mov")).stream("video")
    #expect(probe.width == 640 && probe.codec_tag_string == "apco")
  }

  @Test func a_channel_is_controlled_and_monitored_by_other_processes() async throws {
    let channel = try startChannel()
    defer { channel.terminate() }
    let terminal = try PseudoTerminal(columns: 100)
    let monitor = Process()
    monitor.executableURL = Recordctl.binary
    monitor.arguments = ["monitor", socket]
    monitor.environment = ProcessInfo.processInfo.environment.merging(
      ["TERM": "xterm", "LC_ALL": "C.UTF-8"]) { $1 }
    let descriptor = try terminal.makeStandardInput()
    monitor.standardInput = descriptor
    monitor.standardOutput = descriptor
    monitor.standardError = FileHandle.nullDevice
    try monitor.run()
    try await eventually("levels and waveform are shown") {
      terminal.text.contains("dB") && terminal.text.contains("940 ") && terminal.text.contains("▆")
    }
    terminal.type("\n")
    try await eventually("the monitor shows the take") {
      terminal.text.contains("recording take 1")
    }
    // The first frame may not have arrived yet.
    try await eventually("a frame is marked") {
      try control("mark", "good", "one").output.hasPrefix("marked frame")
    }
    let again = try control("start")
    again.expectRefusal(status: 1, naming: "a take is being recorded")
    terminal.type("s")
    try await eventually("the monitor asks for confirmation") {
      terminal.text.contains("press s again")
    }
    // Press it twice: the first key press expires after some seconds, which may have passed on a busy machine.
    terminal.type("ss")
    try await eventually("the take is complete") { terminal.text.contains("take 1 is complete") }
    terminal.type("q")
    monitor.waitForExit()
    #expect(monitor.terminationStatus == 0 && terminal.isInLineMode)
    #expect(try control("quit").status == 0)
    channel.waitForExit()
    // 3 if the machine was too busy for real time.
    #expect([0, 3].contains(channel.terminationStatus))
    let sidecar = try String(contentsOfFile: folder.path("c-001.mov.json"), encoding: .utf8)
    #expect(sidecar.contains("\"good one\""))
    #expect(!FileManager.default.fileExists(atPath: socket))
  }

  /// Such a terminal would show escape sequences as text.
  @Test(arguments: ["dumb", ""])
  func a_terminal_without_cursor_control_gets_plain_lines(type: String) async throws {
    let server = try ControlServer(path: socket, recorder: IdleRecorder())
    defer { server.stop() }
    let terminal = try PseudoTerminal(columns: 100)
    let monitor = Process()
    monitor.executableURL = Recordctl.binary
    monitor.arguments = ["monitor", socket]
    monitor.environment = ProcessInfo.processInfo.environment.merging(["TERM": type]) { $1 }
    let descriptor = try terminal.makeStandardInput()
    monitor.standardInput = descriptor
    monitor.standardOutput = descriptor
    monitor.standardError = FileHandle.nullDevice
    try monitor.run()
    defer { monitor.terminate() }
    try await eventually("a line shows the state") { terminal.text.contains("idle") }
    #expect(!terminal.text.contains("\u{1B}"), "\(terminal.text)")
  }

  /// An idle recorder.
  private final class IdleRecorder: SteeredRecorder {
    var status: RecorderStatus {
      RecorderStatus(
        state: .idle, isStandingBy: false, isPaused: false, takesFinishing: 0, takesFinished: 0,
        processID: 1)
    }

    func perform(_ command: RecorderCommand, reply: @escaping @Sendable (RecorderReply) -> Void) {
      reply(RecorderReply(status: status))
    }

    func observe(_ observer: (@Sendable (RecorderEvent) -> Void)?) {}
  }

  @Test func a_recording_is_monitored_and_stopped_through_its_socket() async throws {
    let process = try Recordctl.start([
      "record", "--control", socket, "--device", "pattern:bars", "--size", "640x360", "--rate",
      "25",
      "--codec", "proxy", "-o", folder.path("one.mov"),
    ])
    defer { process.terminate() }
    try await eventually("a frame is marked") { try control("mark", "x").status == 0 }
    let start = try control("start")
    start.expectRefusal(status: 1, naming: "one take")
    #expect(try control("split").status == 0)
    let lines = Process()
    lines.executableURL = Recordctl.binary
    lines.arguments = ["monitor", socket]
    let output = try folder.emptyFile("lines")
    lines.standardOutput = try FileHandle(forWritingTo: output)
    lines.standardError = FileHandle.nullDevice
    lines.standardInput = FileHandle.nullDevice
    try lines.run()
    try await eventually("a line reports the take") {
      try String(contentsOf: output, encoding: .utf8).contains("recording take 1")
    }
    #expect(try control("stop").status == 0)
    process.waitForExit()
    lines.waitForExit()
    #expect([0, 3].contains(process.terminationStatus))
    #expect(!(try String(contentsOf: output, encoding: .utf8)).contains("\u{1B}"))
  }

  @Test func an_unusable_library_is_reported_before_a_channel_starts() throws {
    let place = try folder.emptyFile("Library")
    try Recordctl([
      "channel", "--socket", socket, "--device", "pattern:bars", "--size", "640x360", "--rate",
      "25", "--library", place.path, "-o", folder.path("c-{take}.mov"),
    ]).expectRefusal(naming: place.path)
  }

  @Test func invalid_control_commands_are_refused_in_one_line() throws {
    try control("status").expectRefusal(naming: "no recorder at", "a.socket")
    try control("dance").expectRefusal(naming: "dance", "start")
    try control("standby", "maybe").expectRefusal(naming: "on or off")
    try control("stop", "now").expectRefusal(naming: "now")
    try control("stop", "--scene", "1").expectRefusal(naming: "--scene")
    try control("start", "--at", "noon").expectRefusal(naming: "noon")
    try Recordctl(["monitor", socket]).expectRefusal(naming: "no recorder at")
    try Recordctl([
      "channel", "--socket", folder.path(String(repeating: "x", count: 120)),
      "--device", "pattern",
    ]).expectRefusal(naming: "107")
  }
}
