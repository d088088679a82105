import Foundation
import MediaCore
import TestSupport
import Testing

@testable import CaptureDevices
@testable import MovieTools
@testable import TakeReports
@testable import Takes
@testable import VideoRecorder
@testable import recordctl

/// The wording of reports.
@Suite struct ReportTextTests {
  private typealias Incident = RecordingReport.Incident

  private func dropped(_ frame: Int64, _ count: Int = 1, _ reason: DropReason = .outOfBuffers)
    -> Incident
  {
    Incident(kind: .dropped, reason: reason, count: count, frame: frame, timecode: nil, seconds: 0)
  }

  @Test func consecutive_losses_are_merged_into_one_line() {
    let repeats = Incident(
      kind: .repeated, reason: nil, count: 1, frame: 10, timecode: nil, seconds: 0)
    let merged = IncidentText.merged(
      [dropped(10), repeats, dropped(11, 3), dropped(14), dropped(20), dropped(21, 1, .diskBusy)])
    #expect(merged.map(\.incident.count) == [5, 1, 1, 1])
    #expect(merged.map(\.incidents) == [3, 1, 1, 1])
    #expect(merged.map(\.incident.frame) == [10, 10, 20, 21])
  }

  @Test func report_texts_are_not_camel_case_keys() {
    let words =
      DropReason.allCases.map { ReportWords.reason($0) }
      + RecordingReport.End.allCases.map { ReportWords.end($0) }
      + FieldOrder.allCases.map(\.displayName)
    for word in words {
      // A capital letter within a word, as in `outOfBuffers`.
      #expect(word.firstMatch(of: /[a-z][A-Z]/) == nil, "\(word)")
    }
    #expect(ReportWords.end(.maximumDurationReached) == "reached the requested duration")
  }

  /// With the first seed, four losses in a row are reported before the end; with the second, the last frame is
  /// lost, which only the frame after it shows.
  @Test(arguments: [1, 3, 7])
  func a_report_accounts_for_each_due_frame_once(seed: Int) throws {
    let folder = try TemporaryFolder()
    let movie = folder.path("take.mov")
    let run = try Recordctl([
      "record", "--device", "pattern?pace=none&drop=0.3&seed=\(seed)", "--size", "640x360",
      "--rate", "25", "--timecode", "01:00:00:00", "--duration", "100f", "-o", movie,
    ])
    #expect(run.status == 3)
    #expect(run.output.contains("timecode  01:00:00:00 to 01:00:03:24"), "\(run.output)")
    let line = try #require(
      run.output.firstMatch(
        of: /100 due, (\d+) received, (\d+) dropped \((\d+) lost by the device or its driver\)/),
      "\(run.output)")
    let (received, lost) = (try #require(Int(line.output.1)), try #require(Int(line.output.2)))
    #expect(received + lost == 100 && Int(line.output.3) == lost)
    #expect(run.output.contains("reached the requested duration"))
    #expect(run.output.contains("\(movie).json lists all"), "\(run.output)")
    #expect(!run.output.contains("--json lists"))
  }

  @Test func verify_compares_audio_and_video_durations() throws {
    let folder = try TemporaryFolder()
    let movie = folder.path("take.mov")
    try Recordctl([
      "record", "--device", "pattern?pace=none", "--size", "640x360", "--rate", "25", "--duration",
      "10f", "-o", movie,
    ])
    let run = try Recordctl(["verify", movie])
    #expect(run.status == 0)
    #expect(run.output.contains("bits, as long as the video"), "\(run.output)")
  }
}

/// `check` and `record` agree on where the movie goes and how long the disk will last.
@Suite struct EstimateTests {
  @Test func remaining_disk_time_is_shown_at_current_and_worst_rate() {
    var progress = RecordingProgress()
    progress.secondsLeft = 555 * 60
    progress.worstCaseSecondsLeft = 49 * 60 + 30
    let line = LiveLine()
    #expect(line.text(progress, columns: 120).plain.contains("disk 555 min  (49 at worst)"))
    #expect(!line.text(progress, columns: 40).plain.contains("worst"))
  }

  @Test func a_recording_and_a_check_report_the_same_worst_case() async throws {
    var preset = Preset(name: "small")
    preset.video.dimensions = VideoDimensions(width: 640, height: 360)
    preset.video.frameRate = .fps25
    var request = RecordingRequest(preset: preset)
    request.deviceID = "pattern"
    let folder = try TemporaryFolder()
    let check = await RecordingCheck.run(request, output: folder.url.path)
    let minutes = try #require(check.minutesThatFit)
    let path = folder.path("take.mov")
    let setup = try RecordingSetup(request)
    let recording = Task {
      try await setup.record { () throws(CaptureError) in MovieName.Resolution(path: path) }
    }
    var seconds: Double?
    try await eventually("the recording reports the remaining time") {
      seconds = setup.output.progress?.worstCaseSecondsLeft
      return seconds != nil
    }
    recording.cancel()
    _ = try? await recording.value
    // Other processes use the disk in the meantime.
    let ratio = try #require(seconds) / 60 / minutes
    #expect((0.8...1.25).contains(ratio), "\(ratio)")
  }

  @Test func check_and_record_accept_a_movie_or_folder_as_output() throws {
    let folder = try TemporaryFolder()
    let small = ["--device", "pattern?pace=none", "--size", "640x360", "--rate", "25"]
    let run = try Recordctl(["record", "--duration", "2f", "-o", folder.url.path] + small)
    #expect(run.status == 0, "\(run.errors)")
    let movies = folder.contents.filter { $0.hasSuffix(".mov") }
    #expect(movies.count == 1)
    #expect(movies.first?.wholeMatch(of: /\d{4}-\d\d-\d\d-\d{6}\.mov/) != nil, "\(movies)")

    let check = try SharedCheck.get()
    let report = try #require(try check.run.json() as? [String: Any])
    #expect((report["disk"] as? [String: Any])?["folder"] as? String == check.folder + "/")
    let wrong = try Recordctl(["check", "-o", folder.path("{scen}.mov")] + small)
    #expect(wrong.status == 2 && wrong.output.contains("did you mean 'scene'?"))
  }
}
