import CFFmpeg
import MediaCore

/// A decoder of one track, and the only owner of a libavcodec context and its frame.
final class LibavDecoder {
  /// The result of asking for a frame.
  enum Outcome {
    /// A frame is in ``LibavDecoder/frame``.
    case frame
    /// The decoder needs another packet.
    case wantsInput
    /// All frames were delivered.
    case finished
  }

  let context: UnsafeMutablePointer<AVCodecContext>
  let frame: UnsafeMutablePointer<AVFrame>
  private let registration: LibavLog.Registration
  private let name: String
  private let codecName: String

  /// Opens the decoder of a stream.
  ///
  /// - Parameters:
  ///   - threads: The thread count; 0 means one per core.
  ///   - isStrict: True to treat all damage that the decoder can detect as an error. Threads then
  ///     share one frame at a time, so each error belongs to the current frame.
  ///   - overlapsFrames: False to make threads share one frame at a time even if not strict.
  init(
    _ stream: UnsafeMutablePointer<AVStream>, of movie: LibavMovie, threads: Int, isStrict: Bool,
    overlapsFrames: Bool = true
  ) throws(AssetReaderError) {
    let track = Int(stream.pointee.index)
    let parameters = stream.pointee.codecpar
    let codecID = parameters?.pointee.codec_id ?? AV_CODEC_ID_NONE
    name = movie.path
    registration = movie.registration
    codecName = libavText(avcodec_get_name(codecID)) ?? "?"
    let alpha = AssetTrack.hasSeparateAlpha(stream) ? Self.alphaDecoder(codecID) : nil
    guard let codec = alpha ?? avcodec_find_decoder(codecID) else {
      let tag = FourCharCode(rawValue: (parameters?.pointee.codec_tag ?? 0).byteSwapped)
      throw AssetReaderError(
        .unsupported,
        "\(movie.path): track \(track) is \(codecName == "none" ? "'\(tag)'" : codecName), which "
          + "libavcodec here cannot decode")
    }
    guard let context = avcodec_alloc_context3(codec), let frame = av_frame_alloc() else {
      throw AssetReaderError(.outOfMemory, "no memory to decode \(movie.path)")
    }
    self.context = context
    self.frame = frame
    avcodec_parameters_to_context(context, parameters)
    context.pointee.opaque = registration.opaque
    context.pointee.pkt_timebase = stream.pointee.time_base
    // Otherwise libavcodec does not crop columns on the left that would leave lines unaligned.
    context.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
    cffmpeg_decoder_set_threads(
      context, Int32(clamping: threads), isStrict || !overlapsFrames ? 0 : 1)
    if isStrict { cffmpeg_decoder_set_strict(context) }
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    if codecID == AV_CODEC_ID_AC3 || codecID == AV_CODEC_ID_EAC3 {
      // Dynamic range compression requested by the stream could not be undone later.
      av_dict_set(&options, "drc_scale", "0", 0)
    }
    let result = registration.listen { avcodec_open2(context, codec, &options) }
    guard result >= 0 else {
      throw AssetReaderError(
        .unsupported,
        "\(movie.path): track \(track) (\(codecName)) cannot be decoded: "
          + (movie.journal.lastMessage ?? libavErrorText(result)))
    }
  }

  /// A decoder that reads alpha stored in a separate stream; nil if libavcodec has none.
  static func alphaDecoder(_ codec: AVCodecID) -> UnsafePointer<AVCodec>? {
    avcodec_find_decoder_by_name(codec == AV_CODEC_ID_VP8 ? "libvpx" : "libvpx-vp9")
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    var frame: UnsafeMutablePointer<AVFrame>? = frame
    registration.listen { avcodec_free_context(&context) }
    av_frame_free(&frame)
  }

  /// Sends the decoder a packet, or nil for the end. Only after ``receive()`` returned
  /// ``Outcome/wantsInput``.
  func send(_ packet: CompressedPacket?) throws(AssetReaderError) {
    let result = registration.listen { avcodec_send_packet(context, packet?.rawPacket) }
    // With threads, a packet's error may be reported with a later packet. In any case it is the
    // error of one frame.
    guard result >= 0 || result == cffmpeg_averror_eof else {
      throw error(result)
    }
  }

  /// Receives the next frame.
  func receive() throws(AssetReaderError) -> Outcome {
    let result = registration.listen { avcodec_receive_frame(context, frame) }
    if result >= 0 { return .frame }
    if result == cffmpeg_averror_eagain { return .wantsInput }
    if result == cffmpeg_averror_eof { return .finished }
    throw error(result)
  }

  /// Resets the decoder after the end, for more packets.
  func restart() { registration.listen { avcodec_flush_buffers(context) } }

  private func error(_ result: Int32) -> AssetReaderError {
    // A decoding thread may log its message long before its error is delivered.
    let text = libavErrorText(result)
    let reason = registration.journal.lastMessage.map { "\($0) (\(text))" } ?? text
    return AssetReaderError(
      result == cffmpeg_averror(12) ? .outOfMemory : .decodeFailed,
      "\(name): \(codecName): \(reason)")
  }
}
