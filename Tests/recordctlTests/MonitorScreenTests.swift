import MediaCore
import Monitor
import Testing

@testable import RecorderControl
@testable import TakeReports
@testable import recordctl

@Suite struct MonitorScreenTests {
  private static func screen(_ state: RecorderStatus.StateName = .recording) -> MonitorScreen {
    var status = RecorderStatus(
      state: state, isStandingBy: false, isPaused: false, takesFinishing: 0, takesFinished: 2,
      source: .init(
        deviceID: "pattern", deviceName: "Pattern", format: "1920x1080 v210", preset: "test",
        codec: "hq", hasSignal: true),
      processID: 1)
    status.take = .init(number: 3, path: "a-003.mov")
    var progress = RecordingProgress()
    progress.duration = 3723
    progress.timecode = "10:00:00:05"
    progress.dropped = 4
    (progress.queue, progress.queueDepth) = (1, 60)
    progress.secondsLeft = 7200
    status.progress = progress
    var screen = MonitorScreen()
    screen.status = status
    screen.levels = [.init(peak: -20, rms: -23, held: -6), .init(peak: nil, clips: 3)]
    return screen
  }

  @Test func times_beyond_a_hundred_hours_are_shown() {
    #expect(ControlText.clock(359_999) == "99:59:59")
    #expect(ControlText.clock(360_000) == "100:00:00")
    #expect(ControlText.clock(36_000_001.9) == "10000:00:01")
    #expect(ControlText.clock(-1) == "00:00:00" && ControlText.clock(.nan) == "00:00:00")
  }

  @Test func the_loss_of_one_of_two_disks_is_shown() throws {
    var screen = Self.screen()
    screen.status?.progress?.lostPlace = .init(path: "b/a.mov", isSecond: false, message: "gone")
    #expect(screen.lines(columns: 100, rows: 24)[2].plain.contains("FIRST DISK LOST"))
    let status = try #require(screen.status)
    #expect(MonitorLines.line(status).contains("FIRST DISK LOST"))
    #expect(ControlText.lines(status).contains { $0.hasSuffix("FIRST DISK LOST: gone") })
  }

  @Test func notes_and_errors_of_a_reply_precede_the_state() {
    var reply = RecorderReply(status: Self.screen(.idle).status)
    #expect(ControlText.line(reply) == "state   idle")
    reply.notes = ["the scheduled start was cancelled"]
    #expect(ControlText.line(reply) == "the scheduled start was cancelled; state   idle")
    reply.error = ErrorSummary(ControlError(.invalidState, "no take is being recorded"))
    #expect(ControlText.line(reply) == "no take is being recorded")
  }

  @Test func important_changes_within_a_state_trigger_a_line() throws {
    let status = try #require(Self.screen(.idle).status)
    func isReported(_ change: (inout RecorderStatus) -> Void) -> Bool {
      var other = status
      change(&other)
      return MonitorLines.Remark(other) != MonitorLines.Remark(status)
    }
    #expect(isReported { $0.message = "the scheduled start failed" })
    #expect(isReported { $0.source?.hasSignal = false })
    #expect(
      isReported { $0.progress?.lostPlace = .init(path: "b", isSecond: true, message: nil) })
    #expect(!isReported { $0.progress?.frames = 7 })
    #expect(
      MonitorLines.isReported(RecorderEvent(.alarm))
        && MonitorLines.isReported(RecorderEvent(.notice)))
    #expect(!MonitorLines.isReported(RecorderEvent(.state)))
  }

  @Test func a_screen_shows_state_figures_and_levels() {
    let lines = Self.screen().lines(columns: 100, rows: 24).map(\.plain)
    #expect(lines[0] == "REC  recording take 3, a-003.mov")
    #expect(lines[1] == "10:00:00:05  elapsed 01:02:03  takes 2")
    #expect(lines[2].contains("4 dropped") && lines[2].contains("queue 1/60"))
    #expect(lines[2].contains("disk 120 min") && !lines[2].contains("LOST"))
    #expect(lines.contains { $0.contains("-20.0 dB") && $0.contains("#") })
    #expect(lines.contains { $0.contains("- dB") && $0.contains("CLIP 3") })
  }

  @Test func between_takes_the_remaining_disk_time_is_shown() throws {
    var screen = Self.screen(.idle)
    screen.status?.progress = nil
    screen.status?.disk = .init(freeSpace: 1 << 30, worstCaseSecondsLeft: 150)
    let part = try #require(screen.lines(columns: 100, rows: 24)[2].parts.first)
    #expect(part.text.hasPrefix("disk 2 min") && part.style == .alarm)
    let status = try #require(screen.status)
    #expect(ControlText.lines(status).contains { $0.hasPrefix("disk") && $0.hasSuffix("2 min") })
  }

  @Test func loudness_is_shown_below_the_levels() {
    var screen = Self.screen()
    var loudness = Loudness(channels: 2, seconds: 61)
    (loudness.momentary, loudness.integrated, loudness.take) = (-22.96, -23.04, 3)
    (loudness.truePeak, loudness.lostFrames) = (-1.5, 480)
    screen.loudness = loudness
    let lines = screen.lines(columns: 120, rows: 24).map(\.plain)
    let line =
      "M -23.0  S -  I -23.0 LUFS  LRA - LU  TP -1.5 dBTP  take 3 00:01:01  480 audio frames not measured"
    #expect(lines.contains(line), "\(lines)")
  }

  @Test(arguments: [(20, 3), (40, 8), (80, 24), (300, 80)]) func a_screen_fits_its_terminal(
    columns: Int, rows: Int
  ) {
    var screen = Self.screen()
    screen.levels = (0..<16).map { _ in .init(peak: -10) }
    screen.waveform = (320, 256, [UInt8](repeating: 9, count: 320 * 256))
    (screen.message, screen.legend) = ("message", "legend")
    let lines = screen.lines(columns: columns, rows: rows)
    #expect(lines.count <= rows && lines.allSatisfy { $0.columns <= columns })
    #expect(lines.last?.plain == "legend")
  }

  @Test func a_waveform_is_drawn_at_its_level_with_labels() {
    var screen = Self.screen(.idle)
    var densities = [UInt8](repeating: 0, count: 4 * 256)
    // The first column is at black, the last at nominal white.
    densities[16 * 4] = 255
    densities[235 * 4 + 3] = 255
    screen.waveform = (4, 256, densities)
    screen.levels = []
    let lines = screen.lines(columns: 14, rows: 30).map(\.plain)
    let black = lines.first { $0.hasPrefix("   64 ") }
    let white = lines.first { $0.hasPrefix("  940 ") }
    #expect(black == "   64 ##      " && white == "  940       ##")
  }

  @Test func faults_are_shown_as_alarms() {
    var screen = Self.screen()
    screen.alarms = ["black", "silence"]
    screen.status?.source?.hasSignal = false
    let parts = screen.lines(columns: 100, rows: 24).flatMap(\.parts).filter { $0.style == .alarm }
    let text = parts.map(\.text).joined(separator: "|")
    #expect(text.contains("4 dropped") && text.contains("NO SIGNAL"))
    #expect(text.contains("BLACK  SILENCE") && text.contains("REC"))
  }

  @Test func faults_are_visible_in_a_small_terminal() {
    var screen = Self.screen()
    screen.status?.take?.path = "a-long-name-of-a-programme-and-its-date-003.mov"
    screen.status?.source?.deviceName = "Magewell USB Capture SDI 4K Plus of studio two"
    screen.status?.source?.hasSignal = false
    screen.status?.message = "the source went away"
    screen.status?.progress?.secondsLeft = 60
    screen.status?.progress?.isDiskBehind = true
    (screen.isSilent, screen.alarms) = (true, ["freeze"])
    let lines = screen.lines(columns: 40, rows: 10)
    let text = lines.map(\.plain).joined(separator: "\n")
    for word in [
      "THE RECORDER DOES NOT ANSWER", "REC  recording take 3", "the source went away", "4 dropped",
      "disk 1 min", "DISK SLOW", "NO SIGNAL", "FREEZE",
    ] { #expect(text.contains(word), "\(word) is not in\n\(text)") }
    #expect(lines.count <= 10 && lines.allSatisfy { $0.columns <= 40 })
  }

  @Test func the_key_legend_fits_the_terminal_width() {
    for columns in [120, 80, 40, 24, 8] {
      let line = MonitorLegend.commands(columns: columns)
      #expect(line.columns <= columns && line.contains("q quit"), "\(line)")
    }
    #expect(MonitorLegend.typing("good", columns: 80) == "note: good_  (Enter marks, Esc cancels)")
    // While typing, the end of the text is visible.
    let long = MonitorLegend.typing("a note that is longer than the terminal 日本", columns: 24)
    #expect(long == "note: the terminal 日本_" && long.columns <= 24)
  }

  @Test func outdated_levels_and_waveforms_disappear() {
    var screen = Self.screen(.idle)
    let now = ContinuousClock.now
    screen.take([.init(peak: -20)], Loudness(channels: 2, seconds: 1), at: now)
    screen.take((4, 256, [UInt8](repeating: 9, count: 4 * 256)), at: now)
    screen.age(at: now + .seconds(2))
    #expect(screen.levels.count == 1 && screen.loudness != nil && screen.waveform != nil)
    screen.take((4, 256, [UInt8](repeating: 9, count: 4 * 256)), at: now + .seconds(2))
    screen.age(at: now + .seconds(4))
    #expect(screen.levels.isEmpty && screen.loudness == nil && screen.waveform != nil)
    screen.age(at: now + .seconds(6))
    #expect(screen.waveform == nil)
  }

  @Test func an_unresponsive_recorder_is_reported() {
    var screen = Self.screen()
    screen.isSilent = true
    let first = screen.lines(columns: 100, rows: 24)[0]
    #expect(first.plain == "THE RECORDER DOES NOT ANSWER: this is its last status")
    #expect(first.parts.last?.style == .alarm)
    screen.status = nil
    #expect(screen.lines(columns: 100, rows: 24)[0].plain == "the recorder does not answer")
  }

  @Test func a_recorder_is_described_in_one_plain_line() {
    let screen = Self.screen()
    let line = screen.status.map(MonitorLines.line)
    #expect(
      line
        == "recording take 3, a-003.mov  01:02:03  10:00:00:05  4 dropped  queue 1/60  disk 120 min"
    )
  }
}
