import AVFoundationCompat
import Testing

/// A converter's channel map.
@Suite struct ChannelMapTests {
  private func format(_ rate: Double, _ channels: AVAudioChannelCount) throws -> AVAudioFormat {
    try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
  }

  /// Ten frames, in tenths: each channel holds its number plus a half.
  private func audio(_ format: AVAudioFormat) throws -> AVAudioPCMBuffer {
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 10))
    buffer.frameLength = 10
    for channel in 0..<Int(format.channelCount) {
      for frame in 0..<10 {
        buffer.floatChannelData?[channel][frame] = (Float(channel) + 0.5) / 10
      }
    }
    return buffer
  }

  private func level(_ buffer: AVAudioPCMBuffer, _ channel: Int) -> Float {
    buffer.floatChannelData?[channel][5] ?? -1
  }

  @Test func each_output_channel_comes_from_its_mapped_input() throws {
    let (four, two) = (try format(48_000, 4), try format(48_000, 2))
    let converter = try #require(AVAudioConverter(from: four, to: two))
    #expect(converter.channelMap == [0, 1])
    converter.channelMap = [3, -1]
    #expect(converter.channelMap == [3, -1])
    let output = try #require(AVAudioPCMBuffer(pcmFormat: two, frameCapacity: 10))
    try converter.convert(to: output, from: try audio(four))
    #expect(output.frameLength == 10)
    #expect(abs(level(output, 0) - 0.35) < 1e-6 && level(output, 1) == 0)
  }

  @Test func mono_maps_to_stereo_and_invalid_maps_are_ignored() throws {
    let (one, two) = (try format(48_000, 1), try format(48_000, 2))
    let converter = try #require(AVAudioConverter(from: one, to: two))
    converter.channelMap = [0, 0]
    for wrong in [[0], [0, 1], [0, 0, 0]] as [[NSNumber]] { converter.channelMap = wrong }
    #expect(converter.channelMap == [0, 0])
    let output = try #require(AVAudioPCMBuffer(pcmFormat: two, frameCapacity: 10))
    try converter.convert(to: output, from: try audio(one))
    #expect(abs(level(output, 0) - 0.05) < 1e-6 && level(output, 0) == level(output, 1))
  }

  @Test func channels_keep_their_positions_without_a_map() throws {
    let (ten, two) = (try format(48_000, 10), try format(48_000, 2))
    let converter = try #require(AVAudioConverter(from: ten, to: two))
    #expect(converter.channelMap == [0, 1] && !converter.downmix)
    let output = try #require(AVAudioPCMBuffer(pcmFormat: two, frameCapacity: 10))
    try converter.convert(to: output, from: try audio(ten))
    #expect(abs(level(output, 0) - 0.05) < 1e-6 && abs(level(output, 1) - 0.15) < 1e-6)
    converter.channelMap = [9, 4]
    try converter.convert(to: output, from: try audio(ten))
    #expect(abs(level(output, 0) - 0.95) < 1e-6 && abs(level(output, 1) - 0.45) < 1e-6)
    let wider = try #require(AVAudioConverter(from: two, to: ten))
    #expect(wider.channelMap == [0, 1, -1, -1, -1, -1, -1, -1, -1, -1])
    let many = try #require(AVAudioPCMBuffer(pcmFormat: ten, frameCapacity: 10))
    try wider.convert(to: many, from: try audio(two))
    #expect(abs(level(many, 1) - 0.15) < 1e-6 && level(many, 2) == 0 && level(many, 9) == 0)
    let slower = try #require(AVAudioConverter(from: ten, to: try format(24_000, 2)))
    #expect(slower.channelMap == [0, 1])
  }

  @Test func a_channel_map_applies_to_streamed_conversion() throws {
    let (two, one) = (try format(48_000, 2), try format(24_000, 1))
    let converter = try #require(AVAudioConverter(from: two, to: one))
    converter.channelMap = [1]
    let output = try #require(AVAudioPCMBuffer(pcmFormat: one, frameCapacity: 100))
    let input = try audio(two)
    var rest = 20
    var error: NSError?
    let status = converter.convert(to: output, error: &error) { _, status in
      status.pointee = rest > 0 ? .haveData : .endOfStream
      rest -= 1
      return rest >= 0 ? input : nil
    }
    #expect(status != .error && error == nil && output.frameLength > 50)
    #expect(abs((output.floatChannelData?[0][40] ?? 0) - 0.15) < 0.01)
  }

  @Test func conversion_quality_and_algorithm_are_fixed() throws {
    let stereo = try format(48_000, 2)
    let converter = try #require(AVAudioConverter(from: stereo, to: try format(44_100, 2)))
    converter.sampleRateConverterQuality = AVAudioQuality.low.rawValue
    converter.sampleRateConverterAlgorithm = AVSampleRateConverterAlgorithm_Mastering
    converter.primeMethod = AVAudioConverterPrimeMethod.pre
    (converter.downmix, converter.dither) = (false, true)
    #expect(converter.sampleRateConverterQuality == AVAudioQuality.max.rawValue)
    #expect(converter.sampleRateConverterAlgorithm == nil && converter.primeMethod == .none)
    #expect(converter.downmix && !converter.dither)
  }
}
