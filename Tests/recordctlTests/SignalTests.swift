import Foundation
import TestSupport
import Testing

/// Signals sent to a process that records or encodes.
@Suite(.serialized) struct SignalTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var movie: String { folder.path("take.mov") }

  private func record(_ more: String...) -> [String] {
    [
      "record", "--device", "pattern", "--size", "640x360", "--rate", "25", "--codec", "proxy",
      "-o", movie,
    ] + more
  }

  private func start(_ arguments: [String], shell: String? = nil) throws -> Child {
    try Child(
      arguments, shell: shell, output: .file(folder.path("report")),
      errors: .file(folder.path("messages")))
  }

  private func waitForRecording() throws {
    try waitUntil("the movie grows") { Recordctl.size(movie) > 10_000 }
  }

  private var messages: String {
    (try? String(contentsOfFile: folder.path("messages"), encoding: .utf8)) ?? ""
  }

  private func isWhole(_ name: String = "take.mov") throws -> Bool {
    try Recordctl.isValid(folder.path(name))
  }

  @Test func signals_without_a_meaning_are_harmless() throws {
    let child = try start(record("--duration", "75f"))
    try waitForRecording()
    let realTime: [Int32] = [34, 40, 64]
    for number in [
      SIGUSR2, SIGALRM, SIGPIPE, SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO, SIGTTIN, SIGTTOU,
    ] + realTime {
      child.send(number)
    }
    #expect([.exited(0), .exited(3)].contains(child.wait()), "\(messages)")
    #expect(try isWhole())
    #expect(try Recordctl(["verify", movie]).output.contains("75, of which 75 decode"))
  }

  @Test(
    arguments: TestRun.arguments(
      [SIGINT, SIGTERM, SIGHUP], extended: [SIGQUIT, SIGXCPU, SIGPWR]))
  func termination_signals_leave_a_complete_movie(number: Int32) throws {
    let child = try start(record())
    try waitForRecording()
    // Twice in a row, because a shell and a closing terminal both send it.
    child.send(number)
    child.send(number)
    #expect([.exited(0), .exited(3)].contains(child.wait()), "\(messages)")
    #expect(try isWhole())
  }

  @Test func signals_ignored_at_launch_stay_ignored() throws {
    let child = try start(record("--duration", "75f"), shell: "trap '' INT QUIT HUP;")
    try waitForRecording()
    for number in [SIGINT, SIGQUIT, SIGHUP] { child.send(number) }
    #expect([.exited(0), .exited(3)].contains(child.wait()), "\(messages)")
    #expect(try Recordctl(["verify", movie]).output.contains("75, of which 75 decode"))
  }

  @Test func a_take_refuses_sigtstp_and_reports_sigstop() throws {
    let child = try start(record("--duration", "100f"))
    try waitForRecording()
    child.send(SIGTSTP)
    try waitUntil("the refusal is reported") {
      messages.contains("a recording cannot be suspended")
    }
    child.send(SIGSTOP)
    Thread.sleep(forTimeInterval: 1.5)
    child.send(SIGCONT)
    #expect(child.wait() == .exited(3), "\(messages)")
    #expect(messages.contains(/the process was stopped for \d+\.\d+ s by SIGSTOP/), "\(messages)")
    let report = try String(contentsOfFile: folder.path("report"), encoding: .utf8)
    #expect(report.contains("dropped: "))
    let stop = try #require(
      report.firstMatch(of: /process stopped by SIGSTOP: for (\d+\.\d+) s from frame (\d+)/),
      "\(report)")
    #expect(try #require(Double(stop.output.1)) >= 1.4)
    #expect((1..<100).contains(try #require(Int(stop.output.2))))
    #expect(try Recordctl(["verify", movie]).output.contains("100, of which 100 decode"))
  }

  @Test(
    arguments: TestRun.arguments(
      [SIGSEGV, SIGABRT], extended: [SIGILL, SIGTRAP, SIGBUS, SIGFPE]))
  func a_crash_names_the_movie_and_the_recovery_command(number: Int32) throws {
    let child = try start(record())
    // Wait for the first fragments.
    try waitUntil("the movie grows") { Recordctl.size(movie) > 100_000 }
    child.send(number)
    #expect(child.wait() == .signalled(number))
    let lines = messages.split(separator: "\n")
    let first = try #require(lines.first)
    #expect(first.hasPrefix("recordctl: ended by SIG"), "\(messages)")
    #expect(first.contains("recordctl recover '\(movie)'"), "\(messages)")
    // A backtrace: modules and offsets.
    #expect(lines.dropFirst().contains { $0.hasPrefix("  recordctl+0x") }, "\(messages)")
    let recovery = try Recordctl(["recover", movie])
    #expect(recovery.status == 0 && recovery.output.contains("recovered"), "\(recovery.errors)")
  }

  @Test(.timeLimit(.minutes(3)))
  func hooks_continue_after_a_hangup_if_the_recording_does() throws {
    let (began, may) = (folder.path("began"), folder.path("may end"))
    let hook = try folder.writeProgram(
      "#!/bin/sh\n: > '\(began)'\nuntil [ -e '\(may)' ]; do sleep 0.05; done\necho ended\n", "hook")
    let preset = try folder.write(
      "[library]\nsave = true\nfolder = \"\(folder.path("Library"))\"\nhooks = [\"\(hook.path)\"]\n",
      "saving.toml")
    let child = try start(
      record("--preset", preset.path, "--duration", "5f", "--on-hangup", "continue"))
    try waitUntil("the hook runs") { FileManager.default.fileExists(atPath: began) }
    child.send(SIGHUP)
    try Data().write(to: URL(filePath: may))
    #expect([.exited(0), .exited(3)].contains(child.wait()), "\(messages)")
    #expect(!messages.contains("ended by the interruption"), "\(messages)")
  }

  @Test func a_crash_between_takes_names_no_movie() throws {
    let child = try start(record("--pre-roll", "1s"))
    try waitUntil("the recorder is on standby") { messages.contains("standing by") }
    child.send(SIGABRT)
    #expect(child.wait() == .signalled(SIGABRT))
    #expect(messages.contains("ended by SIGABRT") && !messages.contains("recover"))
  }
}

/// Pipes without data, where a file is expected.
@Suite(.serialized) struct StalledInputTests {
  private let folder: TemporaryFolder
  private let pipe: String

  init() throws {
    folder = try TemporaryFolder()
    pipe = folder.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
  }

  @Test func a_pipe_is_refused_as_preset_and_device() throws {
    try Recordctl(["presets", "show", pipe]).expectRefusal(naming: pipe, "regular file")
    try Recordctl(["record", "--preset", pipe, "-o", folder.path("a.mov")])
      .expectRefusal(naming: pipe, "regular file")
    try Recordctl(["record", "--device", "file:" + pipe, "-o", folder.path("a.mov")])
      .expectRefusal(naming: pipe, "regular file")
  }

  @Test(arguments: [true, false])
  func an_encode_waiting_for_a_pipe_can_be_terminated(isStandardInput: Bool) throws {
    let holder = open(pipe, O_RDWR | O_CLOEXEC)
    defer { close(holder) }
    let child = try Child(
      ["encode", isStandardInput ? "-" : pipe, "-o", folder.path("a.mov")],
      input: isStandardInput ? .descriptor(holder) : .null,
      errors: .file(folder.path("messages")))
    try waitUntil("the command handles SIGTERM") { child.hears(SIGTERM) }
    child.send(SIGTERM)
    #expect(child.wait(seconds: 30) == .exited(1))
    #expect(folder.contents == ["messages", "pipe"])
  }

  @Test func a_crash_during_an_encode_names_its_movie() throws {
    let holder = open(pipe, O_RDWR | O_CLOEXEC)
    defer { close(holder) }
    let (movie, messages) = (folder.path("a.mov"), folder.path("messages"))
    let child = try Child(["encode", pipe, "-o", movie], errors: .file(messages))
    var bytes = Array("YUV4MPEG2 W64 H64 F25:1 Ip A1:1 C422\nFRAME\n".utf8)
    bytes += [UInt8](repeating: 128, count: 64 * 64 * 2)
    bytes += Array("FRAME\n".utf8)
    #expect(write(holder, bytes, bytes.count) == bytes.count)
    // The sidecar is written after the movie's name is registered for messages.
    try waitUntil("the movie is started") {
      FileManager.default.fileExists(atPath: movie + ".json")
    }
    child.send(SIGABRT)
    #expect(child.wait() == .signalled(SIGABRT))
    let said = try String(contentsOfFile: messages, encoding: .utf8)
    #expect(said.contains("recordctl recover '\(movie)'"), "\(said)")
  }

  @Test func a_terminated_encode_of_a_stalled_pipe_keeps_its_frames() throws {
    let holder = open(pipe, O_RDWR | O_CLOEXEC)
    defer { close(holder) }
    let child = try Child(["encode", pipe, "-o", folder.path("a.mov")])
    let frame = [UInt8](repeating: 128, count: 64 * 64 * 2)
    var bytes = Array("YUV4MPEG2 W64 H64 F25:1 Ip A1:1 C422\n".utf8)
    for _ in 0..<3 { bytes += Array("FRAME\n".utf8) + frame }
    #expect(write(holder, bytes, bytes.count) == bytes.count)
    try waitUntil("the movie is started") { Recordctl.size(folder.path("a.mov")) > 0 }
    Thread.sleep(forTimeInterval: 0.5)
    child.send(SIGTERM)
    #expect(child.wait(seconds: 30) == .exited(4))
    let verified = try Recordctl(["verify", folder.path("a.mov")])
    #expect(verified.output.contains("3, of which 3 decode"), "\(verified.output)")
  }
}
