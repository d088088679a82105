import CFFmpeg
import MediaCore

/// Decodes bytes in memory; the only owner of a libavcodec context, its frame and its packet.
///
/// Used by one thread at a time.
final class MemoryDecoder {
  let context: UnsafeMutablePointer<AVCodecContext>
  let frame: UnsafeMutablePointer<AVFrame>
  private let packet: UnsafeMutablePointer<AVPacket>
  private let item: String

  /// Opens a decoder.
  ///
  /// - Parameters:
  ///   - name: The codec's name in messages.
  ///   - item: The name of one packet's bytes in messages, with its article.
  ///   - configuration: The decoder configuration (extradata); empty for none.
  ///   - prepare: Sets up the context before it is opened.
  /// - Throws: ``AssetReaderError/Code/unsupported`` if libavcodec has no decoder or it does not
  ///   open; ``AssetReaderError/Code/outOfMemory``.
  init(
    _ codec: AVCodecID, name: String, item: String, configuration: RawSpan = RawSpan(),
    prepare: (UnsafeMutablePointer<AVCodecContext>) -> Void = { _ in }
  ) throws(AssetReaderError) {
    guard let decoder = avcodec_find_decoder(codec) else {
      throw AssetReaderError(.unsupported, "libavcodec here cannot decode \(name)")
    }
    var context = avcodec_alloc_context3(decoder)
    var frame = av_frame_alloc()
    var packet = av_packet_alloc()
    guard let madeContext = context, let madeFrame = frame, let madePacket = packet else {
      avcodec_free_context(&context)
      av_frame_free(&frame)
      av_packet_free(&packet)
      throw Self.outOfMemory(item)
    }
    (self.context, self.frame, self.packet) = (madeContext, madeFrame, madePacket)
    self.item = item
    prepare(madeContext)
    try configure(configuration)
    let result = avcodec_open2(madeContext, decoder, nil)
    guard result >= 0 else {
      throw AssetReaderError(.unsupported, "\(name) cannot be decoded: \(libavErrorText(result))")
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

  private static func outOfMemory(_ item: String) -> AssetReaderError {
    AssetReaderError(.outOfMemory, "no memory to decode \(item)")
  }

  private func configure(_ bytes: RawSpan) throws(AssetReaderError) {
    guard !bytes.isEmpty else { return }
    guard let count = Int32(exactly: bytes.byteCount),
      let memory = av_mallocz(bytes.byteCount + Int(AV_INPUT_BUFFER_PADDING_SIZE))
    else { throw Self.outOfMemory(item) }
    bytes.withUnsafeBytes { bytes in
      UnsafeMutableRawBufferPointer(start: memory, count: bytes.count).copyMemory(from: bytes)
    }
    context.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
    context.pointee.extradata_size = count
  }

  /// Sends the decoder the bytes of a packet.
  ///
  /// - Parameter number: A number that comes out as the frame's time stamp.
  /// - Throws: ``AssetReaderError/Code/decodeFailed`` for damaged or empty bytes;
  ///   ``AssetReaderError/Code/outOfMemory``.
  func send(_ bytes: RawSpan, number: Int64? = nil) throws(AssetReaderError) {
    av_packet_unref(packet)
    guard !bytes.isEmpty else {
      throw AssetReaderError(.decodeFailed, "\(item) without bytes")
    }
    guard let count = Int32(exactly: bytes.byteCount), av_new_packet(packet, count) >= 0 else {
      throw Self.outOfMemory(item)
    }
    bytes.withUnsafeBytes { bytes in
      UnsafeMutableRawBufferPointer(start: packet.pointee.data, count: bytes.count)
        .copyMemory(from: bytes)
    }
    if let number { packet.pointee.pts = number }
    try check(avcodec_send_packet(context, packet))
  }

  /// Tells the decoder that no more packets come.
  func sendEnd() throws(AssetReaderError) { try check(avcodec_send_packet(context, nil)) }

  /// Receives the next frame into ``frame``. False if the decoder needs another packet or is at the
  /// end.
  func receive() throws(AssetReaderError) -> Bool {
    let result = avcodec_receive_frame(context, frame)
    if result == cffmpeg_averror_eagain || result == cffmpeg_averror_eof { return false }
    try check(result)
    return true
  }

  private func check(_ result: Int32) throws(AssetReaderError) {
    guard result < 0 else { return }
    throw AssetReaderError(
      result == cffmpeg_averror(12) ? .outOfMemory : .decodeFailed,
      "\(item) does not decode: \(libavErrorText(result))")
  }
}
