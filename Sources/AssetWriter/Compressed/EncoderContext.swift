import CFFmpeg
import MediaCore
import QuickTime

/// Owns an `AVCodecContext` that compresses, and the packet that it fills.
final class EncoderContext {
  let context: UnsafeMutablePointer<AVCodecContext>
  let name: String
  private let codec: UnsafePointer<AVCodec>
  private let packet: UnsafeMutablePointer<AVPacket>

  /// A context that is not open yet.
  ///
  /// - Throws: ``QuickTimeError/Code/encodingFailed``, ``QuickTimeError/Code/outOfMemory``.
  init(_ name: String) throws(QuickTimeError) {
    LibavLibrary.prepare()
    guard let codec = avcodec_find_encoder_by_name(name) else {
      throw QuickTimeError(
        .encodingFailed, "this machine's libavcodec lacks the encoder \(name)")
    }
    guard let packet = av_packet_alloc() else { throw Self.outOfMemory }
    guard let context = avcodec_alloc_context3(codec) else {
      var owned: UnsafeMutablePointer<AVPacket>? = packet
      av_packet_free(&owned)
      throw Self.outOfMemory
    }
    self.name = name
    self.codec = codec
    self.packet = packet
    self.context = context
    // The sample entry has the parameters, as MPEG-4 files want it.
    context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
  }

  deinit {
    var owned: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&owned)
    var ownedPacket: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&ownedPacket)
  }

  static var outOfMemory: QuickTimeError {
    QuickTimeError(.outOfMemory, "no memory for libavcodec; end other programs")
  }

  /// Sets a private option of the encoder. An unknown option is ignored.
  func set(_ option: String, _ value: String) {
    av_opt_set(context.pointee.priv_data, option, value, 0)
  }

  /// Opens the encoder.
  ///
  /// - Parameter what: What it is to make, for messages.
  func open(for what: String) throws(QuickTimeError) {
    let status = avcodec_open2(context, codec, nil)
    guard status == 0 else {
      throw QuickTimeError(
        .encodingFailed, "\(name) makes no \(what): \(LibavLibrary.message(status))")
    }
  }

  /// Gives the encoder a frame, or nil for the end, and hands over the packets that are ready.
  func encode(
    _ frame: UnsafeMutablePointer<AVFrame>?,
    _ take: (UnsafeMutablePointer<AVPacket>) throws(QuickTimeError) -> Void
  ) throws(QuickTimeError) {
    try check(avcodec_send_frame(context, frame))
    while true {
      let status = avcodec_receive_packet(context, packet)
      if status == cffmpeg_averror_eagain || status == cffmpeg_averror_eof { return }
      try check(status)
      defer { av_packet_unref(packet) }
      try take(packet)
    }
  }

  private func check(_ status: Int32) throws(QuickTimeError) {
    guard status < 0 else { return }
    throw QuickTimeError(
      .encodingFailed, "\(name) did not encode: \(LibavLibrary.message(status))")
  }
}
