import AssetReader
import MediaCore
import TestSupport
import Testing

@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
struct AudioEqualityTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var codec: String
    var file: String
    var channels: Int
    var expected: AudioFormat.SampleFormat
    /// The largest allowed difference in 24-bit codes: 0 for integer codecs.
    var tolerance = 0
    /// True for a file whose edit list ends within a packet. Some FFmpeg versions ignore that.
    var endsWithinPacket = false
    var testDescription: String { "\(codec) in \(file), \(channels) channels" }
  }

  static let cases: [Case] = [
    Case(codec: "pcm_s16le", file: "a.wav", channels: 2, expected: .int16),
    Case(codec: "pcm_s16be", file: "a.mov", channels: 1, expected: .int16),
    Case(codec: "pcm_s24le", file: "a.mov", channels: 8, expected: .int24),
    Case(codec: "pcm_s24be", file: "a.mov", channels: 16, expected: .int24),
    Case(codec: "pcm_s32le", file: "a.mov", channels: 2, expected: .int32),
    Case(codec: "pcm_u8", file: "a.wav", channels: 2, expected: .int16),
    Case(codec: "flac -sample_fmt s32", file: "a.flac", channels: 2, expected: .int24),
    Case(codec: "flac -sample_fmt s16", file: "a.mkv", channels: 2, expected: .int16),
    Case(codec: "alac -sample_fmt s32p", file: "a.m4a", channels: 2, expected: .int24),
    Case(codec: "pcm_f32le", file: "a.wav", channels: 2, expected: .int32, tolerance: 1),
    Case(
      codec: "aac", file: "a.mp4", channels: 2, expected: .int24, tolerance: 1,
      endsWithinPacket: true),
    Case(codec: "mp2", file: "a.mkv", channels: 2, expected: .int16),
  ]

  @Test(arguments: cases)
  func decoded_samples_equal_those_of_ffmpeg(_ test: Case) throws {
    let folder = try TemporaryFolder()
    let path = folder.path(test.file)
    try Judges.ffmpeg(
      "-f lavfi -i anoisesrc=r=48000:d=0.4:seed=5:a=0.7 -ac \(test.channels) "
        + "-c:a \(test.codec) \(path)")
    let name = ["int16": "s16le", "int24": "s24le", "int32": "s32le"][test.expected.rawValue]
    // Debian's FFmpeg, whose libraries the reader uses: other versions round differently.
    let judge = try Judges.ffmpeg(
      "-i \(path) -f \(name ?? "") -c:a pcm_\(name ?? "") -", by: "ffmpeg")
    let reader = try AssetReader(path)
    let track = try #require(reader.audioTracks.first)
    #expect(
      track.audio
        == AudioFormat(
          sampleRate: 48000, channelCount: test.channels, sampleFormat: test.expected))
    var bytes: [UInt8] = []
    var next: MediaTime?
    for sample in try reader.allSamples() {
      let buffer = try #require(sample.sampleBuffer.audioBuffer)
      #expect(buffer.format == track.audio)
      let time = sample.sampleBuffer.presentationTimeStamp
      // A container that counts milliseconds cannot be more exact.
      let slack = MediaTime(value: test.file.hasSuffix("mkv") ? 1 : 0, timescale: 1000)
      if let next { #expect(max(time - next, next - time) <= slack) }
      next = time + buffer.duration
      bytes += buffer.bytes
    }
    if test.endsWithinPacket {
      #expect(bytes.count == 19_200 * (track.audio?.bytesPerFrame ?? 0))
      #expect(bytes.count <= judge.count)
    } else {
      #expect(bytes.count == judge.count)
    }
    if test.tolerance == 0 {
      let isSame = bytes == judge
      #expect(isSame)
    } else {
      #expect(Self.largestDifference(bytes, judge, test.expected) <= test.tolerance)
    }
  }

  /// The largest difference between two runs of audio, in 24-bit codes.
  private static func largestDifference(
    _ first: [UInt8], _ second: [UInt8], _ format: AudioFormat.SampleFormat
  ) -> Int {
    let size = format.byteCount
    func code(_ bytes: [UInt8], _ index: Int) -> Int {
      var value: Int32 = 0
      for byte in 0..<size {
        value |= Int32(bytes[index * size + byte]) << Int32(8 * (byte + 4 - size))
      }
      return Int(value >> 8)
    }
    return (0..<min(first.count, second.count) / size).reduce(0) {
      max($0, abs(code(first, $1) - code(second, $1)))
    }
  }
}
