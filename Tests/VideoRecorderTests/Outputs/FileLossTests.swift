import CaptureTestSupport
import Foundation
import MediaCore
import MovieTools
import Synchronization
import TestSupport
import Testing

@testable import AssetWriter
@testable import VideoRecorder

/// The report of a take whose file did not receive all frames or was removed by others.
@Suite struct FileLossTests {
  private func segment(
    _ number: Int, from first: Int64, _ count: Int64, valid: Bool = true
  ) -> Segment {
    Segment(
      number: number, path: "/x/\(number).mov", firstFrame: first, startTimecode: nil,
      frameCount: count, duration: Double(count) / 25, fileSize: 1, end: .takeEnded, isValid: valid,
      checksum: nil)
  }

  @Test func frames_missing_before_between_and_after_files_are_found() {
    let held = FramesHeld(
      [segment(2, from: 20, 10), segment(1, from: 5, 10)], rate: .fps25, slots: 40)
    #expect(held.lost == [0..<5, 15..<20, 30..<40])
    #expect(held.frames == 20 && held.slots == 20 && held.end == 30)
    #expect(FramesHeld([segment(1, from: 0, 40)], rate: .fps25, slots: 40).lost.isEmpty)
    let none = FramesHeld([segment(1, from: 0, 0, valid: false)], rate: .fps25, slots: 40)
    #expect(none.lost == [0..<40] && none.end == 0)
    let far = FramesHeld([segment(1, from: .max - 1, .max)], rate: .fps25, slots: 3)
    #expect(far.lost == [0..<3])
  }

  @Test func a_movie_deleted_during_the_take_is_reported_and_restored() async throws {
    let rig = try MovieRig(hasAudio: false)
    defer { rig.cleanUp() }
    let notices = Mutex<[String]>([])
    rig.output.noticeHandler = { text in notices.withLock { $0.append(text) } }
    let report = try await rig.record { camera, _ in
      try rig.feed(0..<30, camera, nil)
      try await eventually("twenty frames are written") { rig.output.lastWritten >= 20 }
      unlink(rig.url.path)
      try rig.feed(30..<60, camera, nil)
      try await eventually("the loss is reported") { !notices.withLock { $0.isEmpty } }
      rig.output.stopRecording()
    }
    await rig.session.stop()
    #expect(notices.withLock { $0 }.first?.contains("was deleted") == true)
    #expect(report.isValid && report.outcome == .imperfect)
    #expect(report.incidents.contains { $0.kind == .fileLost })
    #expect(report.movie.frameCount == 60 && report.frames.dropped == 0)
    #expect(report.finishedMovies.count == report.segments.count)
    for url in report.finishedMovies {
      #expect(try MovieVerifier(path: url.path).run().isValid)
    }
  }

  @Test func an_emptied_movies_frames_are_reported_lost_with_timecode() async throws {
    let rig = try MovieRig(hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.options.timecodeSource = .start(
      try #require(Timecode("01:00:00:00", frameRate: .fps25)))
    let notices = Mutex<[String]>([])
    rig.output.noticeHandler = { text in notices.withLock { $0.append(text) } }
    let report = try await rig.record { camera, _ in
      try rig.feed(0..<30, camera, nil)
      try await eventually("twenty frames are written") { rig.output.lastWritten >= 20 }
      truncate(rig.url.path, 0)
      try rig.feed(30..<60, camera, nil)
      try await eventually("the loss is reported") { !notices.withLock { $0.isEmpty } }
      try rig.feed(60..<70, camera, nil)
      rig.output.stopRecording()
    }
    await rig.session.stop()
    #expect(!report.isValid && report.outcome == .failed)
    let held = report.segments.reduce(0) { $0 + $1.frameCount }
    #expect(held > 0 && report.movie.frameCount == held && report.frames.written == Int(held))
    #expect(Int64(report.frames.dropped) + held == 70)
    let lost = try #require(report.incidents.first { $0.reason == .notWritten })
    #expect(lost.frame == 0 && lost.timecode == "01:00:00:00" && Int64(lost.count) + held == 70)
  }

  @Test func space_reserved_by_the_take_counts_as_free() async throws {
    let reads = Atomic<Int>(0)
    // 300 MB free, and less once the file exists, because space is reserved for it.
    let rig = try MovieRig(
      hasAudio: false,
      freeSpace: FreeSpace { _ in
        reads.add(1, ordering: .relaxed).oldValue == 0 ? 300_000_000 : 149_000_000
      })
    defer { rig.cleanUp() }
    rig.output.minFreeDiskSpaceLimit = 200_000_000
    let report = try await rig.record { camera, _ in
      try rig.feed(0..<30, camera, nil)
      let before = reads.load(ordering: .relaxed)
      try await eventually("the disk is checked") {
        reads.load(ordering: .relaxed) >= before + 3
      }
      rig.output.stopRecording()
    }
    await rig.session.stop()
    #expect(report.end == .stopped && report.outcome == .complete)
  }

  @Test func free_space_is_checked_at_a_moved_folders_new_path() async throws {
    let rig = try MovieRig(
      hasAudio: false, freeSpace: FreeSpace { $0.hasSuffix("-moved") ? 1000 : 1 << 42 })
    defer { rig.cleanUp() }
    rig.output.minFreeDiskSpaceLimit = 1 << 40
    let folder = rig.url.deletingLastPathComponent().path
    let moved = folder + "-moved"
    defer { try? FileManager.default.removeItem(atPath: moved) }
    let report = try await rig.record { camera, _ in
      try rig.feed(0..<30, camera, nil)
      try await eventually("twenty frames are written") { rig.output.lastWritten >= 20 }
      #expect(rename(folder, moved) == 0)
      try rig.feed(30..<60, camera, nil)
      try await eventually("the take ends") { !rig.output.isRecording }
    }
    await rig.session.stop()
    #expect(report.end == .minimumFreeDiskSpaceReached && report.outcome == .endedEarly)
    #expect(report.movie.path.hasPrefix(moved))
  }

  @Test func unavailable_processors_are_reported() async throws {
    let rig = try MovieRig(hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.options.threads.processors = [8191]
    let notices = Mutex<[String]>([])
    rig.output.noticeHandler = { text in notices.withLock { $0.append(text) } }
    let report = try await rig.record { camera, _ in
      try rig.feed(0..<10, camera, nil)
      rig.output.stopRecording()
    }
    await rig.session.stop()
    #expect(report.refusedProcessors == [8191] && report.outcome == .complete)
    #expect(notices.withLock { $0.filter { $0.contains("processor 8191") }.count } == 1)
  }

  @Test func a_foreign_file_replacing_a_sidecar_is_kept() async throws {
    let rig = try MovieRig(hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.options.overwritesExistingFile = true
    let path = rig.url.path + ".json"
    let report = try await rig.record { camera, _ in
      try rig.feed(0..<30, camera, nil)
      try await eventually("the sidecar is written") {
        FileManager.default.fileExists(atPath: path)
      }
      try "mine".write(toFile: path, atomically: true, encoding: .utf8)
      try "mine".write(toFile: path + ".part", atomically: true, encoding: .utf8)
      rig.output.stopRecording()
    }
    await rig.session.stop()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    #expect(try String(contentsOfFile: path + ".part", encoding: .utf8) == "mine")
    #expect(report.sidecarError?.message.contains(path) == true)
  }
}

extension CaptureMovieFileOutput {
  /// Frames that have reached the file.
  var lastWritten: Int { current?.writer.report.video.first?.fileLatency.count ?? 0 }
}
