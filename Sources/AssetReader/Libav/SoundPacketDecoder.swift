import CFFmpeg
package import MediaCore

/// Decompresses packets of AAC or Apple Lossless from memory, one after the other.
///
/// Used by one thread at a time.
package final class SoundPacketDecoder {
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let frame: UnsafeMutablePointer<AVFrame>
  private let packet: UnsafeMutablePointer<AVPacket>
  private let isLossless: Bool
  private var mapper: SoundMapper?

  /// A decoder.
  ///
  /// - Parameters:
  ///   - isLossless: True for Apple Lossless, false for AAC.
  ///   - configuration: What the encoder told.
  /// - Throws: ``AssetReaderError/Code/unsupported`` if libavcodec has no decoder, or the configuration is damaged;
  ///   ``AssetReaderError/Code/outOfMemory``.
  package init(isLossless: Bool, configuration: [UInt8]) throws(AssetReaderError) {
    self.isLossless = isLossless
    let name = isLossless ? "Apple Lossless" : "AAC"
    guard let decoder = avcodec_find_decoder(isLossless ? AV_CODEC_ID_ALAC : AV_CODEC_ID_AAC)
    else { throw AssetReaderError(.unsupported, "libavcodec here cannot decode \(name)") }
    guard let context = avcodec_alloc_context3(decoder), let frame = av_frame_alloc(),
      let packet = av_packet_alloc(),
      let memory = av_mallocz(configuration.count + Int(AV_INPUT_BUFFER_PADDING_SIZE))
    else { throw AssetReaderError(.outOfMemory, "no memory to decode sound") }
    (self.context, self.frame, self.packet) = (context, frame, packet)
    configuration.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress { memory.copyMemory(from: base, byteCount: bytes.count) }
    }
    context.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
    context.pointee.extradata_size = Int32(clamping: configuration.count)
    let result = avcodec_open2(context, decoder, nil)
    guard result >= 0 else {
      throw AssetReaderError(
        .unsupported, "\(name) cannot be decoded: \(libavErrorText(result))")
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

  /// The sound of a packet; nil if it has none.
  ///
  /// - Throws: ``AssetReaderError/Code/decodeFailed`` for damaged bytes, ``AssetReaderError/Code/unsupported`` if
  ///   channels or rate change.
  package func decode(_ bytes: [UInt8]) throws(AssetReaderError) -> AudioBuffer? {
    av_packet_unref(packet)
    guard let count = Int32(exactly: bytes.count), count > 0, av_new_packet(packet, count) >= 0
    else { throw AssetReaderError(.decodeFailed, "a packet of sound without bytes") }
    bytes.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress {
        UnsafeMutableRawPointer(packet.pointee.data).copyMemory(
          from: base, byteCount: bytes.count)
      }
    }
    try check(avcodec_send_packet(context, packet))
    var whole: AudioBuffer?
    while true {
      let result = avcodec_receive_frame(context, frame)
      if result == cffmpeg_averror_eagain || result == cffmpeg_averror_eof { return whole }
      try check(result)
      let sound = try mapped()
      guard let before = whole else {
        whole = sound
        continue
      }
      do throws(MediaCoreError) {
        whole = try AudioBuffer(format: before.format, bytes: before.bytes + sound.bytes)
      } catch { throw AssetReaderError(.decodeFailed, error.message) }
    }
  }

  /// The sound of the frame, at the depth of what the decoder gives first.
  private func mapped() throws(AssetReaderError) -> AudioBuffer {
    let stored = SoundMapper.sampleFormat(
      decoded: AVSampleFormat(rawValue: frame.pointee.format),
      bits: Int(context.pointee.bits_per_raw_sample), isLossy: !isLossless)
    let format = AudioFormat(
      sampleRate: Int(frame.pointee.sample_rate), channelCount: Int(cffmpeg_frame_channels(frame)),
      sampleFormat: stored)
    var mapper = self.mapper ?? SoundMapper(format: format, name: "sound")
    defer { self.mapper = mapper }
    return try mapper.sound(frame)
  }

  private func check(_ result: Int32) throws(AssetReaderError) {
    guard result < 0 else { return }
    throw AssetReaderError(
      .decodeFailed, "a packet of sound does not decode: \(libavErrorText(result))")
  }
}
