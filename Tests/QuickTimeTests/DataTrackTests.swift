import MediaCore
import QuickTime
import Testing

/// Tracks of timed metadata, and of timecode that comes with the end of a movie.
@Suite struct DataTrackTests {
  private let file = TraceFile()

  /// When a frame at 29.97 begins.
  private func time(_ frame: Int64) -> MediaTime {
    MediaTime(value: frame * 1001, timescale: 30_000)
  }

  /// The track of a type in a movie of twenty frames to which `add` adds one.
  private func track(
    _ type: MediaType, _ add: (MovieWriter, TrackID) throws(QuickTimeError) -> Void
  ) throws -> MovieIndex.Track? {
    let take = Take(frameCount: 20, audio: nil, timecode: nil)
    let (writer, ids) = try take.begin(file)
    try take.append(to: writer, ids)
    try add(writer, ids[0])
    _ = try writer.finish()
    return try MovieIndex(file).tracks.first { $0.mediaType == type }
  }

  /// The samples of a track: bytes, and frames that they last.
  private func samples(_ track: MovieIndex.Track?) -> [String] {
    (track?.samples.map { $0 } ?? []).map { sample in
      let bytes = file.content[Int(sample.offset)..<Int(sample.offset) + Int(sample.size)]
      let digits = bytes.map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
      return digits.joined() + " \((Int64(sample.duration) + 500) / 1001)"
    }
  }

  private func metadata(
    _ samples: (start: Int64, end: Int64?, value: UInt8?)...
  ) -> TimedMetadataTrack {
    TimedMetadataTrack(
      keys: [TimedMetadataTrack.Key(name: "org.example.number", type: 65)],
      samples: samples.map { sample in
        TimedMetadataTrack.Sample(
          start: time(sample.start), end: sample.end.map { time($0) } ?? .invalid,
          values: sample.value.map { [TimedMetadataTrack.Value(key: 0, bytes: [$0])] } ?? [])
      })
  }

  @Test func facts_hold_for_their_time_and_nothing_holds_between_them() throws {
    let found = try track(.metadata) { writer, video throws(QuickTimeError) in
      let given = metadata((9, 12, 2), (3, 5, 1), (15, nil, 3))
      #expect(try writer.addTimedMetadata(given, for: video) == 3)
    }
    #expect(found?.codec == "mebx")
    let nothing = "0000000800000000"
    #expect(
      samples(found) == [
        "000000090000000101 2", "\(nothing) 4", "000000090000000102 3", "\(nothing) 3",
        "000000090000000103 5",
      ])
    #expect(found?.edits.first?.mediaTime == nil && found?.edits.count == 2)
    let delay = try #require(found?.edits.first?.duration)
    #expect(abs((delay - time(3)).seconds) < 0.002)
  }

  @Test func of_facts_that_overlap_the_later_ones_count() throws {
    let found = try track(.metadata) { writer, video throws(QuickTimeError) in
      // Those before the movie, behind its end and without a value are none.
      let given = metadata((-9, -2, 9), (-2, 4, 1), (2, nil, 2), (6, 8, nil), (99, nil, 9))
      #expect(try writer.addTimedMetadata(given, for: video) == 2)
    }
    #expect(
      samples(found) == [
        "000000090000000101 2", "000000090000000102 4", "0000000800000000 2",
      ])
  }

  @Test func a_movie_without_facts_has_no_such_track() throws {
    let found = try track(.metadata) { writer, video throws(QuickTimeError) in
      #expect(try writer.addTimedMetadata(metadata(), for: video) == 0)
      #expect(try writer.addTimedMetadata(metadata((4, nil, nil), (50, nil, 1)), for: video) == 0)
    }
    #expect(found == nil)
  }

  @Test func a_value_without_a_key_is_refused() throws {
    _ = try track(.metadata) { writer, video throws(QuickTimeError) in
      var given = metadata((1, 2, 3))
      given.keys = []
      let error = #expect(throws: QuickTimeError.self) {
        try writer.addTimedMetadata(given, for: video)
      }
      #expect(error?.code == .invalidArgument)
    }
  }

  private func runs(_ runs: (start: Int64, number: Int64)...) -> TimecodeRuns {
    TimecodeRuns(
      format: TimecodeFormatDescription(
        frameDuration: time(1), frameQuanta: 30, isDropFrame: true),
      runs: runs.map { TimecodeRuns.Run(start: time($0.start), frameNumber: $0.number) })
  }

  @Test func frame_numbers_that_count_on_are_one_run() throws {
    let found = try track(.timecode) { writer, video throws(QuickTimeError) in
      let given = runs((0, 1000), (1, 1001), (2, 1002), (7, 1007), (12, 5000), (13, 5001))
      #expect(try writer.addTimecode(given, for: video) == 2)
    }
    #expect(samples(found) == ["000003e8 12", "00001388 8"])
    let facts = try #require(found?.timecode)
    #expect(facts.timescale == 30_000 && facts.frameDuration == 1001)
    #expect(facts.framesPerSecond == 30 && facts.isDropFrame && facts.wrapsAt24Hours)
    #expect(facts.startFrame == 1000)
  }

  @Test func a_run_that_began_before_the_movie_is_counted_on_to_its_start() throws {
    let found = try track(.timecode) { writer, video throws(QuickTimeError) in
      #expect(try writer.addTimecode(runs((-10, 100)), for: video) == 1)
    }
    #expect(samples(found) == ["0000006e 20"])
    let late = try DataTrackTests().track(.timecode) { writer, video throws(QuickTimeError) in
      #expect(try writer.addTimecode(runs((30, 100)), for: video) == 0)
    }
    #expect(late == nil)
  }

  @Test func a_run_that_lasts_longer_than_32_bits_count_is_counted_on() throws {
    var take = Take(frameCount: 0, audio: nil, timecode: nil)
    take.video.frameRate = try #require(FrameRate(1_200_000))
    let (writer, ids) = try take.begin(file)
    let packet = Packets.standard.frames[0]
    for _ in 0..<2 {
      try packet.withUnsafeBytes { bytes in
        try writer.appendVideo(bytes, to: ids[0], duration: 3_000_000_000)
      }
    }
    let given = TimecodeRuns(
      format: TimecodeFormatDescription(
        frameDuration: MediaTime(value: 1, timescale: 25), frameQuanta: 25, isDropFrame: false),
      runs: [TimecodeRuns.Run(start: .zero, frameNumber: 1000)])
    #expect(try writer.addTimecode(given, for: ids[0]) == 1)
    _ = try writer.finish()
    let found = try MovieIndex(file).tracks.first { $0.mediaType == .timecode }
    let samples = (found?.samples.map { $0 } ?? []).map { sample -> [Int64] in
      let bytes = file.content[Int(sample.offset)..<Int(sample.offset) + 4]
      return [bytes.reduce(0) { $0 << 8 | Int64($1) }, Int64(sample.duration)]
    }
    // An hour and less than a second, in whole frames of 48000 units.
    let whole: Int64 = 89_478 * 48_000
    let expected: [[Int64]] = [[1000, whole], [90_478, 6_000_000_000 - whole]]
    #expect(samples == expected)
  }

  @Test func numbers_and_times_as_far_as_64_bits_go_end_nothing() throws {
    let found = try track(.timecode) { writer, video throws(QuickTimeError) in
      var given = runs((-10, .max), (0, .min), (4, .max), (5, .min))
      let far = MediaTime(value: .max, timescale: 1)
      given.runs.append(TimecodeRuns.Run(start: far, frameNumber: 7))
      given.runs.append(TimecodeRuns.Run(start: -far, frameNumber: 8))
      #expect(try writer.addTimecode(given, for: video) == 3)
    }
    #expect(samples(found) == ["80000000 4", "7fffffff 1", "80000000 15"])
    let facts = try DataTrackTests().track(.metadata) { writer, video throws(QuickTimeError) in
      var given = metadata((0, 2, 1))
      let last = MediaTime(value: .max, timescale: 30_000)
      given.samples.append(
        TimedMetadataTrack.Sample(
          start: last, end: last, values: [TimedMetadataTrack.Value(key: 0, bytes: [2])]))
      #expect(try writer.addTimedMetadata(given, for: video) == 1)
    }
    #expect(facts?.samples.count == 1)
  }

  @Test func of_two_numbers_of_one_moment_the_later_one_counts() throws {
    let found = try track(.timecode) { writer, video throws(QuickTimeError) in
      #expect(try writer.addTimecode(runs((0, 100), (0, 500), (6, 506)), for: video) == 1)
    }
    #expect(samples(found) == ["000001f4 20"])
  }
}
