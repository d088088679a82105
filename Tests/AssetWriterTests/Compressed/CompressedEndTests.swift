import AssetWriter
import Foundation
import MediaCore
import QuickTime
import Synchronization
import TestSupport
import Testing

/// Fragmented movies of compressed video, and what remains of a movie that a disk, a folder or a
/// program ends early.
@Suite(.tags(.judges), .enabled(if: CompressedTake.hasEncoders, CompressedTake.absence))
struct CompressedEndTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var longTake: CompressedTake {
    var take = CompressedTake(times: (0..<75).map { $0 * 40 })
    take.audioFrames = 3 * 48_000
    take.fragments = MediaTime(value: 1, timescale: 5)
    return take
  }

  @Test func a_fragmented_movie_has_every_frame_and_all_audio() async throws {
    let path = folder.path("a.mp4")
    try await longTake.write(to: path)
    #expect(try CompressedTake.boxes(path).count { $0 == "moof" } >= 10)
    #expect(try Judges.strictDecode(path) == "")
    #expect(try CompressedTake.times(path) == longTake.times)
    #expect(try Judges.decodeAudio(path).count >= 2 * 144_000)
  }

  @Test(arguments: [true, false])
  func complete_fragments_are_kept_when_the_disk_is_full(isFragmented: Bool) async throws {
    let path = folder.path("a.mp4")
    var take = longTake
    if !isFragmented { take.fragments = .invalid }
    take.frames = { try TestMedia.frame($0, noise: 300) }
    let writer = AssetWriter(outputURL: URL(filePath: path), fileType: .mp4) {
      url throws(QuickTimeError) in
      try FaultyMovieFile(path: url.path, plan: .init(capacity: 150_000))
    }
    let error = await #expect(throws: AssetWriterError.self) {
      _ = try await take.write(with: writer)
    }
    #expect(error?.code == .diskFull)
    #expect(writer.status == .failed && writer.error?.code == .diskFull)
    #expect(writer.error?.recordingSuccessfullyFinished == isFragmented)
    #expect(FileManager.default.fileExists(atPath: path))
    guard isFragmented else {
      #expect(writer.report.segments.map(\.isValid) == [false])
      return
    }
    #expect(try Judges.strictDecode(path) == "")
    let frames = try CompressedTake.times(path).count
    #expect(frames > 10)
    #expect(
      writer.report.segments.map(\.frameCount) == [Int64(frames)],
      "the number of frames in the file")
  }

  @Test(arguments: [true, false])
  func a_completely_written_movie_stays_if_syncs_fail(isFragmented: Bool) async throws {
    let path = folder.path("a.mp4")
    var take = CompressedTake()
    take.fragments = isFragmented ? MediaTime(value: 3600, timescale: 1) : .invalid
    let writer = AssetWriter(outputURL: URL(filePath: path), fileType: .mp4) {
      url throws(QuickTimeError) in
      try FaultyMovieFile(path: url.path, plan: .init(failingSync: 1))
    }
    // The first sync comes after the movie's end.
    writer.configuration.synchronizesFragments = false
    let error = await #expect(throws: AssetWriterError.self) {
      _ = try await take.write(with: writer)
    }
    #expect(error?.code == .fileFailed, "\(error as Any)")
    #expect(try Judges.strictDecode(path) == "")
    #expect(try CompressedTake.times(path) == take.times)
  }

  /// The second sync finds nothing to do and succeeds, but the data are lost.
  @Test(arguments: [true, false])
  func a_movie_with_a_failed_sync_is_not_reported_complete(isFragmented: Bool) async throws {
    let path = folder.path("a.mp4")
    var take = CompressedTake()
    take.fragments = isFragmented ? MediaTime(value: 3600, timescale: 1) : .invalid
    let writer = AssetWriter(outputURL: URL(filePath: path), fileType: .mp4) {
      url throws(QuickTimeError) in
      try FaultyMovieFile(path: url.path, plan: .init(onlyFailingSync: 1))
    }
    writer.configuration.synchronizesFragments = false
    let error = await #expect(throws: AssetWriterError.self) {
      _ = try await take.write(with: writer)
    }
    #expect(error?.code == .fileFailed && error?.recordingSuccessfullyFinished == false)
    #expect(writer.report.segments.map(\.isValid) == [false])
    #expect(try CompressedTake.times(path) == take.times, "every frame is kept")
  }

  @Test func a_failed_sync_leaves_a_movie_of_the_confirmed_fragments() async throws {
    let path = folder.path("a.mp4")
    let take = longTake
    let writer = AssetWriter(outputURL: URL(filePath: path), fileType: .mp4) {
      url throws(QuickTimeError) in
      try FaultyMovieFile(path: url.path, plan: .init(onlyFailingSync: 3))
    }
    let error = await #expect(throws: AssetWriterError.self) {
      _ = try await take.write(with: writer)
    }
    #expect(error?.code == .fileFailed)
    #expect(writer.error?.recordingSuccessfullyFinished == true)
    #expect(try Judges.strictDecode(path) == "")
    let frames = try CompressedTake.times(path)
    #expect(!frames.isEmpty && frames.count < take.times.count)
    #expect(writer.report.segments.map(\.frameCount) == [Int64(frames.count)])
    #expect(
      try !CompressedTake.boxes(path).contains("mfra"), "nothing follows the confirmed fragments")
  }

  @Test func no_movie_begins_if_its_folder_cannot_be_synced() async throws {
    let path = folder.path("a.mp4")
    let take = longTake
    let writer = AssetWriter(outputURL: URL(filePath: path), fileType: .mp4) {
      url throws(QuickTimeError) in
      try FaultyMovieFile(path: url.path, plan: .init(failsFolderSync: true))
    }
    await #expect(throws: AssetWriterError.self) { _ = try await take.write(with: writer) }
    #expect(writer.error?.code == .fileFailed)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func a_movie_with_no_confirmed_data_is_kept() async throws {
    let path = folder.path("a.mp4")
    let take = longTake
    let writer = AssetWriter(outputURL: URL(filePath: path), fileType: .mp4) {
      url throws(QuickTimeError) in
      try FaultyMovieFile(path: url.path, plan: .init(onlyFailingSync: 1))
    }
    await #expect(throws: AssetWriterError.self) { _ = try await take.write(with: writer) }
    #expect(writer.error?.recordingSuccessfullyFinished == false)
    #expect(writer.report.segments.map(\.isValid) == [false])
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: [true, false])
  func a_movies_new_path_is_reported_if_its_folder_is_renamed(whileWriting: Bool) async throws {
    let (old, new) = (folder.path("a"), folder.path("b"))
    _ = try folder.makeFolder("a")
    let take = longTake
    let writer = try AssetWriter(path: old + "/take.mp4", fileType: .mp4)
    writer.movieFragmentInterval = take.fragments
    let moves = Mutex<[SegmentFileChange]>([])
    writer.segmentHandler = { event in
      if case .changed(_, let change) = event { moves.withLock { $0.append(change) } }
    }
    let (frames, audio) = try take.inputs(of: writer)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    if whileWriting { #expect(rename(old, new) == 0) }
    try await take.append(frames, audio)
    if !whileWriting { #expect(rename(old, new) == 0) }
    let report = try await writer.finishWriting()
    #expect(report.segments.map(\.path) == [new + "/take.mp4"])
    #expect(report.segments.first?.fileChange == .moved)
    let reported = moves.withLock { $0 }
    #expect(reported.map(\.newPath) == [new + "/take.mp4"] && reported.first?.change == .moved)
    #expect(try Judges.strictDecode(new + "/take.mp4") == "")
    #expect(!FileManager.default.fileExists(atPath: old))
  }

  @Test func a_cancelled_movie_leaves_no_file() async throws {
    let path = folder.path("a.mp4")
    let take = CompressedTake()
    let writer = try AssetWriter(path: path, fileType: .mp4)
    let (frames, audio) = try take.inputs(of: writer)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    try await take.append(frames, audio)
    writer.cancelWriting()
    #expect(writer.status == .cancelled && !FileManager.default.fileExists(atPath: path))
  }

  @Test func an_existing_file_is_replaced_only_if_allowed() async throws {
    let path = folder.path("a.mp4")
    try Data("old".utf8).write(to: URL(filePath: path))
    await #expect(throws: AssetWriterError.self) { try await CompressedTake().write(to: path) }
    #expect(try Data(contentsOf: URL(filePath: path)) == Data("old".utf8))
    try await CompressedTake().write(to: path) { $0.configuration.overwritePolicy = .replace }
    #expect(try Judges.strictDecode(path) == "")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).count == 1)
  }

  @Test func a_split_take_makes_several_movies() async throws {
    var settings = CompressedTake.settings()
    settings.frameRate = .fps25
    let take = CompressedTake(video: settings, times: (0..<50).map { $0 * 40 }, audioFrames: 96_000)
    let report = try await take.write(to: folder.path("a.mp4")) {
      $0.configuration.segments.maximumFrameCount = 20
    }
    #expect(report.segments.map(\.frameCount) == [20, 20, 10])
    for segment in report.segments {
      #expect(try Judges.strictDecode(segment.path) == "")
      let video = try Judges.probe(segment.path, countingFrames: true).stream("video")
      #expect(video.nb_read_frames == "\(segment.frameCount)")
    }
    let lengths = try report.segments.map { try Judges.probe($0.path).stream("audio").duration_ts }
    #expect(lengths == [38_400, 38_400, 19_200])
  }
}
