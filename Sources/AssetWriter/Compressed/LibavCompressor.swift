import CFFmpeg
import MediaCore

/// Which encoders libavcodec has at run time for what it compresses.
enum LibavCompressor {
  /// Encoders that run on the processor, the better one first.
  private static let candidates: [VideoCodecType: [String]] = [
    .h264: ["libx264", "libopenh264"], .hevc: ["libx265", "libkvazaar"],
  ]

  /// True where a codec can be made here.
  static func has(_ codec: VideoCodecType) -> Bool { (try? encoder(for: codec)) != nil }

  /// The name of the encoder of a codec.
  ///
  /// - Parameter isThere: Whether libavcodec has an encoder.
  /// - Throws: ``AssetWriterError/Code/encoderUnavailable``.
  static func encoder(
    for codec: VideoCodecType, isThere: (String) -> Bool = isBuiltIn
  ) throws(AssetWriterError) -> String {
    let names = candidates[codec] ?? []
    if let name = names.first(where: isThere) { return name }
    throw AssetWriterError(
      .encoderUnavailable,
      "this machine's libavcodec has no encoder of \(codec) (\(codec.rawValue)); install one with "
        + names.joined(separator: " or ") + ", or choose ProRes")
  }

  /// The name of the audio encoder.
  ///
  /// - Throws: ``AssetWriterError/Code/encoderUnavailable``.
  static func encoder(
    for compression: AudioCompression, isThere: (String) -> Bool = isBuiltIn
  ) throws(AssetWriterError) -> String {
    let name = if case .aac = compression { "aac" } else { "alac" }
    if isThere(name) { return name }
    throw AssetWriterError(
      .encoderUnavailable,
      "this machine's libavcodec has no encoder of \(compression.name); choose linear PCM in a .mov"
    )
  }

  /// True where libavcodec was built with an encoder.
  static func isBuiltIn(_ name: String) -> Bool { avcodec_find_encoder_by_name(name) != nil }
}
