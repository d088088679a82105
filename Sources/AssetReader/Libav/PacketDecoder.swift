import CFFmpeg
package import MediaCore

/// Decodes compressed pictures from memory one after the other, for programs that have them from elsewhere than a file:
/// ProRes, by this project's decoder, and H.264, HEVC and JPEG.
///
/// It is used by one thread at a time.
package final class PacketDecoder {
  /// A picture, and the number with which its bytes came.
  package struct Picture {
    package var number: Int64
    package var buffer: PixelBuffer
  }

  private let context: UnsafeMutablePointer<AVCodecContext>
  private let frame: UnsafeMutablePointer<AVFrame>
  private let packet: UnsafeMutablePointer<AVPacket>
  private let mapper: PictureMapper
  private let proRes: ProResPictures?

  private static func codec(_ format: VideoFormatDescription) -> AVCodecID {
    let code = format.mediaSubType.description
    if VideoCodecType.allProRes.contains(where: { $0.rawValue == code }) {
      return AV_CODEC_ID_PRORES
    }
    return switch code {
    case "avc1", "avc3": AV_CODEC_ID_H264
    case "hvc1", "hev1": AV_CODEC_ID_HEVC
    case "jpeg": AV_CODEC_ID_MJPEG
    default: AV_CODEC_ID_NONE
    }
  }

  /// True where pictures can be decoded.
  package static func canDecode(_ format: VideoFormatDescription) -> Bool {
    avcodec_find_decoder(codec(format)) != nil
  }

  /// A decoder of pictures.
  ///
  /// - Throws: ``AssetReaderError/Code/unsupported`` where libavcodec has no decoder, or the decoder takes no such
  ///   pictures; ``AssetReaderError/Code/outOfMemory``.
  package init(_ format: VideoFormatDescription) throws(AssetReaderError) {
    let name = format.mediaSubType.description
    guard let decoder = avcodec_find_decoder(Self.codec(format)) else {
      throw AssetReaderError(.unsupported, "libavcodec here cannot decode '\(name)'")
    }
    guard let context = avcodec_alloc_context3(decoder), let frame = av_frame_alloc(),
      let packet = av_packet_alloc()
    else { throw AssetReaderError(.outOfMemory, "no memory to decode pictures") }
    (self.context, self.frame, self.packet) = (context, frame, packet)
    let ledger = OutstandingPictures()
    mapper = PictureMapper(name: "a picture", ledger: ledger)
    proRes =
      decoder.pointee.id == AV_CODEC_ID_PRORES ? ProResPictures(threads: 0, ledger: ledger) : nil
    context.pointee.width = Int32(clamping: format.dimensions.width)
    context.pointee.height = Int32(clamping: format.dimensions.height)
    context.pointee.codec_tag = format.mediaSubType.rawValue.byteSwapped
    // Threads that share a picture hold none back.
    cffmpeg_decoder_set_threads(context, 0, 0)
    cffmpeg_decoder_set_strict(context)
    let setup = format.decoderConfiguration
    if !setup.isEmpty {
      guard let memory = av_mallocz(setup.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
        throw AssetReaderError(.outOfMemory, "no memory to decode pictures")
      }
      setup.withUnsafeBytes { bytes in
        if let base = bytes.baseAddress { memory.copyMemory(from: base, byteCount: bytes.count) }
      }
      context.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
      context.pointee.extradata_size = Int32(clamping: setup.count)
    }
    let result = avcodec_open2(context, decoder, nil)
    guard result >= 0 else {
      throw AssetReaderError(
        .unsupported, "'\(name)' cannot be decoded: \(libavErrorText(result))")
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

  /// Takes the bytes of a picture under a number.
  ///
  /// - Returns: What comes out: none while the decoder waits for those that are shown before.
  /// - Throws: ``AssetReaderError/Code/decodeFailed`` where the bytes are not sound.
  package func decode(
    _ bytes: UnsafeRawBufferPointer, number: Int64
  ) throws(AssetReaderError) -> [Picture] {
    av_packet_unref(packet)
    guard let base = bytes.baseAddress, let count = Int32(exactly: bytes.count), count > 0 else {
      throw AssetReaderError(.decodeFailed, "a picture without bytes")
    }
    let frame = RawSpan(_unsafeBytes: bytes)
    if let ours = try proRes?.picture(frame) {
      return [Picture(number: number, buffer: ours.picture)]
    }
    guard av_new_packet(packet, count) >= 0 else {
      throw AssetReaderError(.outOfMemory, "no memory to decode a picture")
    }
    UnsafeMutableRawPointer(packet.pointee.data).copyMemory(from: base, byteCount: bytes.count)
    packet.pointee.pts = number
    try check(avcodec_send_packet(context, packet))
    var pictures = try receive()
    guard let proRes else { return pictures }
    // What libavcodec made tells what a picture is beside its samples.
    for place in pictures.indices {
      pictures[place].buffer = try proRes.picture(
        insteadOf: pictures[place].buffer, PictureSideData(), of: frame)
    }
    return pictures
  }

  /// What the decoder still has; it begins anew behind that.
  package func finish() throws(AssetReaderError) -> [Picture] {
    defer { avcodec_flush_buffers(context) }
    try check(avcodec_send_packet(context, nil))
    return try receive()
  }

  private func receive() throws(AssetReaderError) -> [Picture] {
    var pictures: [Picture] = []
    while true {
      let result = avcodec_receive_frame(context, frame)
      if result == cffmpeg_averror_eagain || result == cffmpeg_averror_eof { return pictures }
      try check(result)
      let number = frame.pointee.pts
      pictures.append(Picture(number: number, buffer: try mapper.picture(frame)))
    }
  }

  private func check(_ result: Int32) throws(AssetReaderError) {
    guard result < 0 else { return }
    throw AssetReaderError(
      .decodeFailed, "a picture does not decode: \(libavErrorText(result))")
  }
}
