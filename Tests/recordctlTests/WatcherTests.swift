import Foundation
import TestSupport
import Testing

/// Output to terminals, pipes and files that fail while a take is recorded.
@Suite(.serialized) struct WatcherTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var movie: String { folder.path("take.mov") }

  private func record(_ more: String...) -> [String] {
    [
      "record", "--device", "pattern", "--size", "640x360", "--rate", "25", "--codec", "proxy",
      "-o", movie,
    ] + more
  }

  private func waitForRecording() throws {
    try waitUntil("the movie grows") { Recordctl.size(movie) > 10_000 }
  }

  private func expectWhole(frames: Int? = nil, at place: SourceLocation = #_sourceLocation) throws {
    let run = try Recordctl(["verify", movie, "--json"])
    #expect(run.status == 0, "\(run.output)\(run.errors)", sourceLocation: place)
    guard let frames else { return }
    let count = (try run.json() as? [String: Any])?["framesDecoded"] as? Int
    #expect(count == frames, sourceLocation: place)
  }

  private func text(_ name: String) -> String {
    (try? String(contentsOfFile: folder.path(name), encoding: .utf8)) ?? ""
  }

  // MARK: Terminals

  @Test func a_terminal_hangup_ends_the_take_cleanly() throws {
    let terminal = try PseudoTerminal()
    let child = try Child(
      record(), input: .terminal(terminal.path), output: .terminal(terminal.path),
      errors: .terminal(terminal.path))
    try waitForRecording()
    try waitUntil("the line is drawn") { terminal.text.contains("rec 00:00") }
    terminal.hangUp()
    // The report cannot be printed, so the status is never 0.
    #expect([.exited(5), .exited(3)].contains(child.wait()))
    try expectWhole()
  }

  @Test(arguments: [true, false])
  func a_take_continues_after_a_hangup_under_nohup_or_on_request(nohup: Bool) throws {
    let terminal = try PseudoTerminal()
    let child = try Child(
      record("--duration", "75f") + (nohup ? [] : ["--on-hangup", "continue"]),
      shell: nohup ? "trap '' HUP;" : nil, input: .terminal(terminal.path),
      output: .file(folder.path("report")), errors: .terminal(terminal.path))
    try waitForRecording()
    terminal.hangUp()
    child.send(SIGHUP)
    #expect([.exited(0), .exited(3)].contains(child.wait()))
    try expectWhole(frames: 75)
  }

  @Test func a_stopped_terminal_does_not_stop_the_take() throws {
    let terminal = try PseudoTerminal()
    let child = try Child(
      record("--duration", "75f"), input: .terminal(terminal.path),
      output: .file(folder.path("report")), errors: .terminal(terminal.path))
    try waitForRecording()
    terminal.type("\u{13}")
    #expect([.exited(0), .exited(3)].contains(child.wait()))
    try expectWhole(frames: 75)
    #expect(text("report").contains("75 frames"))
    terminal.hangUp()
  }

  @Test func the_line_fits_a_narrowed_terminal() throws {
    let terminal = try PseudoTerminal(columns: 100)
    let child = try Child(
      record(), input: .terminal(terminal.path), output: .file(folder.path("report")),
      errors: .terminal(terminal.path))
    try waitUntil("the line is drawn in full") {
      terminal.lines.contains { $0.contains("take.mov") && $0.count > 60 }
    }
    #expect(terminal.lines.contains { $0.contains("dB") })
    terminal.resize(columns: 20)
    let seen = terminal.lines.count
    // The first of these lines may have been drawn for the old width.
    try waitUntil("lines are drawn again") { terminal.lines.count > seen + 6 }
    let narrow = terminal.lines.dropFirst(seen + 2).filter { $0.contains("rec") }
    #expect(!narrow.isEmpty && narrow.allSatisfy { $0.count < 20 }, "\(narrow)")
    child.send(SIGINT)
    _ = child.wait()
    terminal.hangUp()
  }

  @Test func a_background_job_is_not_stopped_by_terminal_access() throws {
    let terminal = try PseudoTerminal()
    let log = folder.path("messages")
    // A terminal that stops background writers (tostop), and a shell with job control.
    let script = """
      stty tostop; set -m; "$0" "$@" --pre-roll 1s & job=$!
      while ! grep -q standing "\(log)"; do sleep 0.1; done; sleep 1; kill -USR2 $job; wait $job
      echo "ended $?" > "\(folder.path("end"))"; exit;
      """
    let child = try Child(
      record("--duration", "25f"),
      shell: script, input: .terminal(terminal.path),
      output: .terminal(terminal.path), errors: .file(log))
    #expect(child.wait() == .exited(0))
    #expect(["ended 0\n", "ended 3\n"].contains(text("end")), "\(text("messages"))")
    try expectWhole()
    terminal.hangUp()
  }

  @Test func the_standby_line_explains_enter_which_starts_the_take() throws {
    let terminal = try PseudoTerminal()
    let child = try Child(
      record("--pre-roll", "1s", "--duration", "25f"), input: .terminal(terminal.path),
      output: .file(folder.path("report")), errors: .terminal(terminal.path))
    try waitUntil("the effect of Enter is shown") {
      terminal.lines.contains { $0.contains("standing by  Enter starts") }
    }
    #expect(!terminal.text.contains("queue"))
    terminal.type("\n")
    #expect([.exited(0), .exited(3)].contains(child.wait()))
    try expectWhole()
    terminal.hangUp()
  }

  @Test func colors_and_blocks_are_used_only_if_supported() throws {
    for (environment, hasBlocks) in [
      ([:], true), (["LC_ALL": "C"], false), (["TERM": "dumb"], false),
    ] {
      let terminal = try PseudoTerminal(columns: 120)
      let child = try Child(
        [
          "record", "--device", "pattern?drop=0.5&seed=1", "--size", "640x360", "--rate", "25",
          "--codec", "proxy", "--overwrite", "--bell", "-o", movie,
        ], input: .terminal(terminal.path), output: .null, errors: .terminal(terminal.path),
        environment: environment)
      try waitUntil("the line shows a loss") {
        terminal.lines.contains { $0.contains(/[1-9] dropped.* dB/) }
      }
      #expect(terminal.text.contains { "▁▂▃▄▅▆▇█".contains($0) } == hasBlocks)
      #expect(terminal.text.contains("\u{1B}[1;31m") == (environment["TERM"] != "dumb"))
      try waitUntil("the bell rings") { terminal.text.contains("\u{07}") }
      child.send(SIGINT)
      _ = child.wait()
      terminal.hangUp()
    }
  }

  // MARK: Results that cannot be printed

  @Test func an_unprintable_result_is_an_error_but_the_take_is_complete() throws {
    let ends = try pipeEnds()
    close(ends.read)
    for (number, output) in [Child.Stream.file("/dev/full"), .descriptor(ends.write), .closed]
      .enumerated()
    {
      let errors = folder.path("errors-\(number)")
      let child = try Child(
        record("--duration", "10f", "--overwrite").map {
          $0 == "pattern" ? "pattern?pace=none" : $0
        }, output: output, errors: .file(errors))
      #expect(child.wait() == .exited(5))
      #expect(
        text("errors-\(number)").contains(
          "recordctl: the result could not be written to standard output"))
      try expectWhole(frames: 10)
    }
    close(ends.write)
  }

  @Test func a_worse_status_overrides_an_unprintable_result() throws {
    let child = try Child(["presets", "show", "none-such"], output: .file("/dev/full"))
    #expect(child.wait() == .exited(2))
    #expect(try Child(["--help"], output: .file("/dev/full")).wait() == .exited(5))
    #expect(try Child(["devices", "--json"], output: .closed).wait() == .exited(5))
  }

  @Test func closed_descriptors_are_not_reused_by_the_movie() throws {
    let child = try Child(
      record("--duration", "25f"), input: .closed, output: .closed, errors: .closed)
    #expect([.exited(5), .exited(3)].contains(child.wait()))
    try expectWhole(frames: 25)
  }

  @Test(arguments: [false, true])
  func an_unresponsive_reader_does_not_delay_the_take(isNonBlocking: Bool) throws {
    let ends = try pipeEnds()
    // Fill the pipe to the last byte.
    _ = fcntl(ends.write, F_SETFL, O_NONBLOCK)
    let filling = [UInt8](repeating: 0, count: 4096)
    while write(ends.write, filling, filling.count) > 0 {}
    while write(ends.write, filling, 1) > 0 {}
    if !isNonBlocking { _ = fcntl(ends.write, F_SETFL, 0) }
    let child = try Child(
      record("--duration", "50f"), output: .file(folder.path("report")),
      errors: .descriptor(ends.write))
    try waitForRecording()
    // Each signal is answered with a note.
    for _ in 0..<20 {
      child.send(SIGTSTP)
      Thread.sleep(forTimeInterval: 0.01)
    }
    #expect([.exited(0), .exited(3)].contains(child.wait()))
    try expectWhole(frames: 50)
    #expect(text("report").contains("50 frames"))
    close(ends.read)
    close(ends.write)
  }

  private func pipeEnds() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
