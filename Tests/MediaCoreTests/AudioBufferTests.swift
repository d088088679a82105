import MediaCore
import Testing

/// Audio buffers made from others.
struct AudioBufferTests {
  private func audio(_ bytes: [UInt8], channels: Int) throws -> AudioBuffer {
    try AudioBuffer(
      format: AudioFormat(sampleRate: 48_000, channelCount: channels, sampleFormat: .int16),
      bytes: bytes)
  }

  @Test func channels_are_reordered_and_missing_ones_silent() throws {
    let stereo = try audio([1, 2, 3, 4, 5, 6, 7, 8], channels: 2)
    let mapped = stereo.withChannels([1, -1, 0])
    #expect(mapped.bytes == [3, 4, 0, 0, 1, 2, 7, 8, 0, 0, 5, 6])
    #expect(mapped.format.channelCount == 3 && mapped.frameCount == 2)
    #expect(mapped.format.sampleRate == 48_000 && mapped.format.sampleFormat == .int16)
    #expect(try audio([], channels: 2).withChannels([0]).bytes.isEmpty)
  }

  @Test func changing_a_copy_leaves_the_original_audio_unchanged() throws {
    let mono = try audio([1, 2, 3, 4], channels: 1)
    let changed = mono.changed { bytes in
      for place in bytes.indices { bytes[place] += 1 }
    }
    #expect(changed.bytes == [2, 3, 4, 5] && changed.format == mono.format)
    #expect(mono.bytes == [1, 2, 3, 4])
  }
}
