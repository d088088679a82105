import CFFmpeg
package import MediaCore

/// Decodes compressed frames from memory, for programs that do not get them from a file: ProRes,
/// with this project's decoder, and H.264, HEVC and JPEG.
///
/// Used by one thread at a time.
package final class PacketDecoder {
  /// A frame, and the number that its bytes were sent with.
  package struct Frame {
    package var number: Int64
    package var buffer: PixelBuffer
  }

  private let decoder: MemoryDecoder
  private let mapper: FrameMapper
  private let proRes: ProResFrames?

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

  /// True if frames of this format can be decoded.
  package static func canDecode(_ format: VideoFormatDescription) -> Bool {
    avcodec_find_decoder(codec(format)) != nil
  }

  /// Creates a decoder.
  ///
  /// - Throws: ``AssetReaderError/Code/unsupported`` if libavcodec has no decoder, or it rejects
  ///   such frames; ``AssetReaderError/Code/outOfMemory``.
  package init(_ format: VideoFormatDescription) throws(AssetReaderError) {
    let codec = Self.codec(format)
    let setup = format.decoderConfiguration
    let ledger = FrameLedger()
    mapper = FrameMapper(name: "a frame", ledger: ledger)
    proRes = codec == AV_CODEC_ID_PRORES ? ProResFrames(threads: 0, ledger: ledger) : nil
    decoder = try MemoryDecoder(
      codec, name: "'\(format.mediaSubType)'", item: "a frame",
      configuration: setup.span.bytes
    ) { context in
      context.pointee.width = Int32(clamping: format.dimensions.width)
      context.pointee.height = Int32(clamping: format.dimensions.height)
      context.pointee.codec_tag = format.mediaSubType.rawValue.byteSwapped
      // Threads that share a frame do not delay frames.
      cffmpeg_decoder_set_threads(context, 0, 0)
      cffmpeg_decoder_set_strict(context)
    }
  }

  /// Decodes the bytes of a frame.
  ///
  /// - Returns: The frames that are ready: none while the decoder waits for earlier ones in display
  ///   order.
  /// - Throws: ``AssetReaderError/Code/decodeFailed`` for damaged or empty bytes;
  ///   ``AssetReaderError/Code/outOfMemory``.
  package func decode(
    _ bytes: UnsafeRawBufferPointer, number: Int64
  ) throws(AssetReaderError) -> [Frame] {
    let frame = RawSpan(_unsafeBytes: bytes)
    if !frame.isEmpty, let ours = try proRes?.frame(frame) {
      return [Frame(number: number, buffer: ours.frame)]
    }
    try decoder.send(frame, number: number)
    var frames = try receive()
    guard let proRes else { return frames }
    // libavcodec's frame provides everything but the samples.
    for place in frames.indices {
      frames[place].buffer = try proRes.frame(
        insteadOf: frames[place].buffer, FrameSideData(), of: frame)
    }
    return frames
  }

  /// Returns the remaining frames and resets the decoder.
  package func finish() throws(AssetReaderError) -> [Frame] {
    defer { avcodec_flush_buffers(decoder.context) }
    try decoder.sendEnd()
    return try receive()
  }

  private func receive() throws(AssetReaderError) -> [Frame] {
    var frames: [Frame] = []
    while try decoder.receive() {
      let frame = decoder.frame
      let number = frame.pointee.pts
      frames.append(Frame(number: number, buffer: try mapper.frame(frame)))
    }
    return frames
  }
}
