import MediaCore
import Testing
import VideoRecorder

/// The gain of a connection's channels.
struct ConnectionGainTests {
  private let gains = ConnectionGains()

  private func floats(_ numbers: [Float]) throws -> SampleBuffer {
    let bytes = numbers.flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * $0)) }
    }
    let format = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .float32)
    return SampleBuffer(
      .audio(try AudioBuffer(format: format, bytes: bytes)), presentationTimeStamp: .zero)
  }

  private func bytes(_ sample: SampleBuffer) -> [UInt8]? { sample.audioBuffer?.bytes }

  @Test func a_disabled_float_channel_is_silent_even_with_nan_and_infinity() throws {
    gains.change(0) { $0.isEnabled = false }
    let loud = gains.applied(to: try floats([.nan, 0.5, .infinity, 0.25, -1, 1]))
    #expect(bytes(loud) == bytes(try floats([0, 0.5, 0, 0.25, 0, 1])))
  }

  @Test func extreme_integers_are_scaled_exactly() throws {
    gains.change(1) { $0.volume = 0.5 }
    let format = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int24)
    let audio = try AudioBuffer(
      format: format, bytes: [1, 2, 3, 0, 0, 0x80, 4, 5, 6, 0xFE, 0xFF, 0x7F])
    let sample = SampleBuffer(.audio(audio), presentationTimeStamp: .zero)
    #expect(
      bytes(gains.applied(to: sample)) == [1, 2, 3, 0, 0, 0xC0, 4, 5, 6, 0xFF, 0xFF, 0x3F])
  }

  @Test func a_disabled_channel_is_silent_in_every_sample_format() throws {
    gains.change(0) { $0.isEnabled = false }
    for sampleFormat in AudioFormat.SampleFormat.allCases {
      let format = AudioFormat(sampleRate: 48_000, channelCount: 1, sampleFormat: sampleFormat)
      for frames in [0, 1, 3] {
        let loud = [UInt8](repeating: 0x55, count: frames * format.bytesPerFrame)
        let sample = SampleBuffer(
          .audio(try AudioBuffer(format: format, bytes: loud)), presentationTimeStamp: .zero)
        let quiet = [UInt8](repeating: 0, count: loud.count)
        #expect(bytes(gains.applied(to: sample)) == quiet, "\(sampleFormat)")
      }
    }
  }
}
