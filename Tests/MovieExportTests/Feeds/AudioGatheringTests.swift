import MediaCore
import TestSupport
import Testing

@testable import MovieExport

/// Short pieces of audio are joined into longer ones, and no sample is moved.
@Suite struct AudioGatheringTests {
  private static let formats = [48_000, 96_000].map {
    AudioFormat(sampleRate: $0, channelCount: 2, sampleFormat: .int16)
  }

  /// A seamless run of a track's samples, with its time.
  private struct Run: Equatable {
    var format: AudioFormat
    var time: MediaTime
    var bytes: [UInt8]
  }

  private func runs(_ pieces: [ExportAudioFeed.Piece], of audio: Int) -> [Run] {
    var runs: [Run] = []
    for piece in pieces where piece.audio == audio {
      let format = piece.buffer.format
      if let last = runs.last, last.format == format,
        last.time + format.duration(ofFrames: last.bytes.count / format.bytesPerFrame)
          == piece.time
      {
        runs[runs.count - 1].bytes += piece.buffer.bytes
      } else {
        runs.append(Run(format: format, time: piece.time, bytes: piece.buffer.bytes))
      }
    }
    return runs
  }

  private func piece(
    _ audio: Int, _ format: AudioFormat, frames: Int, at time: MediaTime,
    _ random: inout SeededGenerator
  ) throws -> ExportAudioFeed.Piece {
    let bytes = random.bytes(frames * format.bytesPerFrame)
    return ExportAudioFeed.Piece(
      audio: audio, buffer: try AudioBuffer(format: format, bytes: bytes), time: time)
  }

  @Test(arguments: 1...20)
  func samples_keep_their_place_across_any_seams(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var gathering = AudioGathering()
    var times = [MediaTime(value: 1, timescale: 3), .zero]
    var formats = [Self.formats[0], Self.formats[1]]
    var given: [ExportAudioFeed.Piece] = []
    var taken: [ExportAudioFeed.Piece] = []
    for _ in 0..<200 {
      let audio = Int.random(in: 0...1, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0: times[audio] += MediaTime(value: 1, timescale: 90_000)
      case 1: times[audio] = times[audio] - MediaTime(value: 1, timescale: 100)
      case 2: formats[audio] = Self.formats.randomElement(using: &random) ?? formats[audio]
      default: break
      }
      let frames = Int.random(in: 0...6000, using: &random)
      let next = try piece(audio, formats[audio], frames: frames, at: times[audio], &random)
      times[audio] += next.buffer.duration
      given.append(next)
      taken += try gathering.take(next)
    }
    taken += try gathering.finish()
    #expect(try gathering.finish().isEmpty)
    for audio in 0...1 { #expect(runs(taken, of: audio) == runs(given, of: audio)) }
    #expect(taken.count < given.count)
  }

  @Test func short_pieces_are_gathered_and_long_ones_are_passed_on_immediately()
    throws
  {
    var random = SeededGenerator(seed: 1)
    var gathering = AudioGathering()
    let format = Self.formats[0]
    var time = MediaTime.zero
    var counts: [Int] = []
    for frames in [1024, 1024, 1024, 1024, 1024, 9600, 1024] {
      let next = try piece(0, format, frames: frames, at: time, &random)
      time += next.buffer.duration
      counts.append(contentsOf: try gathering.take(next).map(\.buffer.frameCount))
    }
    #expect(counts == [5120, 9600])
    #expect(try gathering.finish().map(\.buffer.frameCount) == [1024])
  }

  @Test func a_piece_waits_for_at_most_a_tenth_of_a_second_of_its_track() throws {
    var random = SeededGenerator(seed: 2)
    var gathering = AudioGathering()
    let format = Self.formats[0]
    #expect(try gathering.take(piece(0, format, frames: 4799, at: .zero, &random)).isEmpty)
    #expect(try gathering.take(piece(1, format, frames: 100, at: .zero, &random)).isEmpty)
    let seam = MediaTime(value: 1, timescale: 1)
    let gone = try gathering.take(piece(0, format, frames: 4800, at: seam, &random))
    #expect(gone.map(\.time) == [.zero, seam])
    #expect(gone.map(\.audio) == [0, 0])
    #expect(try gathering.finish().map(\.audio) == [1])
  }
}
