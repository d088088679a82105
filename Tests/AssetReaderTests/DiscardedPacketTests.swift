import CFFmpeg
import MediaCore
import Testing

@testable import AssetReader

/// Video packets that an edit list leaves out.
@Suite struct DiscardedPacketTests {
  /// - Parameter kind: The packet's side data.
  private func packet(
    of codec: AVCodecID, with kind: AVPacketSideDataType? = nil
  ) throws -> CompressedPacket {
    let context = try #require(avformat_alloc_context())
    defer { avformat_free_context(context) }
    let stream = try #require(avformat_new_stream(context, nil))
    stream.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_VIDEO
    stream.pointee.codecpar.pointee.codec_id = codec
    let packet = try #require(av_packet_alloc())
    packet.pointee.flags |= Int32(AV_PKT_FLAG_DISCARD)
    if let kind { _ = av_packet_new_side_data(packet, kind, 1024) }
    return CompressedPacket(
      packet, timeBase: AVRational(num: 1, den: 25), index: 0, start: FreshStart(stream))
  }

  @Test func packets_with_a_palette_or_configuration_are_not_skipped() throws {
    #expect(try packet(of: AV_CODEC_ID_RAWVIDEO).isUnseen)
    #expect(
      try packet(of: AV_CODEC_ID_RAWVIDEO, with: AV_PKT_DATA_MASTERING_DISPLAY_METADATA).isUnseen)
    #expect(try !packet(of: AV_CODEC_ID_RAWVIDEO, with: AV_PKT_DATA_PALETTE).isUnseen)
    #expect(try !packet(of: AV_CODEC_ID_MJPEG, with: AV_PKT_DATA_NEW_EXTRADATA).isUnseen)
    #expect(try !packet(of: AV_CODEC_ID_H264).isUnseen)
  }
}
