import MediaCore
import QuickTime
import Testing

/// Timecode tracks whose timecode does not come with the frames.
@Suite struct TimecodeRunTests {
  private let file = TraceFile()

  /// The time of a frame at 29.97 fps.
  private func time(_ frame: Int64) -> MediaTime {
    MediaTime(value: frame * 1001, timescale: 30_000)
  }

  private var format: TimecodeFormatDescription {
    TimecodeFormatDescription(frameDuration: time(1), frameQuanta: 30, isDropFrame: true)
  }

  private typealias Run = (start: Int64, number: Int64)

  /// A movie with a timecode track; each run is appended `lag` frames after its first frame.
  private func begin(
    _ runs: [Run], lag: Int64 = 0, frames: Int = 20, known: Bool = true,
    _ placement: Take.Placement = .packed
  ) throws -> (MovieWriter, TrackID) {
    let take = Take(frameCount: frames, audio: nil, timecode: nil).with(placement)
    let writer = try MovieWriter(file: file, configuration: take.configuration)
    let video = try writer.addVideoTrack(take.video)
    let track = try writer.addTimecodeTrack(countedAs: known ? format : nil, for: video)
    try writer.start()
    var waiting = runs[...]
    for frame in 0..<frames {
      while let next = waiting.first, next.start + lag <= frame {
        try append(next, to: writer, track)
        waiting.removeFirst()
      }
      try writer.append(Packets.standard.frames[frame % Packets.standard.frames.count], to: video)
    }
    for next in waiting { try append(next, to: writer, track) }
    return (writer, track)
  }

  private func append(_ run: Run, to writer: MovieWriter, _ track: TrackID) throws {
    try writer.appendTimecode(
      TimecodeRun(start: time(run.start), frameNumber: run.number), countedAs: format, to: track)
  }

  private var timecodeTrack: MovieIndex.Track? {
    get throws { try MovieIndex(file).timecodeTrack }
  }

  /// The track's samples: frame numbers, and the number of frames they last.
  private var samples: [[Int64]] {
    get throws {
      (try timecodeTrack?.samples.map { $0 } ?? []).map { sample in
        let bytes = file.content[Int(sample.offset)..<Int(sample.offset) + 4]
        let number = Int32(bitPattern: bytes.reduce(0) { $0 << 8 | UInt32($1) })
        return [Int64(number), (Int64(sample.duration) + 500) / 1001]
      }
    }
  }

  @Test(arguments: [-30, 0, 9, 50], [true, false])
  func consecutive_frame_numbers_form_one_run(lag: Int64, known: Bool) throws {
    let given: [Run] = [(0, 1000), (1, 1001), (2, 1002), (7, 1007), (12, 5000), (13, 5001)]
    let (writer, _) = try begin(given, lag: lag, known: known)
    _ = try writer.finish()
    #expect(try samples == [[1000, 12], [5000, 8]])
    let found = try timecodeTrack
    let facts = try #require(found?.timecode)
    #expect(facts.timescale == 30_000 && facts.frameDuration == 1001)
    #expect(facts.framesPerSecond == 30 && facts.isDropFrame && facts.wrapsAt24Hours)
    #expect(facts.startFrame == 1000)
    let video = try MovieIndex(file).videoTrack
    #expect(video?.references["tmcd"] == [try #require(found?.id)])
  }

  @Test(arguments: Take.Placement.allCases, [true, false])
  func a_killed_take_has_the_timecode_of_its_fragments(
    placement: Take.Placement, known: Bool
  ) throws {
    let runs: [Run] = (0..<6).map { (Int64($0) * 10, Int64($0) * 1000) }
    let (_, track) = try begin(runs, frames: 60, known: known, placement)
    #expect(track.rawValue == 2)
    // Readers can also get it from the fragments.
    let unfinished = try #require(try timecodeTrack?.timecode)
    #expect(unfinished.startFrame == 0 && unfinished.isDropFrame)
    #expect(try MovieRecovery.recover(file).wasRecovered)
    let frames = try #require(try MovieIndex(file).videoTrack?.samples.count)
    #expect(frames > 50)
    #expect(
      try samples == (0..<6).map { [$0 * 1000, $0 == 5 ? Int64(frames) - 50 : 10] })
    #expect(try timecodeTrack?.timecode?.isDropFrame == true)
  }

  @Test func recovery_gives_the_same_file_with_timecode() throws {
    let (writer, _) = try begin([(3, 100), (9, 700)])
    _ = try writer.finish()
    var content = file.content
    // Undo the switch.
    content.replaceSubrange(20..<36, with: [0, 0, 0, 16] + Array("freetake".utf8) + [0, 0, 0, 1])
    let again = TraceFile(content)
    again.capacity = UInt64(content.count)
    #expect(try MovieRecovery.recover(again).wasRecovered)
    #expect(again.content == file.content)
    #expect(try samples == [[100, 6], [700, 11]])
    let edits = try timecodeTrack?.edits
    let delay = try #require(edits?.first?.duration)
    #expect(edits?.first?.mediaTime == nil && abs((delay - time(3)).seconds) < 0.002)
  }

  @Test func a_movie_without_frame_numbers_has_no_timecode_track() throws {
    let (writer, _) = try begin([(30, 100)])
    let summary = try writer.finish()
    let index = try MovieIndex(file)
    #expect(summary.tracks.count == 1 && index.tracks.count == 1)
    #expect(index.videoTrack?.references.isEmpty == true)
  }

  @Test func a_run_that_began_before_the_movie_is_advanced_to_its_start() throws {
    let (writer, _) = try begin([(-10, 100)])
    _ = try writer.finish()
    #expect(try samples == [[110, 20]])
  }

  @Test func a_run_longer_than_32_bits_can_count_is_continued() throws {
    var take = Take(frameCount: 0, audio: nil, timecode: nil)
    take.video.frameRate = try #require(FrameRate(1_200_000))
    let writer = try MovieWriter(file: file, configuration: take.configuration)
    let video = try writer.addVideoTrack(take.video)
    let track = try writer.addTimecodeTrack(
      countedAs: TimecodeFormatDescription(
        frameDuration: MediaTime(value: 1, timescale: 25), frameQuanta: 25, isDropFrame: false),
      for: video)
    try writer.start()
    try writer.appendTimecode(TimecodeRun(start: .zero, frameNumber: 1000), to: track)
    for _ in 0..<2 {
      try writer.append(Packets.standard.frames[0], to: video, duration: 3_000_000_000)
    }
    _ = try writer.finish()
    let found = try timecodeTrack
    let samples = (found?.samples.map { $0 } ?? []).map { sample -> [Int64] in
      let bytes = file.content[Int(sample.offset)..<Int(sample.offset) + 4]
      return [bytes.reduce(0) { $0 << 8 | Int64($1) }, Int64(sample.duration)]
    }
    // An hour and part of a second, in whole frames of 48000 units.
    let whole: Int64 = 89_478 * 48_000
    let expected: [[Int64]] = [[1000, whole], [90_478, 6_000_000_000 - whole]]
    #expect(samples == expected)
  }

  @Test func extreme_frame_numbers_and_times_do_not_crash() throws {
    let (writer, track) = try begin([])
    let far = MediaTime(value: .max, timescale: 1)
    let given =
      [TimecodeRun(start: -far, frameNumber: 8)]
      + ([(-10, .max), (0, .min), (4, .max), (5, .min)] as [Run]).map {
        TimecodeRun(start: time($0.start), frameNumber: $0.number)
      } + [TimecodeRun(start: far, frameNumber: 7)]
    for run in given { try writer.appendTimecode(run, to: track) }
    _ = try writer.finish()
    #expect(
      try samples == [[Int64(Int32.min), 4], [Int64(Int32.max), 1], [Int64(Int32.min), 15]])
  }

  @Test func the_later_of_two_numbers_at_one_time_applies() throws {
    let (writer, _) = try begin([(0, 100), (0, 500), (6, 506)])
    _ = try writer.finish()
    #expect(try samples == [[500, 20]])
  }

  @Test func runs_out_of_order_or_in_another_format_are_refused() throws {
    let (writer, track) = try begin([(4, 100)])
    let other = TimecodeFormatDescription(
      frameDuration: time(1), frameQuanta: 30, isDropFrame: false)
    for (start, format) in [(3, format), (5, other)] {
      let error = #expect(throws: QuickTimeError.self) {
        try writer.appendTimecode(
          TimecodeRun(start: time(Int64(start)), frameNumber: 9), countedAs: format, to: track)
      }
      #expect(error?.code == .invalidArgument && writer.state == .writing)
    }
    _ = try writer.finish()
    #expect(try samples == [[100, 16]])
  }
}
