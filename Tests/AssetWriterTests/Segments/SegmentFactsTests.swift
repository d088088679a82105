import Foundation
import MediaCore
import QuickTime
import TestSupport
import Testing

@testable import AssetWriter

/// What the movies of a split take have besides video and audio.
@Suite struct SegmentFactsTests {
  private let folder: TemporaryFolder
  private let writer: AssetWriter

  init() throws {
    folder = try TemporaryFolder()
    var configuration = AssetWriter.Configuration()
    configuration.segments.maximumFrameCount = 10
    configuration.synchronizesFragments = false
    configuration.writesTimecode = false
    writer = try AssetWriter(path: folder.path("a.mov"), configuration: configuration)
  }

  private func time(_ frame: Int) -> MediaTime { MediaTime(value: Int64(frame), timescale: 25) }

  /// Writes thirty frames from a source time of 4 s.
  private func write(_ before: (AssetWriter) throws -> Void) async throws {
    let video = try writer.inputReceiver(
      for: AssetWriterInput(outputSettings: Recording.settings(encoder: .native)))
    try writer.start()
    try writer.startSession(atSourceTime: time(100))
    try before(writer)
    for number in 0..<30 {
      var sample = try TestMedia.video(number)
      sample.presentationTimeStamp = time(100 + number)
      try await video.append(sample)
    }
    try await writer.finishWriting()
  }

  /// The samples of a track in each movie: frames from its start to its end, and bytes.
  private func samples(_ type: MediaType) throws -> [[String]] {
    try writer.report.segments.map { segment in
      let file = try PosixMovieFile(path: segment.path, mode: .read)
      guard let track = try MovieIndex(file).tracks.first(where: { $0.mediaType == type }) else {
        return []
      }
      let all = MediaTimeRange(start: .zero, duration: .positiveInfinity)
      var reader = DataSampleReader(track, of: file, in: all)
      var found: [String] = []
      while let sample = try reader.next() {
        let (start, end) = (sample.timeRange.start.seconds, sample.timeRange.end.seconds)
        let text = String(decoding: sample.bytes.filter { (32..<127).contains($0) }, as: UTF8.self)
        found.append("\(Int((start * 25).rounded()))-\(Int((end * 25).rounded())) \(text)")
      }
      return found
    }
  }

  @Test func each_movie_has_the_metadata_valid_in_it() async throws {
    let key = TimedMetadataTrack.Key(name: "org.example.text", type: 1)
    let track = try writer.addMetadataTrack(keys: [key])
    try await write { writer in
      for (start, end, text) in [(2, 4, "A"), (6, nil, "B"), (20, 21, "C"), (25, 99, "D")] {
        try writer.appendMetadata(
          TimedMetadataTrack.Sample(
            start: time(100 + start), end: end.map { time(100 + $0) } ?? .invalid,
            values: [.init(key: 0, bytes: Array(text.utf8))]), to: track)
      }
    }
    #expect(
      try samples(.metadata) == [
        ["2-4 A", "4-6 ", "6-10 B"], ["0-10 B"], ["0-1 C", "1-5 ", "5-10 D"],
      ])
    #expect(writer.report.metadata?.map(\.samplesAppended) == [4])
    #expect(writer.report.metadata?.map(\.samplesLate) == [0])
  }

  @Test func each_movie_has_the_chapters_that_begin_in_it() async throws {
    writer.chapters = [("One", 2), ("Two", 9), ("Three", 24)].map {
      MovieChapter(title: $0, start: time($1))
    }
    try await write { _ in }
    #expect(
      try samples(.text) == [["2-9 Oneencd", "9-10 Twoencd"], [], ["4-10 Threeencd"]])
  }

  private func caption(_ frame: Int, _ count: Int = 2) -> CaptionSample {
    CaptionSample(
      start: time(frame), firstField: [UInt8](repeating: 65, count: count), secondField: [])
  }

  @Test func each_movie_has_the_captions_of_its_frames() async throws {
    try writer.addCaptionTrack()
    try await write { writer in
      for frame in [8, 12, 29] { try writer.appendCaptions(caption(frame)) }
    }
    #expect(writer.report.captions?.samplesAppended == 3)
    #expect(writer.report.captions?.samplesLate == 0)
    #expect(writer.report.captions?.samplesOutside == nil)
    #expect(
      try samples(.closedCaption) == [
        ["0-8 cdat", "8-10 cdatAA"], ["0-2 cdat", "2-10 cdatAA"], ["0-9 cdat", "9-10 cdatAA"],
      ])
  }

  @Test func captions_count_toward_the_size_limit() async throws {
    let limit: Int64 = 600_000
    try writer.addCaptionTrack()
    writer.configuration.segments.maximumFrameCount = nil
    writer.configuration.segments.maximumByteCount = limit
    let video = try writer.inputReceiver(
      for: AssetWriterInput(outputSettings: Recording.settings(encoder: .native)))
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    for frame in 0..<30 {
      try writer.appendCaptions(caption(frame, 60_000))
      try await video.append(try TestMedia.video(frame))
    }
    try await writer.finishWriting()
    let segments = writer.report.segments
    #expect(segments.count > 3)
    #expect(segments.allSatisfy { $0.fileSize <= limit }, "\(segments.map(\.fileSize))")
    #expect(try samples(.closedCaption).joined().count { $0.contains("AAA") } == 30)
  }

  @Test func each_movie_has_the_appended_timecode() async throws {
    let format = TimecodeFormatDescription(
      frameDuration: time(1), frameQuanta: 25, isDropFrame: false)
    try writer.addTimecodeTrack()
    try await write { writer in
      for (frame, number) in [(0, 1000), (1, 1001), (15, 2000)] {
        try writer.appendTimecode(
          TimecodeRun(start: time(100 + frame), frameNumber: Int64(number)), countedAs: format)
      }
    }
    let numbers = try writer.report.segments.map { segment in
      try MovieIndex(path: segment.path).tracks.first { $0.mediaType == .timecode }?.timecode?
        .startFrame
    }
    #expect(numbers == [1000, 1010, 2005])
    #expect(writer.report.timecode?.samplesAppended == 2)
  }

  @Test func captions_and_timecode_are_in_the_fragments_of_their_frames() async throws {
    writer.configuration.segments.maximumFrameCount = nil
    // A fragment for each frame.
    writer.configuration.movieFragmentInterval = time(1)
    try writer.addCaptionTrack()
    try writer.addTimecodeTrack()
    let format = TimecodeFormatDescription(
      frameDuration: time(1), frameQuanta: 25, isDropFrame: false)
    try await write { writer in
      for frame in 0..<30 {
        try writer.appendCaptions(caption(frame))
        try writer.appendTimecode(
          TimecodeRun(start: time(100 + frame), frameNumber: Int64(frame) * 100),
          countedAs: format)
      }
    }
    let whole = try Data(contentsOf: URL(filePath: folder.path("a.mov")))
    let fragments = try MovieIndex(path: folder.path("a.mov")).tracks.first?.samples.map(\.offset)
    for offset in try #require(fragments).dropFirst() {
      // What a kill in the middle of this frame would have left.
      let path = folder.path("cut.mov")
      try whole.prefix(Int(offset) + 1).write(to: URL(filePath: path))
      let index = try MovieIndex(path: path)
      let frames = try #require(index.videoTrack?.samples.count)
      #expect(index.tracks.first { $0.codec == "c608" }?.samples.count == frames)
      #expect(index.timecodeTrack?.samples.count == frames)
    }
  }

  @Test func out_of_order_captions_are_reported_as_late() async throws {
    try writer.addCaptionTrack()
    try await write { writer in
      for frame in [8, 12, 9] { try writer.appendCaptions(caption(frame)) }
    }
    #expect(writer.report.captions?.samplesAppended == 3)
    #expect(writer.report.captions?.samplesLate == 1)
  }

  @Test func data_outside_the_video_is_reported() async throws {
    try writer.addCaptionTrack()
    let track = try writer.addMetadataTrack()
    try writer.addTimecodeTrack()
    let format = TimecodeFormatDescription(
      frameDuration: time(1), frameQuanta: 25, isDropFrame: false)
    try await write { writer in
      for frame in [-1, 8, 29, 30, 40] { try writer.appendCaptions(caption(frame)) }
      try writer.appendCaptions(
        CaptionSample(start: time(41), firstField: [0x80, 0x80], secondField: []))
      for (start, end) in [(-9, -4), (-3, 2), (30, 31)] {
        try writer.appendMetadata(
          TimedMetadataTrack.Sample(start: time(100 + start), end: time(100 + end), values: []),
          to: track)
      }
      for (frame, number) in [(-5, 1000), (30, 2000)] {
        try writer.appendTimecode(
          TimecodeRun(start: time(100 + frame), frameNumber: Int64(number)), countedAs: format)
      }
    }
    let report = writer.report
    #expect(report.captions?.samplesAppended == 6 && report.captions?.samplesOutside == 3)
    #expect(report.metadata?.map(\.samplesOutside) == [2])
    #expect(report.timecode?.samplesAppended == 2 && report.timecode?.samplesOutside == 1)
    #expect(report.captions?.samplesLate == 0 && report.timecode?.samplesLate == 0)
    #expect(try samples(.closedCaption).joined().count { $0.contains("AA") } == 2)
  }

  /// With and without audio; audio alone makes a movie.
  @Test(arguments: [true, false])
  func data_without_any_frame_is_reported_as_outside(hasAudio: Bool) async throws {
    try writer.addCaptionTrack()
    let track = try writer.addMetadataTrack()
    try writer.addTimecodeTrack()
    let format = TimecodeFormatDescription(
      frameDuration: time(1), frameQuanta: 25, isDropFrame: false)
    let (frames, audio) = try Recording.begin(writer)
    for frame in 0..<3 { try writer.appendCaptions(caption(frame)) }
    try writer.appendMetadata(
      TimedMetadataTrack.Sample(start: time(0), end: .invalid, values: []), to: track)
    try writer.appendTimecode(TimecodeRun(start: time(0), frameNumber: 5), countedAs: format)
    if hasAudio { try await audio.append(TestMedia.audio(from: 0, count: 4800)) }
    try frames.finish()
    try audio.finish()
    _ = try? await writer.finishWriting()
    #expect((writer.status == .completed) == hasAudio)
    let report = writer.report
    #expect(report.captions?.samplesAppended == 3 && report.captions?.samplesOutside == 3)
    #expect(report.timecode?.samplesAppended == 1 && report.timecode?.samplesOutside == 1)
    #expect(report.metadata?.map(\.samplesOutside) == [hasAudio ? nil : 1])
  }

  @Test func captions_for_a_completed_movie_are_reported_as_late() throws {
    var queue = DataQueue(.captions)
    try queue.append(caption(3))
    try queue.append(caption(12))
    let movies = [DataQueue.Movie(number: 2, start: time(10))]
    let write = queue.next(before: time(20), from: .zero, in: movies)
    #expect(write?.segment == 2 && write?.sample.start == time(2))
    #expect(queue.next(before: time(20), from: .zero, in: movies) == nil)
    #expect(queue.account.samplesLate == 1)
  }

  @Test func captions_of_a_removed_movie_are_reported_as_outside() throws {
    var queue = DataQueue(.captions)
    for frame in [3, 12, 13] { try queue.append(caption(frame)) }
    let movies = [
      DataQueue.Movie(number: 1, start: .zero), DataQueue.Movie(number: 2, start: time(10)),
    ]
    let writes = (0..<3).map { _ in queue.next(before: time(20), from: .zero, in: movies)?.segment }
    #expect(writes == [1, 2, 2] && queue.account.samplesOutside == nil)
    queue.didRemove(segment: 2)
    queue.didRemove(segment: 3)
    #expect(queue.account.samplesOutside == 2)
  }

  @Test(arguments: [true, false])
  func captions_and_timecode_are_refused_without_video(captions: Bool) throws {
    _ = try writer.inputReceiver(
      for: AssetWriterInput(outputSettings: AudioOutputSettings(format: TestMedia.stereo24)))
    if captions { try writer.addCaptionTrack() } else { try writer.addTimecodeTrack() }
    let error = #expect(throws: AssetWriterError.self) { try writer.start() }
    #expect(error?.code == .invalidSettings)
    #expect(!FileManager.default.fileExists(atPath: folder.path("a.mov")))
  }

  @Test func captions_and_timecode_need_their_track() throws {
    let format = TimecodeFormatDescription(
      frameDuration: time(1), frameQuanta: 25, isDropFrame: false)
    for append in [
      { try writer.appendCaptions(caption(0)) },
      {
        try writer.appendTimecode(
          TimecodeRun(start: .zero, frameNumber: 0), countedAs: format)
      },
    ] as [() throws -> Void] {
      let error = #expect(throws: AssetWriterError.self) { try append() }
      #expect(error?.code == .invalidSettings)
    }
    let lasting = TimecodeFormatDescription(
      frameDuration: .zero, frameQuanta: 25, isDropFrame: false)
    let mistake = #expect(throws: AssetWriterError.self) {
      try writer.addTimecodeTrack(countedAs: lasting)
    }
    #expect(mistake?.code == .invalidSettings)
    try writer.addCaptionTrack()
    let error = #expect(throws: AssetWriterError.self) { try writer.addCaptionTrack() }
    #expect(error?.code == .invalidStatus)
  }

  @Test func metadata_for_a_completed_movie_is_reported_as_late() throws {
    var queue = DataQueue(.metadata([]))
    try queue.append(.init(start: time(3), end: time(5), values: []), keys: nil)
    try queue.append(.init(start: time(8), values: []), keys: nil)
    let movies = [DataQueue.Movie(number: 2, start: time(10))]
    let write = queue.next(before: time(20), from: .zero, in: movies)
    #expect(write?.segment == 2 && write?.sample.start == .zero)
    #expect(queue.next(before: time(20), from: .zero, in: movies) == nil)
    #expect(queue.account.samplesLate == 2)
  }

  @Test func late_metadata_is_written_to_both_open_movies() throws {
    var queue = DataQueue(.metadata([]))
    let movies = [
      DataQueue.Movie(number: 1, start: .zero), DataQueue.Movie(number: 2, start: time(10)),
    ]
    #expect(queue.next(before: time(12), from: .zero, in: movies) == nil)
    try queue.append(.init(start: time(8), values: []), keys: nil)
    let writes = (0..<2).map { _ in queue.next(before: time(12), from: .zero, in: movies) }
    #expect(writes.map { $0?.segment } == [1, 2])
    #expect(writes.map { $0?.sample.start } == [time(8), .zero])
    #expect(queue.next(before: time(12), from: .zero, in: movies) == nil)
    #expect(queue.account.samplesLate == 0)
  }
}
