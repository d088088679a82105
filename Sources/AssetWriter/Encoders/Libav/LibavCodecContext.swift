import CFFmpeg
import MediaCore
import ProRes

/// Owns an `AVCodecContext` of a ProRes encoder.
final class LibavCodecContext {
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let name: String

  init(
    _ configuration: VideoEncoderConfiguration, kind: EncoderChoice.LibavEncoder,
    bitsPerMacroblock: Int
  ) throws(AssetWriterError) {
    LibavLibrary.prepare()
    guard let codec = avcodec_find_encoder_by_name(kind.rawValue) else {
      throw AssetWriterError(
        .encoderUnavailable,
        "this machine's libavcodec lacks the encoder \(kind.rawValue); choose the native encoder")
    }
    guard let context = avcodec_alloc_context3(codec) else { throw LibavLibrary.outOfMemory }
    self.context = context
    self.name = kind.rawValue

    context.pointee.width = Int32(configuration.dimensions.width)
    context.pointee.height = Int32(configuration.dimensions.height)
    context.pointee.pix_fmt = configuration.libavPixelFormat
    let rate = configuration.frameRate ?? .fps25
    context.pointee.time_base = AVRational(num: rate.denominator, den: rate.numerator)
    context.pointee.framerate = AVRational(num: rate.numerator, den: rate.denominator)
    context.pointee.thread_count = 1
    context.pointee.profile = configuration.profile.libavProfile
    context.pointee.color_range = AVCOL_RANGE_MPEG
    context.pointee.color_primaries = configuration.color.libavPrimaries
    context.pointee.color_trc = configuration.color.libavTransfer
    context.pointee.colorspace = configuration.color.libavMatrix
    if configuration.fieldOrder.isInterlaced {
      context.pointee.flags |= AV_CODEC_FLAG_INTERLACED_DCT
      context.pointee.field_order =
        configuration.fieldOrder == .topFieldFirst ? AV_FIELD_TT : AV_FIELD_BB
    }
    if kind == .proresKS {
      let options = context.pointee.priv_data
      let alphaBits: Int64 =
        switch configuration.alpha {
        case .none: 0
        case .bits8: 8
        case .bits16: 16
        }
      av_opt_set_int(options, "profile", Int64(configuration.profile.libavProfile), 0)
      av_opt_set_int(options, "bits_per_mb", Int64(bitsPerMacroblock), 0)
      av_opt_set_int(options, "alpha_bits", alphaBits, 0)
    }
    let status = avcodec_open2(context, codec, nil)
    guard status == 0 else {
      var owned: UnsafeMutablePointer<AVCodecContext>? = context
      avcodec_free_context(&owned)
      throw AssetWriterError(
        .encoderUnavailable,
        "\(kind.rawValue) does not accept \(configuration.dimensions) \(configuration.profile.codec): "
          + "\(LibavLibrary.message(status)); it needs an even width"
          + (configuration.fieldOrder.isInterlaced ? " and, for fields, an even height" : ""))
    }
  }

  deinit {
    var owned: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&owned)
  }

  /// Tells `prores_ks` another rate; it reads the option for each frame.
  func setBitsPerMacroblock(_ bits: Int) {
    av_opt_set_int(context.pointee.priv_data, "bits_per_mb", Int64(bits), 0)
  }

  /// Encodes the frame as it stands and returns the bytes of the packet.
  func encode(
    _ input: LibavInputFrame, into packet: LibavPacket
  ) throws(AssetWriterError) -> Int {
    packet.clear()
    try check(avcodec_send_frame(context, input.frame))
    try check(avcodec_receive_packet(context, packet.packet))
    return packet.byteCount
  }

  private func check(_ status: Int32) throws(AssetWriterError) {
    guard status < 0 else { return }
    throw AssetWriterError(
      .encodingFailed, "\(name) did not encode a frame: \(LibavLibrary.message(status))")
  }
}

/// Owns an `AVPacket`.
final class LibavPacket {
  let packet: UnsafeMutablePointer<AVPacket>

  init() throws(AssetWriterError) {
    guard let packet = av_packet_alloc() else { throw LibavLibrary.outOfMemory }
    self.packet = packet
  }

  deinit {
    var owned: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&owned)
  }

  var byteCount: Int { Int(packet.pointee.size) }

  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: packet.pointee.data, count: byteCount)
  }

  func clear() { av_packet_unref(packet) }
}
