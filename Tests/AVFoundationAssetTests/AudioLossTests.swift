import Testing

@testable import AVFoundationCompat

/// A converter that returns less than it should reports an error.
@Suite struct AudioLossTests {
  private func audio(_ rate: Int, _ frames: Int) throws -> MediaCore.AudioBuffer {
    let format = AudioFormat(sampleRate: rate, channelCount: 1, sampleFormat: .int16)
    let bytes = [UInt8](repeating: 1, count: 2 * frames)
    return try MediaCore.AudioBuffer(format: format, bytes: bytes)
  }

  @Test func lost_audio_is_an_error_only_without_rate_conversion() throws {
    let ten = try audio(48_000, 10)
    for made in [nil, try audio(48_000, 9)] {
      let error = #expect(throws: AVError.self) {
        try AVAudioConverter.checked(made, of: ten, for: ten.format)
      }
      #expect(error?.code == .unknown && error?.message.contains("10 frames") == true)
    }
    let whole = try AVAudioConverter.checked(ten, of: ten, for: ten.format)
    let coming = try AVAudioConverter.checked(nil, of: ten, for: try audio(44_100, 1).format)
    #expect(whole?.frameCount == 10 && coming.map(\.frameCount) == nil)
  }

  @Test func in_place_and_empty_buffer_conversions_work() throws {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    let converter = try #require(AVAudioConverter(from: format, to: format))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4))
    buffer.frameLength = 4
    buffer.floatChannelData?[1][3] = 0.5
    try converter.convert(to: buffer, from: buffer)
    let last = buffer.floatChannelData?[1][3]
    #expect(buffer.frameLength == 4 && last == 0.5)
    let empty = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4))
    try converter.convert(to: buffer, from: empty)
    #expect(buffer.frameLength == 0)
  }
}
