import Foundation
import MediaCore
import QuickTime
import Synchronization
import TestSupport
import Testing

@testable import AssetWriter

/// Files changed by others while they are written, and disks that keep failing.
@Suite struct FileChangeTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes frames with audio, and calls `meanwhile` once part of them is in the file.
  private func write(
    overwriting: Bool = false, frames: Int = 60, meanwhile: @Sendable (String) throws -> Void
  ) async throws -> (report: AssetWriter.Report, error: AssetWriterError?, events: [String]) {
    let path = folder.path("take.mov")
    let writer = try AssetWriter(path: path)
    writer.configuration.overwritePolicy = overwriting ? .replace : .refuse
    let events = Mutex<[String]>([])
    writer.segmentHandler = { event in
      switch event {
      case .began(let number, _): events.withLock { $0.append("began \(number)") }
      case .changed(let number, let change):
        events.withLock { $0.append("\(change.change.rawValue) \(number)") }
      case .ended(let segment, _): events.withLock { $0.append("ended \(segment.number)") }
      case .removed: events.withLock { $0.append("removed") }
      case .copyLost(let number, _): events.withLock { $0.append("copy lost \(number)") }
      }
    }
    let video = try writer.inputReceiver(
      for: AssetWriterInput(outputSettings: Recording.settings(encoder: .native)))
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    for number in 0..<frames {
      if number == frames / 2 {
        try await waitForFragment(writer)
        try meanwhile(path)
      }
      try await video.append(TestMedia.video(number))
    }
    var failure: AssetWriterError?
    do throws(AssetWriterError) { try await writer.finishWriting() } catch { failure = error }
    return (writer.report, failure, events.withLock { $0 })
  }

  private func waitForFragment(_ writer: AssetWriter) async throws {
    try await eventually("twelve frames are in the file") {
      writer.report.video.first?.fileLatency.count ?? 0 >= 12
    }
  }

  private func frames(_ segment: Segment) throws -> Int64 {
    #expect(try Judges.strictDecode(segment.path) == "")
    return Int64(try #require(try MovieIndex(path: segment.path).videoTrack?.samples.count))
  }

  @Test func a_deleted_movie_is_restored_and_the_take_continues_in_another() async throws {
    let (report, error, events) = try await write { unlink($0) }
    #expect(error == nil)
    #expect(report.segments.map(\.isValid) == [true, true])
    #expect(report.segments.map(\.fileChange) == [.deleted, nil])
    #expect(report.segments.reduce(0) { $0 + $1.frameCount } == 60)
    #expect(report.video.first?.framesWritten == 60)
    for segment in report.segments { #expect(try frames(segment) == segment.frameCount) }
    #expect(folder.contents == ["take-002.mov", "take.mov"])
    #expect(events.filter { $0 == "deleted 1" }.count == 1)
  }

  @Test func writing_continues_in_a_moved_movie() async throws {
    let moved = folder.path("moved.mov")
    let (report, error, events) = try await write { _ = rename($0, moved) }
    #expect(error == nil)
    #expect(report.segments.map(\.path) == [moved] && report.segments[0].fileChange == .moved)
    #expect(try frames(report.segments[0]) == 60)
    #expect(events == ["began 1", "moved 1", "ended 1"])
  }

  @Test func frames_after_an_emptied_movie_are_kept() async throws {
    let (report, error, events) = try await write { truncate($0, 0) }
    #expect(error?.message.contains("emptied") == true)
    #expect(error?.recordingSuccessfullyFinished == false)
    #expect(report.segments.map(\.isValid) == [false, true])
    #expect(report.segments[0].frameCount == 0 && report.segments[0].fileChange == .emptied)
    let held = report.segments[1].frameCount
    #expect(held > 0 && report.segments[1].firstFrame + held == 60)
    #expect(report.video.first?.framesWritten == Int(held))
    #expect(try frames(report.segments[1]) == held)
    #expect(events.contains("emptied 1"))
  }

  @Test func a_replacing_movie_begins_once() async throws {
    try "old".write(toFile: folder.path("take.mov"), atomically: true, encoding: .utf8)
    let (report, error, events) = try await write(overwriting: true) { _ in }
    #expect(error == nil && events == ["began 1", "ended 1"])
    #expect(folder.contents == ["take.mov"])
    #expect(try frames(report.segments[0]) == 60)
  }

  @Test(arguments: [false, true])
  func files_not_named_for_replacement_are_kept(isToBeCut: Bool) async throws {
    for name in ["take.mov", "take-001.mov", "take-002.mov"] {
      try "old".write(toFile: folder.path(name), atomically: true, encoding: .utf8)
    }
    let path = folder.path("take.mov")
    let writer = try AssetWriter(path: path)
    writer.configuration.overwritePolicy = .replace
    writer.configuration.segments.numbersFirstFile = isToBeCut
    let video = try writer.inputReceiver(
      for: AssetWriterInput(outputSettings: Recording.settings(encoder: .native)))
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    for number in 0..<20 {
      if number == 10 { try writer.startNewSegment() }
      try await video.append(TestMedia.video(number))
    }
    try await writer.finishWriting()
    // A take to be split by duration or size may replace files of its numbered names only.
    let names = isToBeCut ? ["take-001.mov", "take-002.mov"] : ["take.mov", "take-003.mov"]
    #expect(writer.report.segments.map(\.path) == names.map(folder.path))
    let kept = isToBeCut ? ["take.mov"] : ["take-001.mov", "take-002.mov"]
    for name in kept {
      #expect(try String(contentsOfFile: folder.path(name), encoding: .utf8) == "old")
    }
    #expect(Set(folder.contents) == Set(names + kept))
  }

  @Test func frames_lost_to_a_failing_disk_are_not_counted() async throws {
    let path = folder.path("a.mov")
    let writer = AssetWriter(
      outputURL: URL(filePath: path), configuration: .init(),
      makeEncoder: EncoderFactory.makeEncoder
    ) { _ throws(QuickTimeError) in
      // The header and three fragments; all later writes fail, the index's too.
      try FaultyMovieFile(path: path, plan: .init(failingWrite: 5))
    }
    let video = try writer.inputReceiver(
      for: AssetWriterInput(outputSettings: Recording.settings(encoder: .native)))
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    for number in 0..<100 {
      do throws(AssetWriterError) {
        guard let sample = try? TestMedia.video(number) else { break }
        try await video.append(sample)
      } catch { break }
    }
    _ = try? await writer.finishWriting()
    let report = writer.report
    let segment = try #require(report.segments.first)
    #expect(!segment.isValid && segment.frameCount > 0)
    #expect(report.video.first?.framesWritten == Int(segment.frameCount))
    var recovered: Int?
    try await eventually("the writing thread releases the file") {
      do throws(QuickTimeError) {
        recovered = try MovieRecovery.recover(path: path).summary.tracks.first?.sampleCount
        return true
      } catch {
        guard error.code == .busy else { throw error }
        return false
      }
    }
    #expect(recovered == Int(segment.frameCount))
  }
}
