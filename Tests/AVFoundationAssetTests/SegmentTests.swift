import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// Live streams: a writer that passes segments to its delegate.
@Suite(
  .tags(.judges), .timeLimit(.minutes(10)),
  .enabled(
    if: EncoderCapabilities.current.interframeCodecs.count == 2,
    "libavcodec has no encoder of H.264 or HEVC"))
struct SegmentTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A file of the initialization segment and others, as a player gets them.
  private func file(_ name: String, _ parts: [Data]) throws -> String {
    try folder.write(parts.flatMap { [UInt8]($0) }, name).path
  }

  /// Times of a stream's packets in seconds, sorted; only sync samples on request.
  private func times(_ path: String, _ stream: String, syncAlone: Bool = false) throws -> [Double] {
    let result = try Judges.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", stream, "-show_entries", "packet=pts_time,flags", "-of",
        "csv=p=0", path,
      ])
    #expect(result.errors == "")
    return result.output.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: ",")
      guard !syncAlone || fields.dropFirst().first?.hasPrefix("K") == true else { return nil }
      return fields.first.flatMap { Double($0) }
    }.sorted()
  }

  @Test(arguments: [AVVideoCodecType.h264, .hevc])
  func segments_have_the_interval_and_start_with_a_sync_sample(
    codec: AVVideoCodecType
  ) async throws {
    let (take, keeper) = (LiveTake(codec), SegmentKeeper())
    take.writer.outputFileTypeProfile = AVFileTypeProfile.mpeg4AppleHLS
    take.writer.preferredOutputSegmentInterval = CMTime(value: 1, timescale: 1)
    take.writer.initialSegmentStartTime = take.start
    #expect(take.writer.preferredOutputSegmentInterval == CMTime(value: 1, timescale: 1))
    #expect(take.writer.initialSegmentStartTime == take.start)
    #expect(take.writer.outputFileTypeProfile == .mpeg4AppleHLS)
    try take.begin(keeper)
    try await take.append(0..<90)
    await take.finish()
    #expect(keeper.segments.first?.type == .initialization && keeper.media.count == 4)
    #expect(keeper.media.allSatisfy { $0.type == .separable })
    #expect(keeper.segments.allSatisfy { $0.report.segmentType == $0.type })
    #expect(keeper.segments[0].report.trackReports.map(\.mediaType) == [.video, .audio])
    #expect(keeper.segments[0].report.trackReports.map(\.trackID) == [1, 2])
    #expect(!keeper.segments[0].report.trackReports[0].duration.isValid)
    // Together the segments are one movie, at the source's times.
    let whole = try file("whole.mp4", keeper.segments.map(\.data))
    #expect(try Judges.strictDecode(whole) == "")
    let shown = try times(whole, "v:0")
    #expect(shown.count == 90 && shown.first == 10)
    #expect(zip(shown, shown.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 0.001 })
    #expect(try Set(times(whole, "v:0", syncAlone: true)).isSuperset(of: [10, 11, 12, 13]))
    // Each segment can be decoded with just the initialization segment.
    for (number, segment) in keeper.media.enumerated() {
      let path = try file("\(number).mp4", [keeper.initialization, segment.data])
      #expect(try Judges.strictDecode(path) == "")
      #expect(try times(path, "v:0").count == (number < 3 ? 25 : 15))
      #expect(try times(path, "v:0").first == Double(10 + number))
    }
  }

  @Test func segment_reports_contain_what_a_playlist_needs() async throws {
    let (take, keeper) = (LiveTake(), SegmentKeeper())
    take.writer.preferredOutputSegmentInterval = CMTime(value: 1, timescale: 1)
    take.writer.initialSegmentStartTime = take.start
    try take.begin(keeper)
    try await take.append(0..<90)
    await take.finish()
    let video = keeper.tracks(.video)
    #expect(video.map(\.earliestPresentationTimeStamp.seconds) == [10, 11, 12, 13])
    #expect(video.map { ($0.duration.seconds * 1000).rounded() } == [1000, 1000, 1000, 600])
    for (report, segment) in zip(video, keeper.media) {
      let first: AVAssetSegmentReportSampleInformation = try #require(
        report.firstVideoSampleInformation)
      #expect(first.isSyncSample)
      #expect(first.presentationTimeStamp == report.earliestPresentationTimeStamp)
      // A sample is a series of units, each after its length, that fills the sample exactly.
      let bytes = [UInt8](segment.data)[first.offset..<first.offset + first.length]
      var place = bytes.startIndex
      while place + 4 <= bytes.endIndex {
        place += 4 + bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      }
      #expect(place == bytes.endIndex)
    }
    // Audio continues without a gap, and is cut at the packet closest after the video's cut.
    let audio = keeper.tracks(.audio)
    #expect(audio.count == 4)
    for (before, after) in zip(audio, audio.dropFirst()) {
      let end = before.earliestPresentationTimeStamp + before.duration
      #expect(end == after.earliestPresentationTimeStamp)
    }
    for (voice, frame) in zip(audio, video).dropFirst() {
      let late = voice.earliestPresentationTimeStamp - frame.earliestPresentationTimeStamp
      #expect(late.seconds >= 0 && late.seconds < 1024 / 44_100.0)
    }
    #expect(audio.allSatisfy { $0.firstVideoSampleInformation == nil })
  }

  @Test func segments_are_flushed_manually_if_the_interval_is_indefinite() async throws {
    let (take, keeper) = (LiveTake(hasAudio: false), SegmentKeeper())
    take.writer.preferredOutputSegmentInterval = .indefinite
    try take.begin(keeper)
    try await take.append(0..<10)
    take.writer.flushSegment()
    try await take.append(10..<17)
    take.writer.flushSegment()
    // Nothing was appended since the last flush.
    take.writer.flushSegment()
    try await take.append(17..<30)
    take.writer.flushSegment()
    await take.finish()
    let counts = try keeper.media.enumerated().map { number, segment in
      let path = try file("\(number).mp4", [keeper.initialization, segment.data])
      #expect(try Judges.strictDecode(path) == "")
      return try times(path, "v:0").count
    }
    #expect(counts == [10, 7, 13])
  }

  @Test func audio_only_streams_are_segmented_without_losing_samples() async throws {
    let (take, keeper) = (LiveTake(nil), SegmentKeeper())
    take.writer.preferredOutputSegmentInterval = CMTime(value: 1, timescale: 2)
    try take.begin(keeper)
    try await take.append(0..<50)
    await take.finish()
    let audio = keeper.tracks(.audio)
    // The encoder's first packet is before the session's start.
    let first = try #require(audio.first).earliestPresentationTimeStamp
    #expect(first < take.start && (take.start - first).seconds < 0.1)
    for (number, report) in audio.enumerated().dropFirst() {
      let late = report.earliestPresentationTimeStamp.seconds - 10 - 0.5 * Double(number)
      #expect(late >= 0 && late < 1024 / 44_100.0)
    }
    #expect(audio.count == 4)
    let whole = try file("whole.mp4", keeper.segments.map(\.data))
    #expect(try Judges.strictDecode(whole) == "")
    let end = try #require(audio.last.map { $0.earliestPresentationTimeStamp + $0.duration })
    #expect(end.seconds >= 12)
  }

  @Test func video_continues_if_audio_ends_early() async throws {
    let (take, keeper) = (LiveTake(), SegmentKeeper())
    take.writer.preferredOutputSegmentInterval = CMTime(value: 1, timescale: 1)
    try take.begin(keeper)
    try await take.append(0..<10)
    take.audio?.markAsFinished()
    try await take.append(10..<100, isSilent: true)
    await take.finish()
    #expect(keeper.tracks(.video).map(\.earliestPresentationTimeStamp.seconds) == [10, 11, 12, 13])
    #expect(try Judges.strictDecode(file("whole.mp4", keeper.segments.map(\.data))) == "")
  }

  @Test func a_cmaf_track_has_its_brand_and_no_edit_list() async throws {
    let (take, keeper) = (LiveTake(hasAudio: false), SegmentKeeper())
    take.writer.outputFileTypeProfile = .mpeg4CMAFCompliant
    try take.begin(keeper)
    try await take.append(0..<10)
    await take.finish()
    let text = String(decoding: keeper.initialization, as: Unicode.ASCII.self)
    #expect(text.contains("cmfc") && !text.contains("elst") && keeper.media.count == 1)
    #expect(try Judges.strictDecode(file("a.mp4", keeper.segments.map(\.data))) == "")
  }

  private func code(_ writer: AVAssetWriter) -> AVError.Code? {
    (writer.error as? AVError)?.code
  }

  @Test func cmaf_allows_only_one_track() throws {
    let take = LiveTake()
    take.writer.outputFileTypeProfile = .mpeg4CMAFCompliant
    for input in [take.video, take.audio].compactMap(\.self) { take.writer.add(input) }
    let keeper = SegmentKeeper()
    take.writer.delegate = keeper
    #expect(!take.writer.startWriting() && code(take.writer) == .unsupportedOutputSettings)
    let other = LiveTake()
    other.writer.outputFileTypeProfile = .mpeg4CMAFCompliant
    other.writer.outputFileTypeProfile = nil
    try other.begin(keeper)
    other.writer.cancelWriting()
  }

  @Test func short_segments_contain_the_audio_of_their_time() async throws {
    let (take, keeper) = (LiveTake(), SegmentKeeper())
    take.writer.preferredOutputSegmentInterval = CMTime(value: 1, timescale: 4)
    try take.begin(keeper)
    try await take.append(0..<60)
    await take.finish()
    #expect(keeper.media.count > 8)
    let (frames, audio) = (keeper.tracks(.video), keeper.tracks(.audio))
    try #require(frames.count == keeper.media.count && audio.count == frames.count)
    for (frame, run) in zip(frames, audio) {
      let distance =
        frame.earliestPresentationTimeStamp.seconds - run.earliestPresentationTimeStamp.seconds
      #expect(abs(distance) < 0.1, "\(frame.earliestPresentationTimeStamp.seconds) s")
    }
  }

  @Test func a_released_writer_delivers_its_last_segment() async throws {
    let keeper = SegmentKeeper()
    var take: LiveTake? = LiveTake(hasAudio: false)
    try take?.begin(keeper)
    try await take?.append(0..<5)
    take?.video?.markAsFinished()
    await withCheckedContinuation { continuation in
      take?.writer.finishWriting { continuation.resume() }
      take = nil
    }
    #expect(keeper.media.count == 1)
  }

  @Test func a_session_starting_at_zero_yields_a_stream_from_zero() async throws {
    let (take, keeper) = (LiveTake(start: .zero), SegmentKeeper())
    try take.begin(keeper)
    try await take.append(0..<25)
    await take.finish()
    let whole = try file("whole.mp4", keeper.segments.map(\.data))
    #expect(try Judges.strictDecode(whole) == "" && times(whole, "v:0").first == 0)
    #expect(keeper.tracks(.video).map(\.earliestPresentationTimeStamp) == [.zero])
  }

  /// A delegate without a method for segment reports.
  private final class Counter: AVAssetWriterDelegate, Sendable {
    let types = Mutex<[AVAssetSegmentType]>([])

    func assetWriter(
      _ writer: AVAssetWriter, didOutputSegmentData segmentData: Data,
      segmentType: AVAssetSegmentType
    ) { types.withLock { $0.append(segmentType) } }
  }

  @Test func a_delegate_without_reports_is_called_before_writing_ends() async throws {
    let (take, counter) = (LiveTake(hasAudio: false), Counter())
    try take.begin(counter)
    try await take.append(0..<5)
    take.video?.markAsFinished()
    let reported = await withCheckedContinuation { continuation in
      take.writer.finishWriting { continuation.resume(returning: counter.types.withLock { $0 }) }
    }
    #expect(reported == [.initialization, .separable])
  }

  @Test func live_stream_misuse_fails_the_writer() async throws {
    let keeper = SegmentKeeper()
    let unheard = LiveTake(hasAudio: false)
    unheard.writer.add(try #require(unheard.video))
    #expect(!unheard.writer.startWriting() && code(unheard.writer) == .operationNotAllowed)
    let other = AVAssetWriter(contentType: .quickTimeMovie)
    #expect(other.status == .failed && code(other) == .unsupportedOutputSettings)
    let early = LiveTake(hasAudio: false)
    early.writer.preferredOutputSegmentInterval = .zero
    early.writer.delegate = keeper
    early.writer.add(try #require(early.video))
    #expect(!early.writer.startWriting() && code(early.writer) == .unsupportedOutputSettings)
    let regular = LiveTake(hasAudio: false)
    try regular.begin(keeper)
    regular.writer.flushSegment()
    #expect(regular.writer.status == .failed && code(regular.writer) == .operationNotAllowed)
    regular.writer.cancelWriting()
    let late = LiveTake(hasAudio: false)
    try late.begin(keeper)
    late.writer.preferredOutputSegmentInterval = .indefinite
    #expect(late.writer.status == .failed && late.writer.preferredOutputSegmentInterval == .invalid)
    late.writer.cancelWriting()
    let proRes = AVAssetWriterInput(
      mediaType: .video,
      outputSettings: [
        AVVideoCodecKey: AVVideoCodecType.proRes422, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
      ])
    #expect(!AVAssetWriter(contentType: .mpeg4Movie).canAdd(proRes))
    let ordinary = try AVAssetWriter(outputURL: folder.url("a.mp4"), fileType: .mp4)
    ordinary.delegate = keeper
    #expect(ordinary.status == .failed && ordinary.delegate == nil)
    #expect(keeper.segments.isEmpty)
  }
}
