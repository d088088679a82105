import Foundation
import MediaCore
import TestSupport
import Testing

@testable import AssetWriter

/// Conversion of audio to other sample rates, channel counts and bit depths.
@Suite struct AudioConverterTests {
  /// A sine at half of full scale, the same in every channel.
  private func sine(_ frequency: Double, _ format: AudioFormat, _ frames: Range<Int>) throws
    -> MediaCore.AudioBuffer
  {
    var whole = format
    whole.sampleFormat = .int32
    let bytes = frames.flatMap { frame -> [UInt8] in
      let phase = 2 * Double.pi * frequency * Double(frame) / Double(format.sampleRate)
      let code = Int32(sin(phase) * 0x1p30)
      let word = withUnsafeBytes(of: code.littleEndian) { Array($0) }
      return (0..<format.channelCount).flatMap { _ in word }
    }
    let buffer = try MediaCore.AudioBuffer(format: whole, bytes: bytes)
    return try #require(buffer.stored(as: format.sampleFormat))
  }

  private func floats(_ buffer: MediaCore.AudioBuffer) throws -> [Float] {
    let bytes = try #require(buffer.stored(as: .float32)).bytes
    return bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 4).map {
        let word = bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self)
        return Float(bitPattern: UInt32(littleEndian: word))
      }
    }
  }

  @Test(arguments: [
    (48_000, 2, 44_100, 1), (44_100, 1, 48_000, 2), (48_000, 2, 16_000, 2), (48_000, 6, 48_000, 2),
  ])
  func resampling_preserves_a_sine(
    rate: Int, channels: Int, newRate: Int, newChannels: Int
  ) throws {
    let source = AudioFormat(sampleRate: rate, channelCount: channels, sampleFormat: .int24)
    let target = AudioFormat(
      sampleRate: newRate, channelCount: newChannels, sampleFormat: .float32)
    let converter = try #require(AudioConverter(from: source, to: target))
    var given: [Float] = []
    // Runs of odd lengths, as devices deliver them.
    var place = 0
    for count in [1, 1000, 37, 4800, 999, 9600, 31_563] {
      // The next output begins where the previous output ended.
      let begin = Double(place) / Double(rate) - converter.delay.seconds
      let made = Double(given.count / newChannels) / Double(newRate)
      #expect(abs(begin - made) < 1.5 / Double(min(rate, newRate)), "\(begin) for \(made)")
      if let run = converter.convert(try sine(1000, source, place..<place + count)) {
        #expect(run.format == target)
        given += try floats(run)
      }
      place += count
    }
    if let rest = converter.finish() { given += try floats(rest) }
    let frames = given.count / newChannels
    #expect(abs(frames - place * newRate / rate) <= 2, "\(frames)")
    // Away from the ends it is the sine, at the level that mixing gives it.
    let middle = 2000..<(frames - 2000)
    let loudest = middle.map { abs(given[$0 * newChannels]) }.max() ?? 0
    #expect(loudest > 0.2 && loudest < 1)
    for frame in middle {
      let ideal =
        Double(loudest) * sin(2 * .pi * 1000 * Double(frame) / Double(newRate))
      guard abs(Double(given[frame * newChannels]) - ideal) < 0.003 else {
        Issue.record("frame \(frame): \(given[frame * newChannels]), not \(ideal)")
        return
      }
    }
  }

  @Test func changing_only_the_bit_depth_preserves_samples() throws {
    let source = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int16)
    var target = source
    target.sampleFormat = .int24
    let converter = try #require(AudioConverter(from: source, to: target))
    let audio = try sine(440, source, 0..<100)
    let wide = try #require(converter.convert(audio))
    #expect(wide.stored(as: .int16)?.bytes == audio.bytes && converter.finish() == nil)
    #expect(converter.delay == .zero)
  }

  @Test func unsupported_channel_conversions_have_no_converter() {
    let source = AudioFormat(sampleRate: 48_000, channelCount: 11, sampleFormat: .int24)
    let target = AudioFormat(sampleRate: 48_000, channelCount: 3, sampleFormat: .int24)
    #expect(AudioConverter(from: source, to: target) == nil)
  }
}
