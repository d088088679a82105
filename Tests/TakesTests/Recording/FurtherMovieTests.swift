import AssetWriter
import CaptureTestSupport
import Foundation
import MediaCore
import QuickTime
import Synchronization
import TestSupport
import Testing

@testable import CaptureDevices
@testable import TakeReports
@testable import Takes
@testable import VideoRecorder

/// The further movies of a take whose source went away: how much of the take remains, and their folders and names.
@Suite struct FurtherMovieTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func request(
    _ device: String = "pattern?pace=none", _ duration: RecordingDuration? = .frames(5)
  ) -> RecordingRequest {
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.deviceID = device
    request.duration = duration
    request.preset.video.dimensions = VideoDimensions(width: 640, height: 360)
    request.preset.video.frameRate = .fps25
    request.preset.video.codec = .proRes422Proxy
    request.preset.timecode = .start("01:00:00:00")
    request.preset.faults.interruption = .newSegment
    return request
  }

  private func take(_ request: RecordingRequest) async throws -> RecordingReport {
    try await RecordingSetup(request).record(to: folder.path("take.mov"))
  }

  /// No further movie could begin in two places with a disk lost.
  @Test func a_take_that_lost_a_disk_continues_in_the_other_folder() async throws {
    var request = request()
    var report = try await take(request)
    report.end = .signalLost
    let last = try #require(report.segments.indices.last)
    report.segments[last].copies = [
      MovieFileCopy(path: folder.path("gone/take.mov"), isWhole: false, message: "gone")
    ]
    (request.duration, request.secondFolder) = (.frames(10), folder.path("gone"))
    let series = try RecordingSeries(request)
    // The source is awaited for the take's duration; a start in the future keeps the clock from ending the wait.
    report.movie.startTime = nil
    let began = MonotonicClock.now + 600_000_000_000
    let whole = await series.goOn(after: report, since: began) { _ in }
    let next = try #require(whole.continuations.first)
    #expect(whole.continuations.count == 1 && next.movie.frameCount == 5)
    #expect(next.movie.path == folder.path("take-002.mov"))
    #expect(next.segments.allSatisfy { $0.copies == nil })
    // The reverse: the second folder is left.
    _ = try folder.makeFolder("second")
    report.movie.path = folder.path("second/take.mov")
    let other = await series.goOn(after: report, since: began) { _ in }
    #expect(other.continuations.map(\.movie.path) == [folder.path("second/take-002.mov")])
  }

  @Test func a_number_is_free_only_if_both_folders_lack_it() async throws {
    var request = request()
    let second = try folder.makeFolder("second")
    request.secondFolder = second.path
    try Data().write(to: second.appending(component: "take-002.mov"))
    try Data().write(to: second.appending(component: "shot-001.mov"))
    let setup = try RecordingSetup(request)
    #expect(setup.isTaken(folder.path("shot-001.mov")))
    #expect(!setup.isTaken(folder.path("shot-002.mov")))
    #expect(!setup.isTaken(folder.path("shot.mov")), "shot-001.mov is not a later segment of it")
    var report = try await take(request)
    report.end = .signalLost
    request.duration = .frames(10)
    // The source is awaited for the take's duration; a start in the future keeps the clock from ending the wait.
    report.movie.startTime = nil
    let whole = try await RecordingSeries(request)
      .goOn(after: report, since: MonotonicClock.now + 600_000_000_000) { _ in }
    #expect(whole.continuations.map(\.movie.path) == [folder.path("take-003.mov")])
  }

  /// Recorders that start at the same time also look for an unused number at the same time.
  @Test func a_name_taken_by_another_recorder_is_replaced_by_the_next() async throws {
    let setup = try RecordingSetup(request())
    let asked = Mutex(0)
    let report = try await setup.record { () throws(CaptureError) in
      let number = asked.withLock { asked in
        asked += 1
        return asked
      }
      let path = folder.path("s-\(number).mov")
      if number == 1 { try? Data().write(to: URL(filePath: path)) }
      return MovieName.Resolution(path: path)
    }
    #expect(report.movie.path == folder.path("s-2.mov") && report.movie.frameCount == 5)
    #expect(try Data(contentsOf: folder.url("s-1.mov")).isEmpty)
    // A fixed name is refused as before.
    let other = try RecordingSetup(request())
    let taken = folder.path("s-1.mov")
    await #expect(throws: CaptureError.self) { try await other.record(to: taken) }
  }

  @Test func a_file_source_that_fails_is_not_restarted() async throws {
    var report = try await take(request("pattern?pace=none", .frames(50)))
    report.end = .deviceFailed
    let series = try RecordingSeries(request("file:" + report.movie.path, nil))
    #expect(!series.continues(after: report))
    report.end = .formatChanged
    #expect(series.continues(after: report))
  }

  @Test func the_remainder_of_a_take_excludes_its_pre_roll() async throws {
    var request = request()
    var report = try await take(request)
    report.movie.preRollFrames = 10
    report.movie.frameCount = 18
    report.movie.fileSize = 600_000
    report.label = TakeLabel(reel: "A002", scene: "12", take: 7)
    func remainder() -> RecordingRequest? {
      TakeRemainder(
        of: request, after: [report, report], since: MonotonicClock.now, rate: 25,
        byteRate: 100_000)?.request
    }
    request.duration = .frames(20)
    request.preset.limits.maximumSeconds = 2
    request.preset.limits.maximumByteCount = 1_400_000
    let next = try #require(remainder())
    #expect(next.duration == .frames(4))
    #expect(next.preset.limits.maximumSeconds.map { abs($0 - 1.36) < 1e-9 } == true)
    #expect(next.preset.limits.maximumByteCount == 200_000)
    #expect(next.names.reel == "A002" && next.names.scene == "12" && next.names.take == 7)
    #expect(next.deviceID == report.source.deviceID)
    for change in [
      { (request: inout RecordingRequest) in request.duration = .frames(16) },
      { (request: inout RecordingRequest) in request.preset.limits.maximumSeconds = 0.64 },
      // Less than one second's worth of bytes would be left.
      { (request: inout RecordingRequest) in request.preset.limits.maximumByteCount = 1_290_000 },
    ] {
      let before = request
      change(&request)
      #expect(remainder() == nil)
      request = before
    }
  }

  @Test func a_duration_excludes_the_time_without_a_source() async throws {
    var request = request()
    var report = try await take(request)
    (report.movie.frameCount, report.movie.preRollFrames) = (40, 10)
    // Ten of the slots have no frame of their own.
    report.movie.duration = 2
    func remainder(_ duration: RecordingDuration) -> TakeRemainder? {
      request.duration = duration
      // The take began longer ago than its duration, but the source was away most of the time.
      return TakeRemainder(
        of: request, after: [report, report], since: 7_000_000_000, rate: 25, byteRate: 100_000)
    }
    for duration in [RecordingDuration.seconds(10), .frames(250)] {
      let left = try #require(remainder(duration))
      #expect(left.request.duration.map { abs($0.seconds(at: .fps25) - 6.8) < 1e-9 } == true)
      #expect(left.deadline == 17_000_000_000)
    }
    #expect(remainder(.seconds(3.21)) == nil, "a quarter of a frame is not recorded")
    #expect(remainder(.frames(80)) == nil)
  }

  @Test func timecode_continues_from_the_first_movie_not_the_preset() async throws {
    let request = request()
    var report = try await take(request)
    report.movie.startTimecode = "00:59:55:00"
    let setup = try RecordingSetup(request)
    setup.continueTimecode(of: report)
    guard case .running(let address, _) = setup.output.options.timecodeSource else {
      Issue.record("the timecode does not continue")
      return
    }
    #expect(address.description == "00:59:55:00")
  }
}
