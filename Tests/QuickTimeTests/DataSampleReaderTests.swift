import MediaCore
import QuickTime
import Testing

/// Samples of data tracks, read at the movie's times.
@Suite struct DataSampleReaderTests {
  private let file = TraceFile()

  private func time(_ frame: Int64) -> MediaTime {
    MediaTime(value: frame * 1001, timescale: 30_000)
  }

  /// Writes twenty frames, and numbers that are valid for ranges of frames, with two keys.
  private func write(_ samples: (start: Int64, end: Int64, value: UInt8)...) throws {
    let take = Take(frameCount: 20, audio: nil, timecode: nil)
    let writer = try MovieWriter(file: file, configuration: take.configuration)
    let video = try writer.addVideoTrack(take.video)
    let track = try writer.addMetadataTrack(
      ["org.example.one", "org.example.two"].map { .init(name: $0, type: 65) }, for: video)
    try writer.start()
    for sample in samples {
      try writer.appendMetadata(
        TimedMetadataTrack.Sample(
          start: time(sample.start), end: time(sample.end),
          values: [.init(key: 1, bytes: [sample.value])]), to: track)
    }
    try take.append(to: writer, [video])
    _ = try writer.finish()
  }

  private func track() throws -> MovieIndex.Track {
    try #require(try MovieIndex(file).tracks.first { $0.mediaType == .metadata })
  }

  /// The samples in a range: their first and end frames, and their values.
  private func samples(in range: MediaTimeRange) throws -> [String] {
    func frame(_ time: MediaTime) -> Int { Int((time.seconds * 30_000 / 1001).rounded()) }
    var reader = DataSampleReader(try track(), of: file, in: range)
    var found: [String] = []
    while let sample = try reader.next() {
      let values = try BoxedMetadataValue.values(in: sample.bytes).map { "\($0.key):\($0.bytes)" }
      let range = sample.timeRange
      found.append("\(frame(range.start))-\(frame(range.end)) \(values.joined())")
    }
    return found
  }

  private let all = MediaTimeRange(start: .zero, duration: .positiveInfinity)

  /// Changes bytes at a distance from the first occurrence of a four-character code after the
  /// metadata description.
  private func change(_ type: String, _ distance: Int, _ bytes: [UInt8]) throws {
    func places(_ text: String) -> [Int] {
      let code = Array(text.utf8)
      return file.content.indices.dropLast(3).filter {
        file.content[$0] == code[0] && Array(file.content[$0..<$0 + 4]) == code
      }
    }
    let entry = try #require(places("mebx").last)
    let place = try #require(places(type).first { $0 > entry })
    file.content.replaceSubrange(place + distance..<place + distance + bytes.count, with: bytes)
  }

  @Test func samples_have_movie_times() throws {
    try write((3, 5, 7), (9, 12, 8))
    let keys = try #require(try track().metadataKeys)
    #expect(keys.map(\.number) == [1, 2] && keys.allSatisfy { $0.space == "mdta" })
    #expect(keys.map(\.name) == ["org.example.one", "org.example.two"])
    #expect(keys.allSatisfy { $0.type == .wellKnown(65) })
    #expect(try samples(in: all) == ["3-5 2:[7]", "5-9 ", "9-12 2:[8]"])
    let range = try #require(DataSampleReader.timeRange(of: try track()))
    #expect(abs((range.start - time(3)).seconds) < 0.002)
    #expect(abs((range.end - time(12)).seconds) < 0.002)
  }

  @Test func a_range_has_the_samples_valid_in_it() throws {
    try write((3, 5, 7), (9, 12, 8))
    let middle = MediaTime(value: 1001, timescale: 60_000)
    #expect(
      try samples(in: MediaTimeRange(start: time(4) + middle, end: time(5) + middle)) == [
        "3-5 2:[7]", "5-9 ",
      ])
    #expect(try samples(in: MediaTimeRange(start: .zero, end: time(2))).isEmpty)
    #expect(try samples(in: MediaTimeRange(start: time(13), end: time(20))).isEmpty)
  }

  @Test(
    arguments: [
      ([0x01, 0x00, 0x00, 0x01], QuickTimeError.Code.unsupported),
      ([0xFF, 0xFF, 0xFF, 0xFF], .unsupported), ([0x01, 0x00, 0x00, 0x00], .damaged),
    ] as [([UInt8], QuickTimeError.Code)])
  func too_large_or_missing_samples_are_errors(size: [UInt8], code: QuickTimeError.Code) throws {
    try write((3, 5, 7))
    try change("stsz", 8, size)
    #expect(#expect(throws: QuickTimeError.self) { try samples(in: all) }?.code == code)
  }

  @Test func a_damaged_key_table_is_ignored() throws {
    try write((3, 5, 7))
    #expect(try track().metadataKeys?.count == 2)
    let good = file.content
    // The type of the first key's atom comes after the type of the table and the size of that atom.
    try change("keys", 8, [0, 0, 0, 2])
    #expect(try track().metadataKeys == nil)
    file.content = good
    try change("keys", 4, [0x7F, 0xFF, 0xFF, 0xFF])
    #expect(try track().metadataKeys == nil)
    file.content = good
    try change("keyd", 0, Array("free".utf8))
    #expect(try track().metadataKeys == nil)
  }

  @Test func a_samples_values_are_separated() throws {
    func values(_ bytes: [UInt8]) throws -> [String] {
      try BoxedMetadataValue.values(in: bytes).map { "\($0.key):\($0.bytes)" }
    }
    #expect(try values([]).isEmpty)
    #expect(
      try values([0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 2, 5]) == ["2:[5]"])
    for damaged: [UInt8] in [[0], [0, 0, 0, 9, 0, 0, 0, 2], [0, 0, 0, 7, 0, 0, 0, 2]] {
      let error = #expect(throws: QuickTimeError.self) { try values(damaged) }
      #expect(error?.code == .damaged)
    }
    let empty: [UInt8] = [0, 0, 0, 8, 0, 0, 0, 1]
    let most = [[UInt8]](repeating: empty, count: 65_536).flatMap { $0 }
    #expect(try values(most).count == 65_536)
    let error = #expect(throws: QuickTimeError.self) { try values(most + empty) }
    #expect(error?.code == .unsupported)
  }

  @Test func unsigned_64_bit_integers_are_read() {
    let one = [UInt8](repeating: 0, count: 7) + [1]
    #expect(MovieMetadata.Value(type: 78, bytes: one) == .integer(1))
    let most = [UInt8](repeating: 0xFF, count: 8)
    #expect(MovieMetadata.Value(type: 78, bytes: most) == .data(type: 78, bytes: most))
    #expect(MovieMetadata.Value(type: 65, bytes: [1, 2]) == .data(type: 65, bytes: [1, 2]))
  }
}
