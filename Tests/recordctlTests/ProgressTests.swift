import Foundation
import MediaLibrary
import Testing

@testable import VideoRecorder
@testable import recordctl

@Suite struct ProgressTests {
  private var progress: RecordingProgress {
    var progress = RecordingProgress()
    progress.duration = 3 * 3600 + 25 * 60 + 45
    progress.frames = 369_930
    progress.queue = 8
    progress.queueDepth = 30
    progress.fileSize = 82_345_678_901
    progress.secondsLeft = 412 * 60 + 59
    progress.audioPeak = -6.02
    return progress
  }

  @Test func the_line_tells_time_frames_drops_queue_disk_and_peak() {
    #expect(
      RecordingText.line(progress, columns: 120)
        == "rec 03:25:45  369930 frames  0 dropped  queue 8/30  82.3 GB  disk 412 min  "
        + "peak -6.0 dB")
  }

  @Test func what_is_not_essential_gives_way_in_a_terminal_of_80_columns() {
    var progress = progress
    #expect(
      RecordingText.line(progress, columns: 79)
        == "rec 03:25:45  369930 frames  0 dropped  queue 8/30  disk 412 min  peak -6.0 dB")
    progress.dropped = 12_345
    progress.repeated = 12_345
    progress.damaged = 17
    progress.audioPeak = -101.3
    progress.queue = 30
    let line = RecordingText.line(progress, columns: 79)
    #expect(line.count <= 79)
    for fact in [
      "03:25:45", "369930 fr", "12345 dropped", "queue 30/30", "disk 412 min", "-101.3 dB",
    ] {
      #expect(line.contains(fact), "\(line)")
    }
    let wide = RecordingText.line(progress, columns: 132)
    #expect(wide.contains("12345 repeated") && wide.contains("17 damaged"))
  }

  @Test func silence_pauses_and_endless_disks_have_words_of_their_own() {
    var progress = progress
    progress.audioPeak = nil
    progress.isPaused = true
    progress.secondsLeft = .infinity
    let line = RecordingText.line(progress, columns: 120)
    #expect(line.hasPrefix("paused 03:25:45"))
    #expect(line.hasSuffix("disk 99999 min  peak -"))
    progress.secondsLeft = nil
    #expect(!RecordingText.line(progress, columns: 120).contains("disk"))
  }

  /// In a real terminal of 80 columns, until Ctrl-C.
  @Test(.enabled(if: Judges.find("script") != nil, "util-linux' script makes the terminal"))
  func the_line_fits_a_terminal_and_goes_at_the_end() throws {
    let folder = try TemporaryFolder()
    let movie = folder.path("a.mov")
    let command =
      "stty cols 80; exec \(Recordctl.binary.path) record --device pattern --size 640x360 "
      + "--rate 25 --codec proxy --duration 3s -o \(movie)"
    let log = folder.path("typescript")
    let process = Process()
    process.executableURL = Judges.find("script")
    process.arguments = ["-q", "-c", command, log]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let text = String(decoding: try Data(contentsOf: URL(filePath: log)), as: UTF8.self)
    let lines = text.split(separator: "\r").map { $0.trimmingCharacters(in: .whitespaces) }
    let drawn = lines.filter { $0.hasPrefix("rec 0") }
    #expect(drawn.count > 2, "\(text)")
    #expect(drawn.allSatisfy { $0.count < 80 && !$0.contains("\n") })
    #expect(drawn.contains { $0.contains("disk") && $0.contains("peak") && $0.contains("queue") })
    // The report begins on a line that was wiped.
    let report = try #require(text.range(of: "file      "))
    let wiped = text[..<report.lowerBound].split(
      separator: "\r", omittingEmptySubsequences: false)
    #expect(wiped.last?.isEmpty == true)
    #expect(wiped.dropLast().last?.allSatisfy { $0 == " " } == true)
    #expect(try Recordctl(["verify", movie]).status == 0)
  }
}
