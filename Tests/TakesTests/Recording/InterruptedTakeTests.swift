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

/// Takes whose source goes away, and what the request's policy makes of it.
@Suite struct InterruptedTakeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func request(
    _ device: String, _ duration: RecordingDuration?, _ policy: InterruptionPolicy
  ) -> RecordingRequest {
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.deviceID = device
    request.duration = duration
    request.preset.video.dimensions = VideoDimensions(width: 640, height: 360)
    request.preset.video.frameRate = .fps25
    request.preset.video.codec = .proRes422Proxy
    request.preset.timecode = .start("01:00:00:00")
    request.preset.faults.interruption = policy
    return request
  }

  /// Records a take, ended where it is not over by itself as its last movie begins.
  private func take(
    _ request: RecordingRequest, movies limit: Int = .max
  ) async throws -> RecordingReport {
    let path = folder.url("take.mov").path
    let series = try RecordingSeries(request)
    let (starts, continuation) = AsyncStream.makeStream(of: Void.self)
    let recording = Task {
      try await series.record(
        telling: { if case .resumed = $0 { continuation.yield() } },
        to: { () throws(CaptureError) in MovieName.Resolution(path: path) })
    }
    let ending = Task {
      var count = 1
      for await _ in starts {
        count += 1
        if count >= limit { recording.cancel() }
      }
    }
    defer { ending.cancel() }
    let report = try await recording.value
    for part in [report] + report.continuations {
      #expect(part.isValid)
      #expect(try Judges.strictDecode(part.movie.path) == "")
    }
    return report
  }

  @Test(
    .tags(.slow),
    .enabled(
      if: TestRun.isThorough, "the pattern is gone after seconds; make test-all waits for it"))
  func a_device_pulled_out_and_back_goes_on_in_a_new_movie_timecode_running() async throws {
    // The device is gone after some seconds each time that it is opened.
    let report = try await take(request("pattern?unplug=60", .frames(250), .newSegment))
    let parts = [report] + report.continuations
    #expect(parts.count >= 2)
    #expect(parts.dropLast().allSatisfy { $0.end == .deviceDisconnected })
    #expect(
      parts.prefix(2).map { URL(filePath: $0.movie.path).lastPathComponent }
        == ["take.mov", "take-002.mov"])
    let first = try #require(report.movie.startTime)
    for part in parts {
      let text = try #require(part.movie.startTimecode)
      let start = try #require(Timecode(text, frameRate: .fps25))
      let time = try #require(part.movie.startTime)
      #expect(start.frameNumber == 90_000 + Int64(((time - first) * 25).rounded()))
    }
    #expect(report.outcome(endingWith: .complete) == .imperfect)
    #expect(report.outcome(endingWith: .endedEarly) == .endedEarly)
  }

  @Test(
    .tags(.slow),
    .enabled(
      if: TestRun.isThorough, "the pattern is gone after seconds; make test-all waits for it"))
  func a_paused_take_is_still_paused_when_its_device_is_back() async throws {
    let path = folder.url("take.mov").path
    let series = try RecordingSeries(request("pattern?unplug=60", nil, .newSegment))
    let (losses, continuation) = AsyncStream.makeStream(of: Void.self)
    let notices = Mutex<[String]>([])
    let recording = Task {
      try await series.record(
        telling: {
          switch $0 {
          case .interrupted: continuation.yield()
          case .noticed(let line): notices.withLock { $0.append(line) }
          case .resumed: break
          }
        },
        to: { () throws(CaptureError) in MovieName.Resolution(path: path) })
    }
    let ending = Task {
      for await _ in losses.dropFirst() { recording.cancel() }
    }
    defer { ending.cancel() }
    let setup = series.setup
    while setup.output.progress?.frames ?? 0 == 0 { try await Task.sleep(for: .milliseconds(5)) }
    setup.output.pauseRecording()
    let report = try await recording.value
    let next = try #require(report.continuations.first)
    #expect(report.wasPaused == true && next.wasPaused == true)
    #expect(next.movie.frameCount < 30, "of the sixty until the device is gone again")
    #expect(notices.withLock { $0 }.contains { $0.contains("still paused") })
  }

  @Test func each_loss_of_signal_in_a_take_of_segments_makes_one_more_movie() async throws {
    // Without an end by time, which would come sooner on a busy machine.
    var request = request("pattern?pace=none&signal=20,1,20", nil, .newSegment)
    request.preset.segment = .duration(.frames(8))
    let report = try await take(request, movies: 3)
    let parts = [report] + report.continuations
    #expect(parts.count >= 3)
    #expect(parts.prefix(2).allSatisfy { $0.end == .signalLost })
    #expect(Set(parts.map(\.movie.path)).count == parts.count)
  }

  @Test(
    .tags(.slow),
    .enabled(
      if: TestRun.isThorough, "the pattern is gone after seconds; make test-all waits for it"))
  func where_the_source_is_not_to_be_awaited_the_take_ends_with_a_valid_movie() async throws {
    let report = try await take(request("pattern?unplug=60", .frames(100), .stop))
    #expect(report.end == .deviceDisconnected)
    #expect(report.continuations.isEmpty)
    #expect(report.movie.frameCount <= 60)
    #expect(report.outcome(endingWith: report.outcome) == .endedEarly)
  }

  @Test(
    .tags(.slow),
    .enabled(
      if: TestRun.isThorough, "the pattern is gone after seconds; make test-all waits for it"))
  func a_pattern_that_is_gone_again_and_again_makes_one_movie_held_in_between() async throws {
    let report = try await take(request("pattern?unplug=50", .frames(200), .hold))
    #expect(report.continuations.isEmpty)
    #expect(report.end == .maximumDurationReached && report.movie.frameCount == 200)
    #expect(report.incidents.filter { $0.kind == .deviceLost }.count >= 2)
    #expect(report.movie.startTimecode == "01:00:00:00")
    #expect(report.movie.endTimecode == "01:00:08:00")
    #expect(report.frames.repeated > 20)
    #expect(report.outcome(endingWith: report.outcome) == .imperfect)
  }

  @Test(arguments: InterruptionPolicy.allCases)
  func sound_that_fails_within_a_take_is_awaited_under_each_policy(
    _ policy: InterruptionPolicy
  ) throws {
    #expect(try RecordingSetup(request("pattern", nil, policy)).session.reconnectsDevices)
  }

  @Test func a_limit_of_the_preset_counts_all_movies_of_a_take() async throws {
    var request = request("pattern?pace=none&signal=20,1,20", nil, .newSegment)
    request.preset.limits.maximumSeconds = 1.2
    let report = try await take(request)
    let parts = [report] + report.continuations
    #expect(parts.reduce(0) { $0 + $1.movie.frameCount } == 30)
    #expect(parts.last?.end == .maximumDurationReached)
  }

  @Test func a_limit_of_the_preset_counts_where_the_device_does_not_tell_its_rate() async throws {
    var report = try await take(request("pattern?pace=none", .frames(5), .newSegment))
    report.end = .maximumDurationReached
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.preset.audio.device = "none"
    request.device = ScriptedDriver(formats: [.pictures(.v210, rates: [])])
    request.preset.limits.maximumSeconds = 2
    for (duration, longest, outcome) in [
      (1.0, 1.0, RecordingReport.Outcome.complete), (3, 2, .endedEarly),
    ] {
      request.duration = .seconds(duration)
      let setup = try RecordingSetup(request)
      #expect(setup.selection.frameRate == nil)
      #expect(setup.output.options.maxRecordedDuration.seconds == longest)
      #expect(setup.outcome(of: report) == outcome)
    }
  }

  /// With a lost disk no further movie could begin in both places.
  @Test func a_take_that_has_lost_a_disk_goes_on_in_the_folder_that_is_left() async throws {
    var request = request("pattern?pace=none", .frames(5), .newSegment)
    var report = try await take(request)
    report.end = .signalLost
    let last = try #require(report.segments.indices.last)
    report.segments[last].copies = [
      MovieFileCopy(path: folder.path("gone/take.mov"), isWhole: false, message: "gone")
    ]
    (request.duration, request.secondFolder) = (.frames(10), folder.path("gone"))
    let series = try RecordingSeries(request)
    // The source is awaited for as long as the take is to last: no clock decides this.
    report.movie.startTime = nil
    let began = MonotonicClock.now + 600_000_000_000
    let whole = await series.goOn(after: report, since: began) { _ in }
    let next = try #require(whole.continuations.first)
    #expect(whole.continuations.count == 1 && next.movie.frameCount == 5)
    #expect(next.movie.path == folder.path("take-002.mov"))
    #expect(next.segments.allSatisfy { $0.copies == nil })
    // The other way around: what is left is the second folder.
    _ = try folder.makeFolder("second")
    report.movie.path = folder.path("second/take.mov")
    let other = await series.goOn(after: report, since: began) { _ in }
    #expect(other.continuations.map(\.movie.path) == [folder.path("second/take-002.mov")])
  }

  @Test func a_number_is_free_where_both_folders_have_no_movie_of_it() async throws {
    var request = request("pattern?pace=none", .frames(5), .newSegment)
    let second = try folder.makeFolder("second")
    request.secondFolder = second.path
    try Data().write(to: second.appending(component: "take-002.mov"))
    try Data().write(to: second.appending(component: "shot-001.mov"))
    let setup = try RecordingSetup(request)
    #expect(setup.isTaken(folder.path("shot-001.mov")))
    #expect(!setup.isTaken(folder.path("shot-002.mov")))
    #expect(!setup.isTaken(folder.path("shot.mov")), "it would be no first movie of it")
    var report = try await take(request)
    report.end = .signalLost
    request.duration = .frames(10)
    // The source is awaited for as long as the take is to last: no clock decides this.
    report.movie.startTime = nil
    let whole = try await RecordingSeries(request)
      .goOn(after: report, since: MonotonicClock.now + 600_000_000_000) { _ in }
    #expect(whole.continuations.map(\.movie.path) == [folder.path("take-003.mov")])
  }

  /// Recorders that begin at one time look for a free number at one time.
  @Test func a_name_that_another_recorder_takes_first_gives_way_to_the_next_one() async throws {
    let setup = try RecordingSetup(request("pattern?pace=none", .frames(5), .stop))
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
    // A name that does not count is refused as before.
    let other = try RecordingSetup(request("pattern?pace=none", .frames(5), .stop))
    let taken = folder.path("s-1.mov")
    await #expect(throws: CaptureError.self) { try await other.record(to: taken) }
  }

  @Test func a_take_goes_on_from_its_very_device_be_it_at_another_port() throws {
    // No identifier finds this one.
    let driver = ScriptedDriver("v4l2:usb-old-port", formats: [.pictures(.v210)])
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.preset.audio.device = "none"
    request.device = driver
    let setup = try RecordingSetup(request)
    request.device = nil
    request.deviceID = driver.identity.uniqueID
    var source = ReturningSource(of: setup, request)
    driver.state.withLock {
      $0.formatsError = CaptureError(.deviceDisconnected, "it is not connected")
    }
    var lines: [String] = []
    #expect(source.setUp { lines.append($0) } == nil)
    driver.state.withLock { $0.formatsError = nil }
    #expect(source.setUp { lines.append($0) }?.selection.device.driver === driver)
    #expect(lines.isEmpty)
  }

  @Test func a_device_lost_while_it_is_stood_by_for_is_told_at_once_and_stood_by_for_again()
    async throws
  {
    let driver = ScriptedDriver(formats: [.pictures(.v210)])
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.preset.audio.device = "none"
    request.preset.preRoll = .seconds(0.4)
    request.device = driver
    let setup = try RecordingSetup(request)
    let lines = Mutex<[String]>([])
    setup.output.noticeHandler = { line in lines.withLock { $0.append(line) } }
    let (starts, start) = AsyncStream.makeStream(of: Void.self)
    let path = folder.path("take.mov")
    async let report = setup.record(
      after: {
        for await _ in starts { break }
        return nil
      },
      to: { () throws(CaptureError) in MovieName.Resolution(path: path) })
    try await eventually("it stands by") { setup.output.isStandingBy }
    let gone = CaptureError(.deviceDisconnected, "Test was disconnected")
    driver.state.withLock { $0.openError = gone }
    try #require(driver.stream).send(.failed(gone))
    try await eventually("it is told") {
      lines.withLock { $0.contains { $0.hasPrefix("Test was disconnected; nothing is kept") } }
    }
    driver.state.withLock { $0.openError = nil }
    try await eventually("it stands by again") {
      lines.withLock { $0.contains { $0.contains("stands by again") } }
    }
    let camera = try #require(driver.stream)
    let now = Int(MonotonicClock.now / 40_000_000)
    for index in now - 9...now { try camera.sendFrame(index) }
    start.yield()
    try await eventually("the take has begun") { setup.output.isRecording }
    for index in now + 1..<now + 6 { try camera.sendFrame(index) }
    setup.output.stopRecording()
    let whole = try await report
    #expect(whole.isValid && whole.movie.preRollFrames == 10 && whole.movie.frameCount == 15)
    #expect(lines.withLock { $0.count } == 2)
  }

  /// Whether it changes where it is, or comes back as another one.
  @Test(arguments: [true, false])
  func a_format_that_changes_while_it_is_stood_by_for_is_told_to_end_that(isThere: Bool)
    async throws
  {
    let driver = ScriptedDriver(formats: [.pictures(.v210)])
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.preset.audio.device = "none"
    request.device = driver
    let setup = try RecordingSetup(request)
    let lines = Mutex<[String]>([])
    setup.output.noticeHandler = { line in lines.withLock { $0.append(line) } }
    let (starts, start) = AsyncStream.makeStream(of: Void.self)
    let path = folder.path("take.mov")
    let recording = Task {
      try await setup.record(
        after: {
          for await _ in starts { break }
          return nil
        },
        to: { () throws(CaptureError) in MovieName.Resolution(path: path) })
    }
    try await eventually("it stands by") { setup.output.isStandingBy }
    driver.state.withLock { $0.openError = CaptureError(.formatUnavailable, "no such format") }
    let gone = CaptureError(.deviceDisconnected, "Test was disconnected")
    try #require(driver.stream).send(isThere ? .formatChanged : .failed(gone))
    try await eventually("it is told") {
      lines.withLock {
        $0.last?.hasSuffix("no recording can begin; end this one, and start it anew")
      }
        == true
    }
    #expect(lines.withLock { $0.count } == (isThere ? 1 : 2))
    start.yield()
    await #expect(throws: CaptureError.self) { try await recording.value }
  }

  @Test func why_a_take_does_not_go_on_is_told_once() throws {
    let request = request("pattern?pace=none", .frames(5), .newSegment)
    var source = ReturningSource(of: try RecordingSetup(request), request)
    var lines: [String] = []
    for code in [CaptureError.Code.deviceNotFound, .diskFull, .diskFull, .signalLost] {
      source.note(CaptureError(code, "\(code.name)")) { lines.append($0) }
    }
    #expect(lines == ["the recording does not go on yet: diskFull"])
    #expect(source.setUp { lines.append($0) } != nil && lines.count == 1)
  }

  @Test func a_file_that_cannot_be_read_to_its_end_is_not_begun_again() async throws {
    var report = try await take(request("pattern?pace=none", .frames(50), .newSegment))
    report.end = .deviceFailed
    let series = try RecordingSeries(request("file:" + report.movie.path, nil, .newSegment))
    #expect(!series.goesOn(after: report))
    report.end = .formatChanged
    #expect(series.goesOn(after: report))
  }

  @Test func what_is_left_of_a_take_leaves_its_pre_roll_out() async throws {
    var request = request("pattern?pace=none", .frames(5), .newSegment)
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
      // Less than a second of it.
      { (request: inout RecordingRequest) in request.preset.limits.maximumByteCount = 1_290_000 },
    ] {
      let before = request
      change(&request)
      #expect(remainder() == nil)
      request = before
    }
  }

  @Test func a_duration_is_what_is_recorded_and_not_the_time_for_which_the_source_was_away()
    async throws
  {
    var request = request("pattern?pace=none", .frames(5), .newSegment)
    var report = try await take(request)
    (report.movie.frameCount, report.movie.preRollFrames) = (40, 10)
    // Ten of the slots have no frame of their own.
    report.movie.duration = 2
    func remainder(_ duration: RecordingDuration) -> TakeRemainder? {
      request.duration = duration
      // It began longer ago than it lasts, and the source was away for the most of it.
      return TakeRemainder(
        of: request, after: [report, report], since: 7_000_000_000, rate: 25, byteRate: 100_000)
    }
    for duration in [RecordingDuration.seconds(10), .frames(250)] {
      let left = try #require(remainder(duration))
      #expect(left.request.duration.map { abs($0.seconds(at: .fps25) - 6.8) < 1e-9 } == true)
      #expect(left.deadline == 17_000_000_000)
    }
    #expect(remainder(.seconds(3.21)) == nil, "a quarter of a frame is none")
    #expect(remainder(.frames(80)) == nil)
  }

  @Test func timecode_runs_on_from_the_first_movie_and_not_from_the_preset() async throws {
    let request = request("pattern?pace=none", .frames(5), .newSegment)
    var report = try await take(request)
    report.movie.startTimecode = "00:59:55:00"
    let setup = try RecordingSetup(request)
    setup.continueTimecode(of: report)
    guard case .running(let address, _) = setup.output.options.timecodeSource else {
      Issue.record("the timecode does not run on")
      return
    }
    #expect(address.description == "00:59:55:00")
  }
}
