import Foundation
import MediaCore
import QuickTime
import TestSupport
import Testing

/// The reader with movies of other programs, and with malicious ones.
@Suite struct ReaderTests {
  /// A movie made by ffmpeg.
  private static func make(_ options: [String], in folder: TemporaryFolder) throws -> String {
    let path = folder.path("made.mov")
    let result = try Judges.run(
      Judges.decoder,
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=30000/1001", "-f", "lavfi",
        "-i", "sine=frequency=440:sample_rate=48000", "-t", "2", "-c:v", "prores_ks", "-c:a",
        "pcm_s16le", "-timecode", "10:20:30;12",
      ] + options + [path])
    try #require(result.status == 0, "\(result.errors)")
    return path
  }

  /// Offset, size and time of each video packet, from ffprobe.
  private static func packets(_ path: String) throws -> [[Int]] {
    let result = try Judges.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts,size,pos", "-of",
        "csv=p=0", path,
      ])
    return result.output.split(separator: "\n").map {
      $0.split(separator: ",").compactMap { Int($0) }
    }
  }

  @Test(
    arguments: [
      [], ["-movflags", "+faststart"], ["-video_track_timescale", "90000"],
      ["-movflags", "frag_keyframe+empty_moov+default_base_moof", "-frag_duration", "300000"],
      ["-movflags", "frag_keyframe+empty_moov", "-frag_duration", "300000"],
      ["-movflags", "frag_keyframe", "-frag_duration", "500000"],
    ])
  func sample_positions_match_ffprobe(options: [String]) throws {
    let folder = try TemporaryFolder()
    let path = try Self.make(options, in: folder)
    let index = try MovieIndex(path: path)
    let samples = try #require(index.videoTrack?.samples)
    #expect(
      samples.map { [Int($0.time), Int($0.size), Int($0.offset)] } == (try Self.packets(path)))
    #expect(samples.count == 60)
    #expect(!index.isTruncated)
    #expect(index.completion == (options.joined().contains("frag") ? .fragmented : .finished))
    #expect(
      index.audioTracks.first?.samples.byteCount == 96096 * 2
        || index.audioTracks.first?.samples.byteCount == 96000 * 2)
    #expect(index.videoTrack?.video?.compressorName.isEmpty == false)
  }

  @Test func timecode_and_formats_of_other_programs_are_read() throws {
    let folder = try TemporaryFolder()
    let index = try MovieIndex(path: Self.make(["-metadata:s:v", "reel_name=B002"], in: folder))
    #expect(index.timecodeTrack?.timecode?.start?.description == "10:20:30;12")
    #expect(index.videoTrack?.frameRate == .fps29_97)
    let audio = try #require(index.audioTracks.first?.audio)
    #expect(audio.format == AudioFormat(sampleRate: 48000, channelCount: 1, sampleFormat: .int16))
  }

  @Test func errors_for_text_and_missing_files_name_the_path() throws {
    let folder = try TemporaryFolder()
    let text = folder.path("text.mov")
    try Data("This is a text. It is long enough to have an atom or two in it.".utf8)
      .write(to: URL(fileURLWithPath: text))
    let error = #expect(throws: QuickTimeError.self) { try MovieIndex(path: text) }
    #expect(error?.code == .notAMovie && error?.message.hasPrefix(text) == true)
    let missing = #expect(throws: QuickTimeError.self) {
      try MovieIndex(path: folder.path("no.mov"))
    }
    #expect(missing?.code == .notFound)
    let directory = #expect(throws: QuickTimeError.self) { try MovieIndex(path: folder.path) }
    #expect(directory?.code == .invalidArgument)
  }

  /// Seeds for each of the parser's paths.
  private static func seeds() throws -> [[UInt8]] {
    let folder = try TemporaryFolder()
    let take = Take(frameCount: 20)
    let finished = TraceFile()
    try take.record(into: finished)
    let unfinished = TraceFile()
    let (writer, ids) = try take.begin(unfinished)
    try take.append(to: writer, ids)
    let others = try [[], ["-movflags", "frag_keyframe+empty_moov", "-frag_duration", "300000"]].map
    {
      let path = try make($0, in: folder)
      defer { try? FileManager.default.removeItem(atPath: path) }
      return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    return [finished.content, unfinished.content] + others
  }

  /// The ranges of the tables: mutations of media have no effect.
  private static func tables(_ bytes: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = [0..<36]
    var position = 0
    while position + 8 < bytes.count {
      // Compared byte by byte, because generic code is slow without optimization.
      let isTable =
        bytes[position + 4] == UInt8(ascii: "m") && bytes[position + 5] == UInt8(ascii: "o")
        && bytes[position + 6] == UInt8(ascii: "o")
        && (bytes[position + 7] == UInt8(ascii: "v") || bytes[position + 7] == UInt8(ascii: "f"))
      if isTable {
        let size = bytes[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
        if size > 16, position + size <= bytes.count {
          ranges.append(position..<(position + size))
          position += size
          continue
        }
      }
      position += 1
    }
    return ranges
  }

  private static func mutate(
    _ seed: [UInt8], _ tables: [Range<Int>], using random: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = seed
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      guard let range = tables.randomElement(using: &random), range.upperBound <= bytes.count
      else { continue }
      let place = Int.random(in: range, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2, 3:
        // A number that breaks arithmetic.
        let value =
          [0, 1, 7, 8, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x1000_0000]
          .randomElement(using: &random) ?? 0
        let aligned = range.lowerBound + (place - range.lowerBound) & ~3
        guard aligned + 4 <= bytes.count else { continue }
        for byte in 0..<4 {
          bytes[aligned + byte] = UInt8(truncatingIfNeeded: value >> (24 - 8 * byte))
        }
      case 4:
        // Copies one atom's bytes over another's.
        let count = min(Int.random(in: 1...64, using: &random), bytes.count - place)
        let from = Int.random(in: range, using: &random)
        guard from + count <= bytes.count else { continue }
        bytes.replaceSubrange(place..<(place + count), with: Array(bytes[from..<(from + count)]))
      default: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      }
      if bytes.count < 64 { break }
    }
    return bytes
  }

  @Test(.tags(.slow)) func mutated_movies_neither_crash_nor_hang_the_reader() throws {
    var random = SeededGenerator(seed: 4)
    let seeds = try Self.seeds()
    let tables = seeds.map(Self.tables)
    var read = 0
    var refused = 0
    let rounds = TestRun.isThorough ? 60_000 : TestRun.isExtended ? 1200 : 500
    for round in 0..<rounds {
      let kind = round % seeds.count
      let bytes = Self.mutate(seeds[kind], tables[kind], using: &random)
      let file = TraceFile(bytes)
      file.keepsCalls = false
      do {
        let index = try MovieIndex(file)
        read += 1
        for track in index.tracks {
          // All of the reader's accessors, at the edges.
          if let last = track.samples.last { _ = last.offset &+ UInt64(last.size) }
          _ = track.samples.first
          _ = track.samples.byteCount
          _ = track.samples.index(at: track.samples.duration - 1)
          _ = track.timecode?.start?.description
          _ = track.frameRate
          _ = track.mediaDuration.seconds
        }
      } catch {
        refused += 1
      }
      // Recovery either refuses and leaves the file unchanged, or makes a movie that can be read.
      if round % 4 == 0 { try Self.recover(file, bytes) }
    }
    #expect(read > rounds / 10 && refused > rounds / 20, "\(read) read, \(refused) refused")
  }

  private static func recover(_ file: TraceFile, _ bytes: [UInt8]) throws {
    guard let outcome = try? MovieRecovery.recover(file) else {
      #expect(file.content == bytes)
      return
    }
    guard outcome.wasRecovered else { return }
    let index = try MovieIndex(file)
    #expect(index.completion == .finished)
  }

  @Test func tables_that_claim_billions_of_samples_take_no_memory() throws {
    // A fragment of 2^32-1 one-byte samples in a run without fields, and a plain table of the same
    // size.
    var file = TraceFile()
    try Take(frameCount: 2, audio: nil, timecode: nil).record(into: file)
    var bytes = file.content
    let size = try #require(
      bytes.indices.last { bytes[$0...].starts(with: Array("stsz".utf8)) })
    bytes.replaceSubrange((size + 8)..<(size + 16), with: [0, 0, 0, 1, 255, 255, 255, 255])
    let chunk = try #require(
      bytes.indices.last { bytes[$0...].starts(with: Array("stsc".utf8)) })
    bytes.replaceSubrange((chunk + 16)..<(chunk + 20), with: [255, 255, 255, 255])
    let times = try #require(
      bytes.indices.last { bytes[$0...].starts(with: Array("stts".utf8)) })
    bytes.replaceSubrange((times + 12)..<(times + 16), with: [255, 255, 255, 255])
    file = TraceFile(bytes)
    let index = try MovieIndex(file)
    #expect(index.videoTrack?.samples.count == Int(UInt32.max))
    #expect(index.isTruncated)
    let last = try #require(index.videoTrack?.samples.last)
    #expect(last.time == Int64(UInt32.max - 1) * 1001)
  }
}
