import Foundation
import MediaCore
import QuickTime
import Synchronization
import TestSupport
import Testing

@testable import AssetWriter

/// Takes that are cut into several movies.
@Suite struct SegmentTests {
  @Test("a take cut by length is the uncut one, frame by frame and sample by sample")
  func by_length() async throws {
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

  @Test("a length in time is met to the nearest frame")
  func by_time() async throws {
    var rig = try SegmentRig()
    rig.rate = .fps29_97
    rig.policy.maximumDuration = MediaTime(value: 1, timescale: 2)
    rig.policy.numbersFirstFile = true
    let (report, _) = try await rig.record("take.mov")
    #expect(report.segments.map(\.frameCount) == [15, 15, 15, 5])
    #expect(rig.folder.contents.first == "take-001.mov")
  }

  @Test("cuts at random moments, sound before or behind the pictures, frames missing around them")
  func at_random() async throws {
    for seed in 1...5 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var rig = try SegmentRig()
      rig.rate = [.fps25, .fps29_97, .fps23_976].randomElement(using: &generator) ?? .fps25
      rig.frames = Int.random(in: 30...60, using: &generator)
      rig.bufferLength = Int.random(in: 100...4000, using: &generator)
      rig.soundLead = Int.random(in: -6000...9000, using: &generator)
      for _ in 0..<5 {
        rig.requests.insert(Int.random(in: 1..<rig.frames - 2, using: &generator))
        rig.missing.insert(Int.random(in: 1..<rig.frames - 1, using: &generator))
      }
      // The pictures around a cut, above all.
      if let cut = rig.requests.first { rig.missing.insert(cut) }
      let (report, error) = try await rig.record("take.mov")
      #expect(error == nil, "seed \(seed)")
      #expect(report.segments.count > 1, "seed \(seed)")
      try await rig.compare(report, with: "whole.mov")
      #expect(report.video.first?.framesRepeated == rig.missing.count, "seed \(seed)")
    }
  }

  @Test("a segment asked for begins with the frame that is appended next")
  func on_request() async throws {
    var rig = try SegmentRig()
    // Sound that follows the pictures never pushes a cut back.
    rig.soundLead = -3000
    rig.requests = [7, 8, 30]
    let (report, _) = try await rig.record("take.mov")
    #expect(report.segments.map(\.frameCount) == [7, 1, 22, 20])
    #expect(report.segments.map(\.end) == [.requested, .requested, .requested, .takeEnded])
    try await rig.compare(report, with: "whole.mov")
  }

  @Test("no file is larger than a segment may be")
  func by_size() async throws {
    for (lead, limit) in [(0, 400_000), (-4000, 500_000), (9000, 600_000)] {
      var rig = try SegmentRig()
      rig.noise = 200
      rig.soundLead = lead
      rig.policy.maximumByteCount = Int64(limit)
      let (report, error) = try await rig.record("take.mov")
      #expect(error == nil)
      #expect(report.segments.count > 1)
      #expect(report.segments.allSatisfy { $0.fileSize <= limit })
      #expect(report.segments.dropLast().allSatisfy { $0.end == .sizeReached })
      // And not much smaller either.
      #expect(report.segments.dropLast().allSatisfy { $0.fileSize > limit / 2 })
      try await rig.compare(report, with: "whole.mov")
    }
  }

  @Test("a frame larger than a segment may be makes a segment of its own")
  func tiny_segments() async throws {
    var rig = try SegmentRig()
    rig.frames = 5
    rig.policy.fileSizeLimit = 1000
    let (report, error) = try await rig.record("take.mov")
    #expect(error == nil)
    #expect(report.segments.map(\.frameCount) == [1, 1, 1, 1, 1])
    #expect(report.segments.first?.end == .fileSizeLimitReached)
  }

  @Test("a name that is taken is passed over, the first one refused")
  func taken_names() async throws {
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

  @Test("the end of a segment that the disk takes its time over holds nothing up")
  func slow_finish() async throws {
    var rig = try SegmentRig()
    rig.policy.maximumFrameCount = 10
    let gate = Gate()
    // The first file is not cut to its end before the take's last frame has been written.
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

  @Test("without a frame there is nothing to cut")
  func too_early() async throws {
    let folder = try TemporaryFolder()
    let writer = try AssetWriter(path: folder.path("a.mov"))
    #expect(throws: AssetWriterError.self) { try writer.startNewSegment() }
    _ = try writer.inputReceiver(for: AssetWriterInput(outputSettings: Recording.settings()))
    try writer.start()
    #expect(throws: AssetWriterError.self) { try writer.startNewSegment() }
    writer.cancelWriting()
    #expect(folder.contents == [])
  }

  @Test("a cancelled take leaves no segment behind")
  func cancelled() async throws {
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

/// Holds a thread until it is opened; after ten seconds it lets it through.
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

/// A real file that waits at a gate before it is cut to its end, which the finish does.
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
