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
    take.soundFrames = 3 * 48_000
    take.fragments = MediaTime(value: 1, timescale: 5)
    return take
  }

  @Test func a_movie_in_fragments_has_all_that_a_plain_one_has() async throws {
    let path = folder.path("a.mp4")
    try await longTake.write(to: path)
    #expect(try CompressedTake.boxes(path).count { $0 == "moof" } >= 10)
    #expect(try Judges.strictDecode(path) == "")
    #expect(try CompressedTake.times(path) == longTake.times)
    #expect(try Judges.decodeAudio(path).count >= 2 * 144_000)
  }

  @Test(arguments: [true, false])
  func what_is_whole_is_kept_when_the_disk_is_full(isFragmented: Bool) async throws {
    let path = folder.path("a.mp4")
    var take = longTake
    if !isFragmented { take.fragments = .invalid }
    take.pictures = { try TestMedia.picture($0, noise: 300) }
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
    #expect(writer.report.segments.map(\.frameCount) == [Int64(frames)], "what the file holds")
  }

  @Test(arguments: [true, false])
  func a_movie_that_is_written_whole_stays_where_the_disk_confirms_nothing(
    isFragmented: Bool
  ) async throws {
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
  func a_movie_that_one_sync_did_not_confirm_is_not_called_complete(
    isFragmented: Bool
  ) async throws {
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
    #expect(try CompressedTake.times(path) == take.times, "nothing of it is taken away")
  }

  @Test func what_earlier_syncs_confirmed_is_a_movie_where_one_fails() async throws {
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
    #expect(try !CompressedTake.boxes(path).contains("mfra"), "what came behind them is not there")
  }

  @Test func a_movie_whose_name_does_not_reach_the_disk_is_not_begun() async throws {
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

  @Test func where_nothing_of_a_movie_was_confirmed_all_of_it_stays() async throws {
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
  func a_movie_whose_folder_is_renamed_is_told_where_it_is(whileItGoesOn: Bool) async throws {
    let (old, new) = (folder.path("a"), folder.path("b"))
    _ = try folder.makeFolder("a")
    let take = longTake
    let writer = try AssetWriter(path: old + "/take.mp4", fileType: .mp4)
    writer.movieFragmentInterval = take.fragments
    let moves = Mutex<[SegmentFileChange]>([])
    writer.segmentHandler = { event in
      if case .changed(_, let change) = event { moves.withLock { $0.append(change) } }
    }
    let (pictures, sound) = try take.inputs(of: writer)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    if whileItGoesOn { #expect(rename(old, new) == 0) }
    try await take.append(pictures, sound)
    if !whileItGoesOn { #expect(rename(old, new) == 0) }
    let report = try await writer.finishWriting()
    #expect(report.segments.map(\.path) == [new + "/take.mp4"])
    #expect(report.segments.first?.fileChange == .moved)
    let told = moves.withLock { $0 }
    #expect(told.map(\.newPath) == [new + "/take.mp4"] && told.first?.change == .moved)
    #expect(try Judges.strictDecode(new + "/take.mp4") == "")
    #expect(!FileManager.default.fileExists(atPath: old))
  }

  @Test func a_cancelled_movie_leaves_no_file() async throws {
    let path = folder.path("a.mp4")
    let take = CompressedTake()
    let writer = try AssetWriter(path: path, fileType: .mp4)
    let (pictures, sound) = try take.inputs(of: writer)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    try await take.append(pictures, sound)
    writer.cancelWriting()
    #expect(writer.status == .cancelled && !FileManager.default.fileExists(atPath: path))
  }

  @Test func a_file_that_is_to_be_replaced_stays_until_the_new_one_is_worth_more() async throws {
    let path = folder.path("a.mp4")
    try Data("old".utf8).write(to: URL(filePath: path))
    await #expect(throws: AssetWriterError.self) { try await CompressedTake().write(to: path) }
    #expect(try Data(contentsOf: URL(filePath: path)) == Data("old".utf8))
    try await CompressedTake().write(to: path) { $0.configuration.overwritePolicy = .replace }
    #expect(try Judges.strictDecode(path) == "")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).count == 1)
  }

  @Test func a_take_that_is_cut_is_several_movies() async throws {
    var settings = CompressedTake.settings()
    settings.frameRate = .fps25
    let take = CompressedTake(video: settings, times: (0..<50).map { $0 * 40 }, soundFrames: 96_000)
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
