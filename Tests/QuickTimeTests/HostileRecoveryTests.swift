import Foundation
import MediaCore
import TestSupport
import Testing

@testable import QuickTime

/// Recovery of corrupted files.
@Suite struct HostileRecoveryTests {
  /// A take as a kill leaves it, a finished one, and one that lost its end.
  private static func seeds() throws -> [[UInt8]] {
    let take = Take(frameCount: 20)
    let file = TraceFile()
    file.keepsCalls = false
    let (writer, ids) = try take.begin(file)
    try take.append(to: writer, ids)
    let killed = file.content
    _ = try writer.finish()
    return [killed, file.content, Array(file.content.dropLast(1000))]
  }

  /// A day at 60 fps, with captions and metadata for each frame and 64 mono audio tracks, in
  /// fragments of half a second.
  @Test func the_index_of_a_long_take_fits_the_readers_limits() {
    let (frames, fragments) = (86_400 * 60, 86_400 * 2)
    // Placed frames have an offset and a size each. Samples of data tracks have a size and a
    // duration, those of audio one entry in each list for a fragment.
    let index = frames * (8 + 4) + 2 * (frames * (4 + 8) + fragments * 20) + 64 * fragments * 20
    #expect(index < Int(MovieScan.atomLimit))
    // At twice the rate, with one fragment for each frame: header and media.
    #expect(2 * 2 * frames < MovieScan.atomCountLimit)
  }

  /// Corrupts a few bytes, mostly in the tables; or truncates, or duplicates or replaces a part.
  private static func spoil(_ seed: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = seed
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard bytes.count > 64 else { break }
      let isHead = Int.random(in: 0..<4, using: &random) > 0
      let place = Int.random(
        in: 0..<(isHead ? min(2000, bytes.count) : bytes.count), using: &random)
      let count = min(Int.random(in: 1...32, using: &random), bytes.count - place)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: bytes.removeLast(bytes.count - place)
      case 1: bytes.removeSubrange(place..<place + count)
      case 2: bytes.insert(contentsOf: bytes[place..<place + count], at: place)
      case 3: for index in place..<place + count { bytes[index] = 0 }
      case 4: for index in place..<min(place + 4, bytes.count) { bytes[index] = 0xFF }
      default: bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
    }
    return bytes
  }

  @Test func a_refused_recovery_changes_no_byte() throws {
    var random = SeededGenerator(seed: 4)
    let seeds = try Self.seeds()
    var outcomes = (refused: 0, nothingToDo: 0, recovered: 0)
    for number in 0..<1500 {
      let bytes = Self.spoil(seeds[number % seeds.count], &random)
      let file = TraceFile(bytes)
      guard let outcome = try? MovieRecovery.recover(file) else {
        outcomes.refused += 1
        #expect(file.content.isSame(as: bytes), "input \(number)")
        continue
      }
      guard outcome.wasRecovered else {
        outcomes.nothingToDo += 1
        #expect(file.content.isSame(as: bytes) && file.calls.isEmpty, "input \(number)")
        continue
      }
      outcomes.recovered += 1
      let index = try MovieIndex(file)
      #expect(index.completion == .finished && !index.isTruncated, "input \(number)")
      // All earlier bytes remain, except for the switch at the start.
      #expect(file.content.isSame(as: bytes, in: 36..<bytes.count), "input \(number)")
    }
    #expect(min(outcomes.refused, outcomes.nothingToDo, outcomes.recovered) > 100, "\(outcomes)")
  }

  @Test func an_unrecoverable_file_keeps_its_bytes_and_date() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("take.mov")
    var random = SeededGenerator(seed: 5)
    let killed = try Self.seeds()[0]
    let hopeless: [[UInt8]] = [
      [], Array(killed.prefix(30)), Array(killed.prefix(300)),
      (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) },
      [UInt8](repeating: 0, count: 100_000), Array("ftyp".utf8) + killed,
    ]
    let past = Date(timeIntervalSince1970: 1_700_000_000)
    for (number, bytes) in hopeless.enumerated() {
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: path)
      let error = #expect(throws: QuickTimeError.self) { try MovieRecovery.recover(path: path) }
      #expect(error?.message.contains(path) == true, "input \(number)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(bytes), "input \(number)")
      let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
      #expect(date == past, "input \(number)")
    }
  }

  /// An atom of other atoms, or of 32-bit numbers.
  private static func atom(_ type: String, _ content: [UInt8]) -> [UInt8] {
    numbers(UInt32(content.count + 8)) + Array(type.utf8) + content
  }

  private static func numbers(_ values: UInt32...) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
  }

  @Test(arguments: [UInt32(1), 2])
  func a_fragment_of_billions_of_empty_samples_is_dropped(track: UInt32) throws {
    // Without audio, the samples of track 2 are not PCM, which would be counted in bytes.
    var take = Take(frameCount: 20)
    if track == 2 { take.audio = nil }
    let file = TraceFile()
    let (writer, ids) = try take.begin(file)
    try take.append(to: writer, ids)
    let killed = file.content
    // Four billion samples of zero bytes, all at the same offset.
    let traf = Self.atom(
      "traf",
      Self.atom("tfhd", Self.numbers(0x02_0018, track, 1001, 0))
        + Self.atom("trun", Self.numbers(1, 0xFFFF_FFFF, 84)))
    let moof = Self.atom("moof", Self.atom("mfhd", Self.numbers(0, 99)) + traf)
    let hostile = TraceFile(
      killed + moof + Self.atom("mdat", [0, 0, 0, 0] + Array("icpf".utf8) + [9, 9, 9, 9]))
    let before = try MovieRecovery.recover(TraceFile(killed))
    if let outcome = try? MovieRecovery.recover(hostile) {
      #expect(outcome.droppedFragmentCount == 1)
      #expect(outcome.summary.tracks.first?.sampleCount == before.summary.tracks.first?.sampleCount)
    } else {
      #expect(hostile.calls.isEmpty)
    }
  }

  /// Each track may have as many samples as the file has bytes, and the index takes four bytes for
  /// each.
  @Test func more_samples_than_an_index_can_hold_are_damage() throws {
    let take = Take(frameCount: 20, audio: nil)
    let file = TraceFile()
    let (writer, ids) = try take.begin(file)
    try take.append(to: writer, ids)
    let count = 67_200_000
    let traf = Self.atom(
      "traf",
      Self.atom("tfhd", Self.numbers(0x02_0018, 2, 1, 1))
        + Self.atom("trun", Self.numbers(1, UInt32(count), 84)))
    let moof = Self.atom("moof", Self.atom("mfhd", Self.numbers(0, 99)) + traf)
    #expect(moof.count == 76)
    let media = Self.numbers(UInt32(count + 8)) + Array("mdat".utf8)
    let hostile = TraceFile(
      file.content + moof + media + [UInt8](repeating: 1, count: count))
    let error = #expect(throws: QuickTimeError.self) { try MovieRecovery.recover(hostile) }
    #expect(error?.code == .damaged && hostile.calls.isEmpty)
  }

  /// A day of one-frame fragments with many audio tracks has an index of several gigabytes.
  @Test(arguments: Take.Placement.allCases, [MovieWriter.SyncPolicy.eachFragment, .eachFrame])
  func a_take_is_recovered_if_its_index_exceeds_the_limit(
    placement: Take.Placement, policy: MovieWriter.SyncPolicy
  ) throws {
    var take = Take(frameCount: 20).with(placement)
    take.configuration.syncPolicy = policy
    let file = TraceFile()
    let writer = try MovieWriter(file: file, configuration: take.configuration)
    let video = try writer.addVideoTrack(take.video)
    let mono = try writer.addMonoAudioTracks(try #require(take.audio))
    try writer.start()
    let packets = Packets.standard.frames
    for frame in 0..<take.frameCount {
      try writer.append(packets[frame % packets.count], to: video)
      let count = Take.audioFrames(upTo: frame + 1) - Take.audioFrames(upTo: frame)
      try MovieWriter.with([UInt8](repeating: 1, count: count * 6)) {
        bytes throws(QuickTimeError) in
        try writer.appendInterleavedAudio(bytes, frames: count, toMonoTracks: mono)
      }
    }
    let outcome = try MovieRecovery.recover(TraceFile(file.content), indexLimit: 0)
    #expect(outcome.wasRecovered)
  }

  @Test func a_movie_of_thousands_of_tracks_is_refused() throws {
    let header = Self.atom(
      "mvhd", Self.numbers(0, 0, 0, 1000, 0) + [UInt8](repeating: 0, count: 80))
    let tracks = (1...2000).flatMap { id in
      Self.atom(
        "trak",
        Self.atom(
          "tkhd", Self.numbers(1, 0, 0, UInt32(id), 0, 0) + [UInt8](repeating: 0, count: 60))
          + Self.atom(
            "mdia", Self.atom("mdhd", Self.numbers(0, 0, 0, 1000, 0, 0))))
    }
    let error = #expect(throws: QuickTimeError.self) {
      try MovieIndex(TraceFile(Self.atom("moov", header + tracks)))
    }
    #expect(error?.code == .unsupported && error?.message.contains("2000 tracks") == true)
  }
}
