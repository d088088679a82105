import Foundation
import MediaCore
import QuickTime
import Synchronization
import TestSupport
import Testing

@testable import AssetWriter

/// Changes by others to a file that libavformat writes.
@Suite(.tags(.judges), .enabled(if: CompressedTake.hasEncoders, CompressedTake.absence))
struct CompressedFileChangeTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private typealias Written = (
    report: AssetWriter.Report, error: AssetWriterError?, changes: [MovieFileChange]
  )

  /// Writes two seconds, and runs the closure before the middle frame.
  private func write(
    _ name: String = "take.mp4", fragments: MediaTime,
    meanwhile: @escaping @Sendable (String) -> Void
  ) async throws -> Written {
    let path = folder.path(name)
    let writer = try AssetWriter(path: path, fileType: .mp4)
    let changes = Mutex<[MovieFileChange]>([])
    writer.segmentHandler = { event in
      if case .changed(_, let change) = event { changes.withLock { $0.append(change.change) } }
    }
    var settings = CompressedTake.settings()
    settings.frameRate = .fps25
    var take = CompressedTake(video: settings)
    take.audio = nil
    take.times = (0..<50).map { $0 * 40 }
    take.fragments = fragments
    take.frames = { number in
      if number == 25 { meanwhile(path) }
      return try TestMedia.frame(number)
    }
    var failure: AssetWriterError?
    do { _ = try await take.write(with: writer) } catch let error as AssetWriterError {
      failure = error
    }
    return (writer.report, failure, changes.withLock { $0 })
  }

  private func frames(in path: String) throws -> Int {
    #expect(try Judges.strictDecode(path) == "")
    let video = try Judges.probe(path, countingFrames: true).stream("video")
    return try #require(video.nb_read_frames.flatMap { Int($0) })
  }

  @Test(arguments: [MediaTime.invalid, MediaTime(value: 1, timescale: 2)])
  func a_deleted_movie_is_reported_and_restored(fragments: MediaTime) async throws {
    let written = try await write(fragments: fragments) { unlink($0) }
    #expect(written.error == nil && written.changes == [.deleted])
    #expect(written.report.segments.first?.fileChange == .deleted)
    #expect(written.report.segments.first?.path == folder.path("take.mp4"))
    var sum = 0
    for segment in written.report.segments {
      #expect(segment.isValid)
      sum += try frames(in: segment.path)
    }
    #expect(sum == 50)
  }

  @Test func a_movie_replaced_by_another_file_is_restored_beside_it() async throws {
    let written = try await write(fragments: .invalid) { path in
      unlink(path)
      _ = FileManager.default.createFile(atPath: path, contents: Data("mine".utf8))
    }
    #expect(written.error == nil && written.changes == [.replaced])
    #expect(try String(contentsOfFile: folder.path("take.mp4"), encoding: .utf8) == "mine")
    #expect(written.report.segments.first?.path == folder.path("take.restored.mp4"))
    for segment in written.report.segments { #expect(try frames(in: segment.path) > 0) }
  }

  /// Writes a movie over a file, and runs the closure before the movie takes the file's place.
  private func replace(
    fragments: MediaTime, _ willAdoptName: @escaping @Sendable (String) -> Void
  ) async throws -> (report: AssetWriter.Report, reported: [SegmentFileChange]) {
    let path = folder.path("take.mp4")
    try Data("old".utf8).write(to: URL(filePath: path))
    var take = CompressedTake()
    take.fragments = fragments
    let writer = AssetWriter(outputURL: URL(filePath: path), fileType: .mp4) {
      url throws(QuickTimeError) in
      try FaultyMovieFile(
        path: url.path, plan: .init(mode: .overwrite, willAdoptName: willAdoptName))
    }
    let reported = Mutex<[SegmentFileChange]>([])
    writer.segmentHandler = { event in
      if case .changed(_, let change) = event { reported.withLock { $0.append(change) } }
    }
    return (try await take.write(with: writer), reported.withLock { $0 })
  }

  @Test(arguments: [MediaTime.invalid, MediaTime(value: 1, timescale: 5)])
  func a_movie_that_cannot_take_its_name_is_complete_and_reported_once(
    fragments: MediaTime
  ) async throws {
    let path = folder.path("take.mp4")
    let (report, reported) = try await replace(fragments: fragments) { _ in
      unlink(path)
      _ = FileManager.default.createFile(atPath: path, contents: Data("mine".utf8))
    }
    let own = folder.path("take.new.mp4")
    #expect(reported.map(\.newPath) == [own] && reported.first?.error?.code == .fileExists)
    #expect(report.segments.map(\.path) == [own] && report.segments.map(\.isValid) == [true])
    #expect(try frames(in: own) == 25)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  @Test func a_movie_replaces_an_existing_file_with_its_first_fragment() async throws {
    let sizes = Mutex<[Int]>([])
    let (report, reported) = try await replace(fragments: MediaTime(value: 1, timescale: 5)) {
      path in
      sizes.withLock { $0.append((try? Data(contentsOf: URL(filePath: path)).count) ?? 0) }
    }
    #expect(reported.isEmpty && report.segments.map(\.path) == [folder.path("take.mp4")])
    // More than the header, which has no frame.
    #expect(sizes.withLock { $0.count == 1 && $0[0] > 1000 })
  }

  @Test func an_emptied_audio_file_is_reported_as_incomplete() async throws {
    let path = folder.path("take.wav")
    let writer = try AssetWriter(path: path, fileType: .wav)
    var known = KnownAudioFile(.wav)
    known.buffers = [Int](repeating: 4800, count: 40)
    let input = try writer.inputReceiver(for: AssetWriterInput(outputSettings: known.settings))
    try writer.start()
    try writer.startSession(atSourceTime: KnownAudioFile.start)
    for index in 0..<20 { try await known.append(index, to: input) }
    try await eventually("sound is in the file") {
      try Data(contentsOf: URL(filePath: path)).count > 1000
    }
    truncate(path, 0)
    for index in 20..<40 { try await known.append(index, to: input) }
    let error = await #expect(throws: AssetWriterError.self) { try await writer.finishWriting() }
    #expect(error?.message.contains("emptied") == true)
    #expect(writer.report.segments.allSatisfy { !$0.isValid && $0.fileChange == .emptied })
  }
}
