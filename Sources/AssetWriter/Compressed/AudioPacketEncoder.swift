import CFFmpeg
package import MediaCore
import QuickTime

/// Compresses audio packet by packet, as AAC or Apple Lossless, for programs that want the bytes and no file.
///
/// Used by one thread at a time.
package final class AudioPacketEncoder {
  /// Frames that a packet stands for; the last one of Apple Lossless for fewer.
  package let framesPerPacket: Int
  /// What a decoder is told before the first packet: MPEG-4's configuration of AAC, or the one of Apple Lossless.
  package let configuration: [UInt8]
  private let compressor: AudioCompressor
  private var words: [Int32] = []

  /// - Throws: ``AssetWriterError/Code/invalidSettings``, ``AssetWriterError/Code/encoderUnavailable``,
  ///   ``AssetWriterError/Code/encodingFailed``, ``AssetWriterError/Code/outOfResources``.
  package init(_ settings: AudioOutputSettings) throws(AssetWriterError) {
    try settings.validateCompressed()
    do throws(QuickTimeError) {
      let compressor = try AudioCompressor(settings)
      self.compressor = compressor
      guard let parameters = avcodec_parameters_alloc() else { throw EncoderContext.outOfMemory }
      defer {
        var owned: UnsafeMutablePointer<AVCodecParameters>? = parameters
        avcodec_parameters_free(&owned)
      }
      try compressor.describe(parameters)
      framesPerPacket = compressor.frameSize
      configuration = Array(
        UnsafeBufferPointer(
          start: parameters.pointee.extradata, count: Int(parameters.pointee.extradata_size)))
    } catch { throw AssetWriterError(error) }
  }

  /// Appends audio with the settings' rate and channels.
  ///
  /// - Returns: The packets that are complete.
  /// - Throws: ``AssetWriterError/Code/encodingFailed``, ``AssetWriterError/Code/outOfResources``.
  package func append(_ audio: AudioBuffer) throws(AssetWriterError) -> [[UInt8]] {
    PCMWords.load(audio, into: &words)
    compressor.append(words)
    return try packets { (take) throws(QuickTimeError) in try compressor.give(keeping: 0, take) }
  }

  /// The packets that are left, the last one filled up.
  ///
  /// - Throws: As ``append(_:)``.
  package func finish() throws(AssetWriterError) -> [[UInt8]] {
    try packets { (take) throws(QuickTimeError) in try compressor.finish(end: nil, take) }
  }

  private func packets(
    _ body: (AudioCompressor.Take) throws(QuickTimeError) -> Void
  ) throws(AssetWriterError) -> [[UInt8]] {
    var made: [[UInt8]] = []
    do throws(QuickTimeError) {
      try body { packet in
        made.append(
          Array(
            UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))))
      }
    } catch { throw AssetWriterError(error) }
    return made
  }
}
