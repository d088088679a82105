import MediaCore
import QuickTime
import Testing

/// Tracks of timed metadata.
@Suite struct DataTrackTests {
  private let file = TraceFile()

  /// The time of a frame at 29.97 fps.
  private func time(_ frame: Int64) -> MediaTime {
    MediaTime(value: frame * 1001, timescale: 30_000)
  }

  /// A track's samples: their bytes, and the number of frames they last.
  private func samples(_ track: MovieIndex.Track?) -> [String] {
    (track?.samples.map { $0 } ?? []).map { sample in
      let bytes = file.content[Int(sample.offset)..<Int(sample.offset) + Int(sample.size)]
      let digits = bytes.map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
      return digits.joined() + " \((Int64(sample.duration) + 500) / 1001)"
    }
  }

  private typealias Facts = (start: Int64, end: Int64?, value: UInt8?)
  private static let number = TimedMetadataTrack.Key(name: "org.example.number", type: 65)

  private func sample(_ facts: Facts, key: Int = 0) -> TimedMetadataTrack.Sample {
    TimedMetadataTrack.Sample(
      start: time(facts.start), end: facts.end.map { time($0) } ?? .invalid,
      values: facts.value.map { [TimedMetadataTrack.Value(key: key, bytes: [$0])] } ?? [])
  }

  /// A movie of twenty frames with a metadata track; each fact is appended `lag` frames after its
  /// first frame.
  private func begin(
    _ facts: [Facts], lag: Int64 = 0, frames: Int = 20, _ placement: Take.Placement = .packed
  ) throws -> (MovieWriter, TrackID) {
    let take = Take(frameCount: frames, audio: nil, timecode: nil).with(placement)
    let writer = try MovieWriter(file: file, configuration: take.configuration)
    let video = try writer.addVideoTrack(take.video)
    let track = try writer.addMetadataTrack([Self.number], for: video)
    try writer.start()
    var waiting = facts[...]
    for frame in 0..<frames {
      while let next = waiting.first, next.start + lag <= frame {
        try writer.appendMetadata(sample(next), to: track)
        waiting.removeFirst()
      }
      try writer.append(Packets.standard.frames[frame % Packets.standard.frames.count], to: video)
    }
    for next in waiting { try writer.appendMetadata(sample(next), to: track) }
    return (writer, track)
  }

  private var metadataTrack: MovieIndex.Track? {
    get throws { try MovieIndex(file).tracks.first { $0.mediaType == .metadata } }
  }

  @Test(arguments: [-30, 0, 3, 9, 50])
  func metadata_applies_to_its_time_range_only(lag: Int64) throws {
    let (writer, _) = try begin([(3, 5, 1), (9, 12, 2), (15, nil, 3)], lag: lag)
    _ = try writer.finish()
    let found = try metadataTrack
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

  @Test(arguments: [-30, 0, 9]) func later_metadata_overrides_overlapping_metadata(lag: Int64)
    throws
  {
    // Facts before the movie, after its end or without a value add nothing.
    let (writer, _) = try begin(
      [(-9, -2, 9), (-3, nil, 8), (-2, 4, 1), (2, nil, 2), (6, 8, nil), (99, nil, 9)], lag: lag)
    _ = try writer.finish()
    #expect(samples(try metadataTrack) == ["000000090000000101 2", "000000090000000102 4"])
  }

  @Test func a_movie_without_metadata_has_no_metadata_track() throws {
    let (writer, _) = try begin([(4, nil, nil), (50, nil, 1)])
    let summary = try writer.finish()
    #expect(try metadataTrack == nil && summary.tracks.count == 1)
  }

  @Test func metadata_without_a_key_or_out_of_order_is_refused() throws {
    let (writer, track) = try begin([(4, nil, 1)])
    for (facts, key) in [((5, nil, 1), 1), ((3, nil, 1), 0)] as [(Facts, Int)] {
      let error = #expect(throws: QuickTimeError.self) {
        try writer.appendMetadata(sample(facts, key: key), to: track)
      }
      #expect(error?.code == .invalidArgument && writer.state == .writing)
    }
    _ = try writer.finish()
    #expect(samples(try metadataTrack) == ["000000090000000101 16"])
  }

  @Test(arguments: [(5, 3), (5, 4), (3, 3)] as [(Int64, Int64)])
  func metadata_may_overlap_metadata_in_a_written_fragment(end: Int64, start: Int64) throws {
    let (writer, track) = try begin([(3, end, 1)], frames: 40)
    #expect(writer.statistics.fragmentCount > 0)
    try writer.appendMetadata(sample((start, nil, 2)), to: track)
    _ = try writer.finish()
    #expect(
      samples(try metadataTrack)
        == (start > 3 ? ["000000090000000101 \(start - 3)"] : [])
        + ["000000090000000102 \(40 - start)"])
  }

  @Test(arguments: [0, 9], Take.Placement.allCases)
  func a_killed_take_has_the_metadata_of_its_fragments(lag: Int64, placement: Take.Placement) throws
  {
    let facts: [Facts] = (0..<6).map { (Int64($0) * 10, nil, UInt8($0)) }
    let (_, track) = try begin(facts, lag: lag, frames: 60, placement)
    #expect(track.rawValue == 2)
    #expect(try MovieRecovery.recover(file).wasRecovered)
    let index = try MovieIndex(file)
    let frames = try #require(index.videoTrack?.samples.count)
    #expect(frames > 50)
    // A fact that comes after its fragment was written is not in it.
    let last = lag == 0 ? 5 : 4
    let expected = (0...last).map { number in
      "00000009000000010\(number) \(number == last ? frames - 10 * last : 10)"
    }
    #expect(samples(try metadataTrack) == expected)
  }

  @Test func the_projected_size_includes_pending_metadata() throws {
    let (writer, track) = try begin([(0, 2, 1)])
    for frame in 17..<20 {
      var facts = sample((Int64(frame), nil, 2))
      facts.values[0].bytes = [UInt8](repeating: 2, count: 100_000)
      try writer.appendMetadata(facts, to: track)
    }
    let projected = writer.projectedFileSize
    let size = try writer.finish().fileSize
    #expect(size <= projected && projected - size < 20_000)
  }

  @Test func recovery_gives_the_same_file_with_metadata() throws {
    let (writer, _) = try begin([(3, 5, 1), (9, 12, 2)])
    _ = try writer.finish()
    var content = file.content
    // Undo the switch.
    content.replaceSubrange(20..<36, with: [0, 0, 0, 16] + Array("freetake".utf8) + [0, 0, 0, 1])
    let again = TraceFile(content)
    again.capacity = UInt64(content.count)
    #expect(try MovieRecovery.recover(again).wasRecovered)
    #expect(again.content == file.content)
  }

  @Test func a_recovered_movie_has_keys_added_while_writing() throws {
    let (writer, track) = try begin([(0, nil, 1)])
    let other = TimedMetadataTrack.Key(name: "org.example.other", type: 65)
    try writer.appendMetadata(
      sample((20, nil, 2), key: 1), keys: [Self.number, other], to: track)
    for number in 0..<20 {
      try writer.append(
        Packets.standard.frames[number % Packets.standard.frames.count], to: TrackID(rawValue: 1))
    }
    try MovieRecovery.recover(file)
    let found = try metadataTrack
    #expect(found?.metadataKeys?.map(\.name) == ["org.example.number", "org.example.other"])
    #expect(
      samples(found).map { String($0.prefix(18)) } == ["000000090000000101", "000000090000000202"])
  }

  @Test func metadata_longer_than_32_bits_can_count_is_repeated() throws {
    var take = Take(frameCount: 0, audio: nil, timecode: nil)
    take.video.frameRate = try #require(FrameRate(1_200_000))
    let writer = try MovieWriter(file: file, configuration: take.configuration)
    let video = try writer.addVideoTrack(take.video)
    let track = try writer.addMetadataTrack([Self.number], for: video)
    try writer.start()
    try writer.appendMetadata(
      TimedMetadataTrack.Sample(
        start: .zero, values: [TimedMetadataTrack.Value(key: 0, bytes: [1])]), to: track)
    for _ in 0..<2 {
      try writer.append(Packets.standard.frames[0], to: video, duration: 3_000_000_000)
    }
    _ = try writer.finish()
    let durations = try metadataTrack?.samples.map { Int64($0.duration) }
    #expect(durations == [4_294_967_295, 1_705_032_705])
  }

  @Test func metadata_and_chapters_cover_video_that_begins_late() throws {
    let take = Take(frameCount: 20, audio: nil, timecode: nil)
    let writer = try MovieWriter(file: file, configuration: take.configuration)
    let video = try writer.addVideoTrack(take.video)
    try writer.delayStart(of: video, by: time(5))
    let track = try writer.addMetadataTrack([Self.number], for: video)
    try writer.start()
    try writer.appendMetadata(sample((22, nil, 7)), to: track)
    try take.append(to: writer, [video])
    #expect(try writer.addChapters([MovieChapter(title: "A", start: time(23))], for: video) == 1)
    _ = try writer.finish()
    #expect(samples(try metadataTrack) == ["000000090000000107 3"])
  }

  @Test func extreme_metadata_times_do_not_crash() throws {
    let (writer, metadata) = try begin([(0, 2, 1)])
    for scale: Int32 in [30_000, 1] {
      let last = MediaTime(value: .max, timescale: scale)
      try writer.appendMetadata(
        TimedMetadataTrack.Sample(
          start: last, end: last, values: [TimedMetadataTrack.Value(key: 0, bytes: [2])]),
        to: metadata)
    }
    _ = try writer.finish()
    #expect(try metadataTrack?.samples.count == 1)
  }
}
