import CaptureTestSupport
import Foundation
import MediaCore
import QuickTime
import Synchronization
import TestSupport
import Testing

@testable import AssetWriter
@testable import VideoRecorder

/// The free space of a take's disks if one of them hangs or is lost.
@Suite struct DiskWatchTests {
  @Test func a_hanging_disk_is_awaited_once_and_keeps_its_last_value() throws {
    let isHanging = WaitableMutex(false)
    let looks = Atomic(0)
    let watch = DiskWatch(patience: 0.05) { _ in
      looks.add(1, ordering: .relaxed)
      _ = isHanging.wait { $0 ? nil : true }
      return 1000
    }
    defer { isHanging.update { $0 = false } }
    #expect(watch.bytesAtLast(in: "/a") == 1000)
    isHanging.update { $0 = true }
    for _ in 0..<3 { #expect(watch.bytes(in: "/a") == 1000) }
    #expect(watch.bytes(in: "/b") == nil)
    // Only one check of each disk is waiting, however often it was requested.
    #expect(looks.load(ordering: .relaxed) <= 3)
  }

  @Test func an_abandoned_folder_is_no_longer_checked() {
    let watch = DiskWatch { _ in 1 }
    #expect(watch.remaining(of: ["/a", "/b/"]) == ["/a", "/b/"])
    watch.giveUp(folderOf: "/b/take.mov")
    #expect(watch.remaining(of: ["/a", "/b/"]) == ["/a"])
  }

  @Test(.timeLimit(.minutes(2)))
  func a_hanging_free_space_check_does_not_block_stopping() async throws {
    let isHanging = WaitableMutex(false)
    let isAsked = Atomic(false)
    let rig = try MovieRig(
      hasAudio: false,
      freeSpace: FreeSpace { _ in
        if isHanging.withLock({ $0 }) { isAsked.store(true, ordering: .releasing) }
        _ = isHanging.wait { $0 ? nil : true }
        return 1 << 42
      })
    defer { rig.cleanUp() }
    defer { isHanging.update { $0 = false } }
    rig.output.minFreeDiskSpaceLimit = 1
    let report = try await rig.record { camera, _ in
      try rig.feed(0..<10, camera, nil)
      isHanging.update { $0 = true }
      try await eventually("the disk is queried") { isAsked.load(ordering: .acquiring) }
      #expect(rig.output.progress?.freeDiskSpace ?? 0 >= 1 << 42)
      rig.output.stopRecording()
    }
    #expect(report.end == .stopped && report.movie.frameCount == 10)
    isHanging.update { $0 = false }
    await rig.session.stop()
  }

  @Test func after_losing_the_first_disk_progress_describes_the_second() async throws {
    let rig = try MovieRig(
      hasAudio: false, freeSpace: FreeSpace { $0.hasSuffix("/second") ? 1 << 42 : 1 << 41 })
    defer { rig.cleanUp() }
    let second = rig.folder.appending(path: "second")
    try FileManager.default.createDirectory(at: second, withIntermediateDirectories: true)
    rig.output.options.secondFolder = second.path
    let report = try await rig.record { camera, _ in
      try rig.feed(0..<10, camera, nil)
      try await eventually("the movie has begun") { rig.output.progress?.path == rig.url.path }
      #expect(rig.output.progress?.freeDiskSpace ?? 0 < 1 << 42)
      #expect(rig.output.progress?.lostPlace == nil)
      let recording = try #require(rig.output.current)
      recording.keepSidecar(
        .copyLost(number: 1, MovieFileCopy(path: rig.url.path, isWhole: false, message: "gone")))
      let progress = try #require(rig.output.progress)
      #expect(progress.path == second.appending(path: "take.mov").path)
      #expect(progress.freeDiskSpace ?? 0 >= 1 << 42)
      try await eventually("the progress has the loss") { rig.output.progress?.lostPlace != nil }
      let lost = rig.output.progress?.lostPlace
      #expect(lost?.isSecond == false && lost?.path == rig.url.path && lost?.message == "gone")
      rig.output.stopRecording()
    }
    await rig.session.stop()
    #expect(report.incidents.contains { $0.kind == .copyLost })
  }
}
