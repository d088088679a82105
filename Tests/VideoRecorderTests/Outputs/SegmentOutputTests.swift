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
@testable import VideoRecorder

@Suite(.serialized, .timeLimit(.minutes(20)))
struct SegmentOutputTests {
  private func frameCount(_ path: String) throws -> Int? {
    try MovieIndex(PosixMovieFile(path: path, mode: .read)).videoTrack?.samples.count
  }

  @Test(.tags(.judges)) func losses_are_counted_across_segments() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.segmentPolicy.maximumFrameCount = 10
    rig.output.maxRecordedFrameCount = 34
    var options = rig.output.options
    options.timecodeSource = .start(try #require(Timecode("23:59:59:20", frameRate: .fps25)))
    rig.output.options = options
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<14, camera, microphone, except: [10])
      try await eventually("fourteen frames are recorded") {
        rig.output.recordedDuration == FrameRate.fps25.time(ofFrame: 14)
      }
      try rig.output.startNewSegment()
      try rig.feed(14..<40, camera, microphone)
    }
    await rig.session.stop()
    #expect(report.segments.map(\.frameCount) == [10, 4, 10, 10])
    #expect(
      report.segments.map(\.end) == [.durationReached, .requested, .durationReached, .takeEnded])
    #expect(
      report.segments.map(\.startTimecode)
        == ["23:59:59:20", "00:00:00:05", "00:00:00:09", "00:00:00:19"])
    #expect(report.movie.frameCount == 34)
    #expect(report.movie.path.hasSuffix("take.mov"))
    #expect(report.frames.repeated == 1)
    #expect(report.incidents.first { $0.kind == .repeated }?.frame == 10)
    #expect(report.audio.first?.written == 65_280)
    for segment in report.segments {
      #expect(try frameCount(segment.path) == Int(segment.frameCount))
      #expect(try Judges.strictDecode(segment.path) == "")
    }
  }

  /// The assistant renames the day's folder during a take.
  @Test(arguments: [false, true])
  func a_take_continues_in_its_renamed_folder(hasSecondFolder: Bool) async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    let second = try TemporaryFolder()
    if hasSecondFolder { rig.output.options.secondFolder = second.path("") }
    let folder = rig.url.deletingLastPathComponent()
    let renamed = URL(filePath: folder.path + "-A")
    let notices = Mutex<[String]>([])
    rig.output.noticeHandler = { text in notices.withLock { $0.append(text) } }
    defer { try? FileManager.default.removeItem(at: renamed) }
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<30, camera, microphone)
      try await eventually("twenty frames are written") { rig.output.lastWritten >= 20 }
      try FileManager.default.moveItem(at: folder, to: renamed)
      try rig.feed(30..<60, camera, microphone)
      try await eventually("the move is reported") { !notices.withLock { $0.isEmpty } }
      try rig.output.startNewSegment()
      try rig.feed(60..<90, camera, microphone)
      rig.output.stopRecording()
    }
    await rig.session.stop()
    #expect(report.isValid && report.end == .stopped, "\(String(describing: report.error))")
    #expect(report.segments.map(\.frameCount) == [60, 30])
    for segment in report.segments {
      #expect(segment.path.hasPrefix(renamed.path))
      let copies = segment.copies?.map(\.isWhole)
      #expect(copies == (hasSecondFolder ? [true] : nil))
      #expect(try frameCount(segment.path) == Int(segment.frameCount))
    }
  }

  @Test func a_new_file_begins_before_the_file_size_limit() async throws {
    let rig = try MovieRig(fileSizeLimit: FileSizeLimit { _ in 350_000 })
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 40
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<45, camera, microphone)
    }
    await rig.session.stop()
    #expect(report.outcome == .complete)
    #expect(report.segments.count > 1)
    #expect(report.segments.allSatisfy { $0.fileSize <= 350_000 })
    #expect(report.segments.first?.end == .fileSizeLimitReached)
    #expect(report.segments.reduce(0) { $0 + $1.frameCount } == 40)
  }

  @Test func the_second_disks_file_size_limit_applies_too() async throws {
    let rig = try MovieRig(fileSizeLimit: FileSizeLimit { $0.hasSuffix("second") ? 350_000 : nil })
    defer { rig.cleanUp() }
    let second = rig.folder.appending(path: "second")
    try FileManager.default.createDirectory(at: second, withIntermediateDirectories: false)
    rig.output.options.secondFolder = second.path
    rig.output.maxRecordedFrameCount = 40
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<45, camera, microphone)
    }
    await rig.session.stop()
    #expect(report.outcome == .complete && report.segments.count > 1)
    for segment in report.segments {
      let copy = second.appending(path: URL(filePath: segment.path).lastPathComponent)
      #expect(try Data(contentsOf: copy) == Data(contentsOf: URL(filePath: segment.path)))
    }
  }

  @Test(arguments: [true, false])
  func a_take_continues_while_one_disk_has_space(hasRoom: Bool) async throws {
    let rig = try MovieRig(
      freeSpace: FreeSpace { $0.hasSuffix("second") && hasRoom ? 1 << 40 : 1000 })
    defer { rig.cleanUp() }
    let second = rig.folder.appending(path: "second")
    try FileManager.default.createDirectory(at: second, withIntermediateDirectories: false)
    rig.output.options.secondFolder = second.path
    rig.output.options.minFreeDiskSpaceLimit = 1_000_000
    rig.output.maxRecordedFrameCount = 10
    guard hasRoom else {
      try await rig.session.start()
      let error = await #expect(throws: CaptureError.self) {
        try await rig.output.record(to: rig.url)
      }
      #expect(error?.code == .diskFull)
      return await rig.session.stop()
    }
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<15, camera, microphone)
    }
    await rig.session.stop()
    #expect(report.outcome == .complete && report.movie.frameCount == 10)
  }

  @Test func a_take_with_taken_segment_names_is_refused() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.segmentPolicy.maximumFrameCount = 10
    rig.output.segmentPolicy.numbersFirstFile = true
    try Data().write(to: rig.folder.appending(path: "take-004.mov"))
    try await rig.session.start()
    let error = await #expect(throws: CaptureError.self) {
      try await rig.output.record(to: rig.url)
    }
    #expect(error?.message.contains("take-004.mov exists") == true)
    await rig.session.stop()
    #expect(throws: CaptureError.self) { try rig.output.startNewSegment() }
  }

  @Test func the_file_size_limit_of_the_process_is_read() {
    #expect(FileSizeLimit.fat == 4_294_967_295)
    #expect(FileSizeLimit.system.bytes("/tmp").map { $0 > 0 } ?? true)
  }
}

@Suite(.serialized, .timeLimit(.minutes(20)))
struct StandByTests {
  @Test func standby_reports_the_free_space_of_the_takes_disk() async throws {
    let rig = try MovieRig(freeSpace: FreeSpace { $0.hasSuffix("/takes") ? 12_345 : 1 << 40 })
    defer { rig.cleanUp() }
    rig.output.minFreeDiskSpaceLimit = 1
    try await rig.session.start()
    try rig.output.standBy(in: URL(filePath: "/nowhere/takes", directoryHint: .isDirectory))
    #expect(rig.output.progress?.freeDiskSpace == 12_345)
    await rig.session.stop()
  }

  @Test func a_take_begins_with_its_pre_roll_and_counts_only_its_frames() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.preRollDuration = MediaTime(value: 10, timescale: 25)
    rig.output.maxRecordedFrameCount = 20
    var options = rig.output.options
    options.timecodeSource = .start(try #require(Timecode("10:00:00:00", frameRate: .fps25)))
    rig.output.options = options
    try await rig.session.start()
    let camera = try #require(rig.cameraDriver.stream)
    let microphone = rig.microphoneDriver.stream
    try rig.output.standBy()
    try rig.output.standBy()
    #expect(rig.output.isStandingBy && !rig.output.isRecording)
    // One frame is lost long before the pre-roll, one within it.
    try rig.feed(0..<50, camera, microphone, except: [20, 45])
    try await eventually("the pre-roll is full") { (rig.output.progress?.preRoll ?? 0) >= 0.4 }
    #expect(rig.output.recordedDuration == .zero)
    #expect(!FileManager.default.fileExists(atPath: rig.url.path))
    async let recorded = rig.output.record(to: rig.url)
    try await eventually("the recording begins") { rig.output.isRecording }
    try rig.feed(50..<75, camera, microphone)
    let report = try await recorded
    await rig.session.stop()
    #expect(report.movie.frameCount == 30)
    #expect(report.end == .maximumDurationReached)
    #expect(report.movie.preRollFrames == 10)
    #expect(report.movie.startTimecode == "09:59:59:15")
    #expect(report.frames.dropped == 1 && report.frames.repeated == 1)
    #expect(report.frames.received == 29 && report.frames.encoded == 29)
    #expect(report.incidents.map(\.frame) == [5, 5])
    #expect(report.incidents.first?.timecode == "09:59:59:20")
    #expect(report.audio.first?.written == 57_600)
    let judged = try rig.judge()
    #expect(try judged.stream("video").nb_read_frames == "30")
    #expect(try judged.stream("video").tags?["timecode"] == "09:59:59:15")
    #expect(try judged.stream("audio").duration_ts == 57_600)
    let hashes = try rig.frameHashes()
    #expect(hashes[4] == hashes[5])
  }

  @Test func standby_ends_on_request_or_with_the_session() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.preRollDuration = MediaTime(value: 1, timescale: 1)
    #expect(throws: CaptureError.self) { try rig.output.standBy() }
    try await rig.session.start()
    try rig.output.standBy()
    let camera = try #require(rig.cameraDriver.stream)
    try rig.feed(0..<5, camera, nil)
    try Data().write(to: rig.url)
    await #expect(throws: CaptureError.self) { try await rig.output.record(to: rig.url) }
    #expect(rig.output.isStandingBy)
    rig.output.stopRecording()
    try await eventually("standby ends") { !rig.output.isStandingBy }
    #expect(try FileManager.default.contentsOfDirectory(atPath: rig.folder.path) == ["take.mov"])
    try await eventually("there is a report") { rig.output.lastReport != nil }
    try rig.output.standBy()
    await rig.session.stop()
    try await eventually("standby ends") { !rig.output.isStandingBy }
  }
}
