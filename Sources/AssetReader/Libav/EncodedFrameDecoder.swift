import CFFmpeg
package import MediaCore

/// Decodes single ProRes frames from memory, for those who compare them with their pictures.
package final class EncodedFrameDecoder {
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let frame: UnsafeMutablePointer<AVFrame>
  private let packet: UnsafeMutablePointer<AVPacket>
  private let mapper: PictureMapper

  /// A decoder of one codec and size.
  ///
  /// - Throws: ``AssetReaderError/Code/unsupported`` where libavcodec has no ProRes decoder,
  ///   ``AssetReaderError/Code/outOfMemory``.
  package init(_ codec: VideoCodecType, size: VideoDimensions) throws(AssetReaderError) {
    guard let decoder = avcodec_find_decoder(AV_CODEC_ID_PRORES) else {
      throw AssetReaderError(.unsupported, "libavcodec here cannot decode ProRes")
    }
    guard let context = avcodec_alloc_context3(decoder), let frame = av_frame_alloc(),
      let packet = av_packet_alloc()
    else { throw AssetReaderError(.outOfMemory, "no memory to decode a frame") }
    self.context = context
    self.frame = frame
    self.packet = packet
    mapper = PictureMapper(name: "a frame", ledger: OutstandingPictures())
    context.pointee.width = Int32(clamping: size.width)
    context.pointee.height = Int32(clamping: size.height)
    context.pointee.codec_tag = codec.rawValue.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    cffmpeg_decoder_set_strict(context)
    let result = avcodec_open2(context, decoder, nil)
    guard result >= 0 else {
      throw AssetReaderError(.unsupported, "ProRes cannot be decoded: \(libavErrorText(result))")
    }
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    var frame: UnsafeMutablePointer<AVFrame>? = frame
    var packet: UnsafeMutablePointer<AVPacket>? = packet
    avcodec_free_context(&context)
    av_frame_free(&frame)
    av_packet_free(&packet)
  }

  /// Decodes a frame.
  ///
  /// - Throws: ``AssetReaderError/Code/decodeFailed`` where it is not sound.
  package func decode(_ bytes: UnsafeRawBufferPointer) throws(AssetReaderError) -> PixelBuffer {
    try mapper.picture(try picture(bytes))
  }

  /// Decodes a frame into the decoder's own memory, where it stays until the next one.
  ///
  /// - Throws: As ``decode(_:)``.
  func picture(
    _ bytes: UnsafeRawBufferPointer
  ) throws(AssetReaderError) -> UnsafeMutablePointer<AVFrame> {
    av_packet_unref(packet)
    guard av_new_packet(packet, Int32(clamping: bytes.count)) >= 0, let base = bytes.baseAddress
    else { throw AssetReaderError(.outOfMemory, "no memory to decode a frame") }
    UnsafeMutableRawPointer(packet.pointee.data).copyMemory(from: base, byteCount: bytes.count)
    try check(avcodec_send_packet(context, packet))
    try check(avcodec_receive_frame(context, frame))
    return frame
  }

  private func check(_ result: Int32) throws(AssetReaderError) {
    guard result < 0 else { return }
    throw AssetReaderError(
      .decodeFailed, "a ProRes frame does not decode: \(libavErrorText(result))")
  }
}
