import CFFmpeg
import MediaCore
import Testing

@testable import AssetReader

/// Errors of in-memory packet decoders about packets that they cannot take.
struct PacketDecoderTests {
  private static let audio: [UInt8] = [0x11, 0x90]

  /// A size above libavutil's allocation limit, so there is no memory for it; only the first byte
  /// exists.
  private func tooLarge<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { bytes in
      try body(UnsafeRawBufferPointer(start: bytes.baseAddress, count: Int(Int32.max)))
    }
  }

  @Test func lack_of_memory_for_an_audio_packet_is_reported() throws {
    let decoder = try AudioPacketDecoder(isLossless: false, configuration: Self.audio)
    let error = #expect(throws: AssetReaderError.self) {
      try tooLarge { _ = try decoder.decode(RawSpan(_unsafeBytes: $0)) }
    }
    #expect(error?.code == .outOfMemory)
    #expect(error?.message == "no memory to decode an audio packet")
  }

  @Test func lack_of_memory_for_a_frame_is_reported() throws {
    let size = VideoDimensions(width: 64, height: 48)
    let decoder = try PacketDecoder(VideoFormatDescription(codec: "jpeg", dimensions: size))
    let error = #expect(throws: AssetReaderError.self) {
      try tooLarge { _ = try decoder.decode($0, number: 0) }
    }
    #expect(error?.code == .outOfMemory && error?.message == "no memory to decode a frame")
  }

  @Test func lack_of_memory_for_a_configuration_is_reported() throws {
    let error = #expect(throws: AssetReaderError.self) {
      try tooLarge {
        _ = try MemoryDecoder(
          AV_CODEC_ID_AAC, name: "AAC", item: "an audio packet",
          configuration: RawSpan(_unsafeBytes: $0))
      }
    }
    #expect(error?.code == .outOfMemory)
  }

  @Test func an_empty_packet_is_damaged() throws {
    let decoder = try AudioPacketDecoder(isLossless: false, configuration: Self.audio)
    let none: [UInt8] = []
    let error = #expect(throws: AssetReaderError.self) { try decoder.decode(none.span.bytes) }
    #expect(error?.code == .decodeFailed && error?.message == "an audio packet without bytes")
    let frames = try EncodedFrameDecoder(.proRes422, size: VideoDimensions(width: 64, height: 48))
    let second = #expect(throws: AssetReaderError.self) {
      try frames.decode(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    #expect(second?.code == .decodeFailed && second?.message == "a ProRes frame without bytes")
  }

  @Test func a_missing_decoder_is_reported() {
    let size = VideoDimensions(width: 64, height: 48)
    let error = #expect(throws: AssetReaderError.self) {
      _ = try PacketDecoder(VideoFormatDescription(codec: "none", dimensions: size))
    }
    #expect(error?.code == .unsupported)
    #expect(error?.message == "libavcodec here cannot decode 'none'")
  }
}
