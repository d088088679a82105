import AssetWriter
import Foundation
import MediaLibrary
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import MovieExport
@testable import TakeReports
@testable import Takes
@testable import VideoRecorder
@testable import recordctl

@Suite struct LiveLineTests {
  private var progress: RecordingProgress {
    var progress = RecordingProgress()
    progress.duration = 3 * 3600 + 25 * 60 + 45
    progress.timecode = "13:25:44:24"
    progress.path = "/media/takes/A001-003.mov"
    progress.frames = 308_625
    progress.queue = 8
    progress.queueDepth = 30
    progress.fileSize = 82_345_678_901
    progress.secondsLeft = 412 * 60 + 59
    progress.channelPeaks = [-6.02, -43, nil]
    return progress
  }

  private func line(_ progress: RecordingProgress, blocks: Bool = true, _ columns: Int) -> String {
    LiveLine(hasBlocks: blocks).text(progress, columns: columns).plain
  }

  @Test func a_wide_terminal_shows_everything() {
    #expect(
      line(progress, 140)
        == "rec 03:25:45  13:25:44:24  A001-003.mov  308625 frames  0 dropped  queue 8/30  82.3 GB  "
        + "disk 412 min  █▃·  -6.0 dB")
  }

  @Test func nonessential_items_are_omitted_in_narrow_terminals() {
    #expect(
      line(progress, 79)
        == "rec 03:25:45  13:25:44:24  A001-003.mov  0 dropped  disk 412 min  █▃·  -6.0 dB")
    #expect(line(progress, 40) == "rec 03:25:45  0 dropped  █▃·  -6.0 dB")
    #expect(line(progress, 19) == "rec 03:25:45  0 dr")
    for columns in 1...140 { #expect(line(progress, columns).count <= columns) }
  }

  @Test func meters_are_numbers_if_blocks_cannot_be_shown() {
    #expect(line(progress, blocks: false, 140).hasSuffix("-6 -43 - dB"))
    #expect(line(progress, blocks: false, 32).hasSuffix("-6.0 dB"))
  }

  @Test func drops_clipping_and_a_full_disk_are_alarms() {
    var progress = progress
    func alarms() -> [String] {
      LiveLine(hasBlocks: true).text(progress, columns: 140).parts.filter { $0.style == .alarm }
        .map(\.text)
    }
    #expect(alarms().isEmpty)
    progress.dropped = 3
    progress.damaged = 1
    progress.secondsLeft = 299
    progress.channelPeaks = [0, -20]
    #expect(alarms() == ["3 dropped", "1 damaged", "disk 4 min", "█▆", "0.0 dB"])
    progress.lostPlace = .init(path: "/b/a.mov", isSecond: true, message: "gone")
    #expect(alarms().contains("SECOND DISK LOST"))
  }

  @Test func the_standby_line_shows_the_start_time_and_keys() {
    var progress = RecordingProgress()
    progress.isStandingBy = true
    progress.preRoll = 5
    progress.queueDepth = 50
    var live = LiveLine()
    live.start = .init(time: StartTime("20:15"), hasKeys: true)
    #expect(
      live.text(progress, columns: 79).plain
        == "standing by  starts at 20:15:00  Enter starts now  pre-roll 5.00 s")
    live.start = .init(time: nil, hasKeys: false)
    #expect(
      live.text(progress, columns: 79).plain == "standing by  SIGUSR2 starts  pre-roll 5.00 s")
  }

  @Test func wide_characters_take_two_columns() {
    let line = StatusText("撮影-01.mov")
    #expect(line.columns == 11)
    #expect(line.prefix(columns: 4).plain == "撮影" && line.prefix(columns: 3).plain == "撮")
  }

  @Test func the_locale_determines_block_characters() {
    #expect(Terminal.isUTF8(["LANG": "de_DE.UTF-8"]) && Terminal.isUTF8(["LC_CTYPE": "C.utf8"]))
    #expect(!Terminal.isUTF8(["LC_ALL": "C", "LANG": "de_DE.UTF-8"]) && !Terminal.isUTF8([:]))
  }

  @Test func an_encode_shows_speed_bytes_and_time_left() {
    let line = ExportLine()
    let later = ContinuousClock.now + .seconds(10)
    var progress = AssetExportSession.Progress(
      frames: 250, totalFrames: 1000, fileBytes: 1_800_000_000, isFinishing: false)
    #expect(line.text(progress, now: later).contains("frame 250 of 1000  2"))
    #expect(line.text(progress, now: later).hasSuffix("per second  1.8 GB  0:30 left"))
    progress.frames = 1000
    progress.isFinishing = true
    #expect(line.text(progress, now: later) == "frame 1000 of 1000  1.8 GB  finishing the file")
  }
}

@Suite struct MessageWriterTests {
  /// A descriptor that accepts bytes only when the test allows it.
  private final class Reader: Sendable {
    private let state = Mutex((text: "", isOpen: false, errors: [Int32]()))

    init(errors: [Int32] = [], isOpen: Bool = false) {
      state.withLock { $0 = ("", isOpen, errors) }
    }

    var text: String { state.withLock { $0.text } }
    func open() { state.withLock { $0.isOpen = true } }

    var output: DescriptorOutput {
      var output = DescriptorOutput(descriptor: -1)
      output.calls.write = { [self] _, bytes in
        while !state.withLock({ $0.isOpen }) { Thread.sleep(forTimeInterval: 0.005) }
        return state.withLock { state in
          if !state.errors.isEmpty { return (-1, state.errors.removeFirst()) }
          let taken = bytes.prefix(7)
          state.text += String(decoding: taken, as: UTF8.self)
          return (taken.count, 0)
        }
      }
      output.calls.waitUntilWritable = { _ in }
      return output
    }
  }

  @Test func a_stopped_reader_blocks_nobody_and_later_sees_the_latest_line() {
    let reader = Reader()
    let writer = MessageWriter(reader.output)
    for number in 0..<5000 { writer.draw(StatusText("line \(number)"), inColor: false) }
    reader.open()
    writer.flush()
    #expect(reader.text.contains("line 4999"))
    #expect(reader.text.split(separator: "\r").count <= 2)
  }

  @Test func notes_beyond_the_limit_are_counted() {
    let reader = Reader()
    let writer = MessageWriter(reader.output)
    writer.note("first")
    for number in 0..<1000 { writer.note("note \(number)") }
    reader.open()
    writer.flush()
    let lines = reader.text.split(separator: "\n")
    let reported = lines.filter { $0.hasPrefix("note ") }.count + (lines.contains("first") ? 1 : 0)
    // The thread may write earlier notes while more arrive, so notes may be left out in several places.
    let omitted = lines.filter { $0.hasSuffix("messages omitted here") }
      .reduce(0) { $0 + (Int($1.split(separator: " ").dropFirst().first ?? "") ?? 0) }
    #expect(omitted > 0 && reported + omitted == 1001, "\(lines.suffix(3))")
  }

  @Test func notes_appear_above_the_line_and_removal_clears_it() {
    let reader = Reader(isOpen: true)
    let writer = MessageWriter(reader.output)
    writer.draw(StatusText("rec"), inColor: false)
    writer.flush()
    writer.note("a note")
    writer.flush()
    writer.removeLine()
    writer.flush()
    #expect(reader.text == "\rrec\r   \ra note\n\rrec\r   \r")
  }

  @Test func flushing_gives_up_on_an_unresponsive_reader() throws {
    let reader = Reader()
    let writer = MessageWriter(reader.output)
    writer.note("never read")
    writer.flush(patience: 0.05)
    #expect(reader.text.isEmpty)
    // `flush` does not wait for this reader again until it reads.
    writer.flush(patience: 3600)
    reader.open()
    try waitUntil("the note is read") { reader.text == "never read\n" }
  }

  @Test func interrupted_writes_are_retried_and_failures_thrown() throws {
    let patient = Reader(errors: [EINTR, EAGAIN, EINTR], isOpen: true)
    try patient.output.write("all of this arrives")
    #expect(patient.text == "all of this arrives")
    #expect(throws: Errno.noSpace) { try Reader(errors: [ENOSPC], isOpen: true).output.write("x") }
  }
}
