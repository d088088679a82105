import CaptureTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import TakeReports
@testable import Takes
@testable import VideoRecorder

/// Takes that begin at a given instant, whenever the call is made.
@Suite(.serialized)
struct StartMarkTests {
  /// A recording of 40 frames; the exposure of frame 20 begins a fraction of a frame after the moment.
  private func record(
    _ rate: FrameRate, phase: Double, preRoll: Int64, timecode: RecordingOptions.TimecodeSource
  ) async throws -> (
    report: RecordingReport, moment: StartTime.Moment, rig: MovieRig, first: Double
  ) {
    let rig = try MovieRig(
      formats: [.frames(.v210, rates: [rate])], isRealTime: true, hasAudio: false)
    var options = rig.output.options
    options.timecodeSource = timecode
    options.preRollDuration = rate.time(ofFrame: preRoll)
    rig.output.options = options
    let now = Date().timeIntervalSince1970
    var ahead = time_t(now + 2)
    var local = tm()
    localtime_r(&ahead, &local)
    let text = "\(local.tm_hour):\(local.tm_min):\(local.tm_sec):7"
    let moment = try #require(StartTime(text)).next(after: now, rate: rate)
    let mark = StartMark(moment)
    let first =
      mark.instant + MediaTime(seconds: phase / rate.framesPerSecond, preferredTimescale: 1_000_000)
      - rate.time(ofFrame: 20)
    try await rig.session.start()
    try rig.output.standBy()
    let camera = try #require(rig.cameraDriver.stream)
    for index in 0..<30 { try camera.sendFrame(index, sequence: UInt32(index), jitter: first) }
    let recorded = try await rig.begin(from: mark)
    for index in 30..<40 { try camera.sendFrame(index, sequence: UInt32(index), jitter: first) }
    rig.output.stopRecording()
    let report = try await recorded.value
    await rig.session.stop()
    return (report, moment, rig, (first + rate.time(ofFrame: 20)).seconds)
  }

  @Test(
    arguments: FrameRate.standard.map { ($0, 0.35) }
      + [(.fps23_976, 0.9), (.fps25, 0), (.fps29_97, 0), (.fps60, 0), (.fps60, 0.9)])
  func the_first_frame_is_the_one_at_the_requested_time_of_day(
    rate: FrameRate, phase: Double
  ) async throws {
    let (report, moment, rig, first) = try await record(
      rate, phase: phase, preRoll: 0, timecode: .timeOfDay)
    defer { rig.cleanUp() }
    #expect(report.movie.frameCount == 20)
    #expect(report.movie.startTimecode == moment.timecode?.description)
    #expect(report.frames.received == 20 && report.frames.dropped == 0)
    #expect(abs(try #require(report.movie.startTime) - first) < 0.001)
    // The time on the clock when that frame is exposed; at 23.976 and 47.952 each second's last address is cut
    // short, but not its seventh.
    let exposed = moment.unixTime + phase / rate.framesPerSecond
    #expect(Timecode(timeOfDay: exposed, rate: rate) == moment.timecode)
    // One check by another program is enough for each rate.
    guard phase == 0.35 else { return }
    let video = try rig.judge().stream("video")
    #expect(video.nb_read_frames == "20")
    #expect(video.tags?["timecode"] == moment.timecode?.description)
  }

  @Test(arguments: [FrameRate.fps25, .fps29_97, .fps60])
  func with_a_pre_roll_the_frame_at_the_mark_has_the_start_timecode(rate: FrameRate) async throws {
    let (report, moment, rig, first) = try await record(
      rate, phase: 0.5, preRoll: 5, timecode: .timeOfDay)
    defer { rig.cleanUp() }
    #expect(report.movie.frameCount == 25)
    #expect(report.movie.startTimecode == moment.timecode?.advanced(by: -5).description)
    // The report's time is that of the movie's first frame, not that of the first frame that arrived.
    let began = try #require(report.movie.startTime) + 5 / rate.framesPerSecond
    #expect(abs(began - first) < 0.001)
  }

  @Test func movie_and_report_state_the_recordings_start_time() async throws {
    let (report, moment, rig, _) = try await record(
      .fps25, phase: 0.2, preRoll: 0, timecode: .timeOfDay)
    defer { rig.cleanUp() }
    // The moment is a second or more after the output began to stand by.
    let began = moment.unixTime + 0.2 / 25
    let text = Date(timeIntervalSince1970: began.rounded(.down)).ISO8601Format()
    let tags = try rig.judge().format.tags ?? [:]
    #expect(tags["creation_time"]?.prefix(19) == text.prefix(19))
    let date = try #require(tags["com.apple.quicktime.creationdate"])
    #expect(date == report.movie.startDate)
  }
}
