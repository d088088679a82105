import CFFmpeg
package import MediaCore

/// Decodes single ProRes frames from memory, to compare them with their sources.
package final class EncodedFrameDecoder {
  private let decoder: MemoryDecoder
  private let mapper = FrameMapper(name: "a frame", ledger: FrameLedger())

  /// Creates a decoder for one codec and size.
  ///
  /// - Throws: ``AssetReaderError/Code/unsupported`` if libavcodec has no ProRes decoder,
  ///   ``AssetReaderError/Code/outOfMemory``.
  package init(_ codec: VideoCodecType, size: VideoDimensions) throws(AssetReaderError) {
    decoder = try MemoryDecoder(
      AV_CODEC_ID_PRORES, name: "ProRes", item: "a ProRes frame"
    ) { context in
      context.pointee.width = Int32(clamping: size.width)
      context.pointee.height = Int32(clamping: size.height)
      context.pointee.codec_tag = codec.rawValue.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
      cffmpeg_decoder_set_strict(context)
    }
  }

  /// Decodes a frame.
  ///
  /// - Throws: ``AssetReaderError/Code/decodeFailed`` if the frame is damaged.
  package func decode(_ bytes: UnsafeRawBufferPointer) throws(AssetReaderError) -> PixelBuffer {
    try mapper.frame(try frame(bytes))
  }

  /// Decodes a frame into the decoder's memory, where it stays valid until the next one.
  ///
  /// - Throws: The errors of ``decode(_:)``.
  func frame(
    _ bytes: UnsafeRawBufferPointer
  ) throws(AssetReaderError) -> UnsafeMutablePointer<AVFrame> {
    try decoder.send(RawSpan(_unsafeBytes: bytes))
    guard try decoder.receive() else {
      throw AssetReaderError(.decodeFailed, "a ProRes frame decoded to no image")
    }
    return decoder.frame
  }
}
