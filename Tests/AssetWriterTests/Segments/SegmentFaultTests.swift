import Foundation
import MediaCore
import QuickTime
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import AssetWriter

/// A disk that fails around a segment change.
@Suite(.tags(.judges)) struct SegmentFaultTests {
  /// Each file of a take fails according to the plan for its number.
  private func files(
    _ plans: [Int: FaultyMovieFile.Plan]
  ) -> @Sendable (URL) throws(QuickTimeError) -> any MovieFile {
    let made = Mutex(0)
    return { url throws(QuickTimeError) in
      let number = made.withLock { count in
        count += 1
        return count
      }
      return try FaultyMovieFile(path: url.path, plan: plans[number] ?? .init())
    }
  }

  /// Every remaining file decodes, and together they are the beginning of the uncut take.
  private func check(_ rig: SegmentRig, _ report: AssetWriter.Report, least: Int) async throws {
    _ = try await {
      var whole = rig
      whole.policy = SegmentPolicy()
      return whole
    }().record("whole.mov")
    let all = try Judges.packetBytes(rig.folder.path("whole.mov"))
    var bytes: [[UInt8]] = []
    for segment in report.segments {
      #expect(try Judges.strictDecode(segment.path) == "")
      bytes += try Judges.packetBytes(segment.path)
    }
    #expect(bytes.count >= least)
    #expect(bytes == Array(all.prefix(bytes.count)))
    #expect(rig.folder.contents.count == report.segments.count + 1, "\(rig.folder.contents)")
  }

  @Test func a_disk_filling_up_at_a_segment_change_leaves_complete_movies() async throws {
    // From no room at all for the second file to room for a part of it.
    for capacity in [0, 1000, (16 << 20), (16 << 20) + 150_000] {
      var rig = try SegmentRig()
      rig.frames = 60
      rig.noise = 200
      rig.policy.maximumFrameCount = 20
      let (report, error) = try await rig.record(
        "take.mov", makeFile: files([2: .init(capacity: UInt64(capacity))]))
      #expect(error?.code == .diskFull)
      #expect(error?.recordingSuccessfullyFinished == true, "\(capacity)")
      #expect(report.segments.first?.frameCount == 20)
      #expect(report.segments.first?.end == .durationReached)
      try await check(rig, report, least: 20)
    }
  }

  @Test func a_write_error_while_completing_a_segment_leaves_valid_files() async throws {
    var rig = try SegmentRig()
    rig.frames = 60
    rig.noise = 200
    rig.policy.maximumFrameCount = 20
    // The writes of a file of 20 frames at 25 fps: the header, a fragment, the rest, the index.
    for write in 2...4 {
      let (report, error) = try await rig.record(
        "take\(write).mov", makeFile: files([1: .init(failingWrite: write)]))
      #expect(error?.errno == .ioError)
      #expect(error?.recordingSuccessfullyFinished == false)
      #expect(report.status == "failed")
      for segment in report.segments { #expect(try Judges.strictDecode(segment.path) == "") }
    }
  }

  @Test func the_first_segment_survives_any_failure_in_the_second() async throws {
    for number in 1...5 {
      for plan in [
        FaultyMovieFile.Plan(failingWrite: number), FaultyMovieFile.Plan(failingSync: number),
      ] {
        var rig = try SegmentRig()
        rig.frames = 60
        rig.policy.maximumFrameCount = 20
        rig.configure = { $0.synchronizesFragments = true }
        let (report, _) = try await rig.record("take.mov", makeFile: files([2: plan]))
        let first = try #require(report.segments.first)
        #expect(first.isValid && first.frameCount == 20)
        #expect(try Judges.strictDecode(first.path) == "")
      }
    }
  }
}
