import CFFmpeg
package import MediaCore

/// Decodes AAC or Apple Lossless packets from memory.
///
/// Used by one thread at a time.
package final class AudioPacketDecoder {
  private let decoder: MemoryDecoder
  private let isLossless: Bool
  private var mapper: AudioMapper?

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - isLossless: True for Apple Lossless, false for AAC.
  ///   - configuration: The decoder configuration from the encoder.
  /// - Throws: ``AssetReaderError/Code/unsupported`` if libavcodec has no decoder or the
  ///   configuration is damaged; ``AssetReaderError/Code/outOfMemory``.
  package init(isLossless: Bool, configuration: [UInt8]) throws(AssetReaderError) {
    self.isLossless = isLossless
    decoder = try MemoryDecoder(
      isLossless ? AV_CODEC_ID_ALAC : AV_CODEC_ID_AAC, name: isLossless ? "Apple Lossless" : "AAC",
      item: "an audio packet", configuration: configuration.span.bytes)
  }

  /// The audio of a packet; nil if it has none.
  ///
  /// - Throws: ``AssetReaderError/Code/decodeFailed`` for damaged or empty bytes;
  ///   ``AssetReaderError/Code/unsupported`` if channels or rate change;
  ///   ``AssetReaderError/Code/outOfMemory``.
  package func decode(_ bytes: RawSpan) throws(AssetReaderError) -> AudioBuffer? {
    try decoder.send(bytes)
    var whole: AudioBuffer?
    while try decoder.receive() {
      let audio = try mapped()
      guard let before = whole else {
        whole = audio
        continue
      }
      do throws(MediaCoreError) {
        whole = try AudioBuffer(format: before.format, bytes: before.bytes + audio.bytes)
      } catch { throw AssetReaderError(.decodeFailed, error.message) }
    }
    return whole
  }

  /// The audio of the decoder's frame, in the sample format of the first one.
  private func mapped() throws(AssetReaderError) -> AudioBuffer {
    let (context, frame) = (decoder.context, decoder.frame)
    let stored = AudioMapper.sampleFormat(
      decoded: AVSampleFormat(rawValue: frame.pointee.format),
      bits: Int(context.pointee.bits_per_raw_sample), isLossy: !isLossless)
    let format = AudioFormat(
      sampleRate: Int(frame.pointee.sample_rate), channelCount: Int(cffmpeg_frame_channels(frame)),
      sampleFormat: stored)
    var mapper = self.mapper ?? AudioMapper(format: format, name: "audio")
    defer { self.mapper = mapper }
    return try mapper.audio(frame)
  }
}
