import Foundation
import MediaCore
import QuickTime
import Synchronization
import TestSupport
import Testing

@testable import AssetWriter

/// Takes that are split into several movies.
@Suite(.tags(.judges)) struct SegmentTests {
  @Test func a_take_split_by_frame_count_equals_the_whole_take() async throws {
    for rate in [FrameRate.fps25, .fps29_97] {
      var rig = try SegmentRig()
      rig.rate = rate
      rig.policy.maximumFrameCount = 12
      let (report, error) = try await rig.record("take.mov")
      #expect(error == nil)
      #expect(report.segments.map(\.frameCount) == [12, 12, 12, 12, 2])
      #expect(
        report.segments.map(\.end)
          == Array(repeating: .durationReached, count: 4) + [.takeEnded])
      #expect(
        rig.folder.contents
          == ["take-002.mov", "take-003.mov", "take-004.mov", "take-005.mov", "take.mov"])
      try await rig.compare(report, with: "whole.mov")
      #expect(report.video.first?.framesWritten == 50)
      #expect(report.video.first?.framesRepeated == 0)
    }
  }

  @Test func a_take_is_split_before_its_audio_exceeds_the_sample_limit() async throws {
    for rate in [FrameRate.fps25, .fps29_97] {
      var rig = try SegmentRig()
      rig.rate = rate
      rig.policy.maximumSampleCount = 48_000
      let (report, error) = try await rig.record("take.mov")
      #expect(error == nil && report.segments.count > 1)
      let longest = Int((rate.framesPerSecond).rounded(.down)) - 1
      #expect(report.segments.dropLast().allSatisfy { $0.frameCount == longest })
      try await rig.compare(report, with: "whole.mov")
    }
  }

  @Test func a_duration_limit_is_met_to_the_nearest_frame() async throws {
    var rig = try SegmentRig()
    rig.rate = .fps29_97
    rig.policy.maximumDuration = MediaTime(value: 1, timescale: 2)
    rig.policy.numbersFirstFile = true
    let (report, _) = try await rig.record("take.mov")
    #expect(report.segments.map(\.frameCount) == [15, 15, 15, 5])
    #expect(rig.folder.contents.first == "take-001.mov")
  }

  @Test(.tags(.slow)) func splits_at_random_moments_keep_frames_and_audio_in_sync() async throws {
    for seed in 1...(TestRun.isThorough ? 5 : 2) {
      var generator = SeededGenerator(seed: UInt64(seed))
      var rig = try SegmentRig()
      rig.rate = [.fps25, .fps29_97, .fps23_976].randomElement(using: &generator) ?? .fps25
      rig.frames = Int.random(in: 30...60, using: &generator)
      rig.bufferLength = Int.random(in: 100...4000, using: &generator)
      rig.audioLead = Int.random(in: -6000...9000, using: &generator)
      for _ in 0..<5 {
        rig.requests.insert(Int.random(in: 1..<rig.frames - 2, using: &generator))
        rig.missing.insert(Int.random(in: 1..<rig.frames - 1, using: &generator))
      }
      // Above all, the frames at a cut.
      if let cut = rig.requests.first { rig.missing.insert(cut) }
      let (report, error) = try await rig.record("take.mov")
      #expect(error == nil, "seed \(seed)")
      #expect(report.segments.count > 1, "seed \(seed)")
      try await rig.compare(report, with: "whole.mov")
      #expect(report.video.first?.framesRepeated == rig.missing.count, "seed \(seed)")
    }
  }

  @Test func a_requested_segment_begins_with_the_next_appended_frame() async throws {
    var rig = try SegmentRig()
    // Audio behind the video never delays a cut.
    rig.audioLead = -3000
    rig.requests = [7, 8, 30]
    let (report, _) = try await rig.record("take.mov")
    #expect(report.segments.map(\.frameCount) == [7, 1, 22, 20])
    #expect(report.segments.map(\.end) == [.requested, .requested, .requested, .takeEnded])
    try await rig.compare(report, with: "whole.mov")
  }

  @Test func no_file_exceeds_the_segment_size_limit() async throws {
    for (lead, limit) in [(0, 400_000), (-4000, 500_000), (9000, 600_000)] {
      var rig = try SegmentRig()
      rig.noise = 200
      rig.audioLead = lead
      rig.policy.maximumByteCount = Int64(limit)
      let (report, error) = try await rig.record("take.mov")
      #expect(error == nil)
      #expect(report.segments.count > 1)
      #expect(report.segments.allSatisfy { $0.fileSize <= limit })
      #expect(report.segments.dropLast().allSatisfy { $0.end == .sizeReached })
      // Nor much smaller.
      #expect(report.segments.dropLast().allSatisfy { $0.fileSize > limit / 2 })
      try await rig.compare(report, with: "whole.mov")
    }
  }

  @Test func extended_frames_count_once_toward_the_size_limit() async throws {
    let folder = try TemporaryFolder()
    var settings = Recording.settings()
    settings.gapPolicy = .extendPreviousFrame
    let writer = try AssetWriter(path: folder.path("a.mov"))
    writer.configuration.maximumGap = 1e6
    writer.configuration.segments.maximumByteCount = 1_000_000
    let video = try writer.inputReceiver(for: AssetWriterInput(outputSettings: settings))
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    for number in [0, 1, 100_000, 200_000, 200_001] {
      try await video.append(TestMedia.video(number))
    }
    let report = try await writer.finishWriting()
    #expect(report.segments.count == 1 && report.video.first?.framesWritten == 5)
  }

  @Test func a_frame_above_the_size_limit_gets_its_own_segment() async throws {
    var rig = try SegmentRig()
    rig.frames = 5
    rig.policy.fileSizeLimit = 1000
    let (report, error) = try await rig.record("take.mov")
    #expect(error == nil)
    #expect(report.segments.map(\.frameCount) == [1, 1, 1, 1, 1])
    #expect(report.segments.first?.end == .fileSizeLimitReached)
  }

  @Test func taken_names_are_skipped_but_a_taken_first_name_is_refused() async throws {
    var rig = try SegmentRig()
    rig.policy.maximumFrameCount = 20
    try Data("mine".utf8).write(to: URL(filePath: rig.folder.path("take-002.mov")))
    let (report, error) = try await rig.record("take.mov")
    #expect(error == nil)
    #expect(
      report.segments.map { URL(filePath: $0.path).lastPathComponent }
        == ["take.mov", "take-003.mov", "take-004.mov"])
    #expect(try Data(contentsOf: URL(filePath: rig.folder.path("take-002.mov"))).count == 4)
    let refused = await #expect(throws: AssetWriterError.self) { try await rig.record("take.mov") }
    #expect(refused?.code == .fileExists)
  }

  @Test func a_slowly_completed_segment_does_not_block_the_take() async throws {
    var rig = try SegmentRig()
    rig.policy.maximumFrameCount = 10
    let gate = Gate()
    // The first file is not truncated to its end before the take's last frame has been written.
    let (report, error) = try await rig.record("take.mov") { url throws(QuickTimeError) in
      let isFirst = url.lastPathComponent == "take.mov"
      if url.lastPathComponent == "take-005.mov" { gate.open() }
      return GatedMovieFile(
        try PosixMovieFile(path: url.path, mode: .create), gate: isFirst ? gate : nil)
    }
    #expect(error == nil)
    #expect(gate.wasInTime)
    #expect(report.segments.map(\.frameCount) == [10, 10, 10, 10, 10])
    try await rig.compare(report, with: "whole.mov")
  }

  @Test func a_new_segment_is_refused_before_the_first_frame() async throws {
    let folder = try TemporaryFolder()
    let writer = try AssetWriter(path: folder.path("a.mov"))
    #expect(throws: AssetWriterError.self) { try writer.startNewSegment() }
    _ = try writer.inputReceiver(for: AssetWriterInput(outputSettings: Recording.settings()))
    try writer.start()
    #expect(throws: AssetWriterError.self) { try writer.startNewSegment() }
    writer.cancelWriting()
    #expect(folder.contents == [])
  }

  @Test func a_cancelled_take_leaves_no_segment() async throws {
    let folder = try TemporaryFolder()
    let writer = try AssetWriter(path: folder.path("a.mov"))
    writer.configuration.segments.maximumFrameCount = 5
    let receiver = try writer.inputReceiver(
      for: AssetWriterInput(outputSettings: Recording.settings()))
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    for number in 0..<30 { try await receiver.append(TestMedia.video(number)) }
    writer.cancelWriting()
    #expect(writer.status == .cancelled)
    #expect(folder.contents == [])
  }
}

/// Holds a thread until the gate is opened, or for a minute at most.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let passed = Atomic<Bool>(true)
  var wasInTime: Bool { passed.load(ordering: .acquiring) }
  func open() { semaphore.signal() }
  func pass() {
    if semaphore.wait(timeout: .now() + 60) == .timedOut {
      passed.store(false, ordering: .releasing)
    }
  }
}

/// A real file that waits at a gate before finishing truncates it to its end.
final class GatedMovieFile: MovieFile {
  private let file: PosixMovieFile
  private let gate: Gate?

  init(_ file: PosixMovieFile, gate: Gate?) {
    self.file = file
    self.gate = gate
  }

  var name: String { file.name }
  func size() throws(QuickTimeError) -> UInt64 { try file.size() }
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(QuickTimeError) -> Int { try file.read(into: buffer, at: offset) }
  func write(_ buffers: [UnsafeRawBufferPointer], at offset: UInt64) throws(QuickTimeError) {
    try file.write(buffers, at: offset)
  }
  func preallocate(offset: UInt64, count: UInt64) throws(QuickTimeError) -> Bool { false }
  func truncate(to size: UInt64) throws(QuickTimeError) {
    gate?.pass()
    try file.truncate(to: size)
  }
  func synchronize() throws(QuickTimeError) {}
  func synchronizeParentDirectory() throws(QuickTimeError) {}
  func close() throws(QuickTimeError) { try file.close() }
  func remove() throws(QuickTimeError) { try file.remove() }
}
