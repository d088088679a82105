import CFFmpeg
package import MediaCore

extension AssetImageGenerator {
  /// A JPEG of a ProRes frame in memory, such as one of a movie that is still being written, like
  /// ``jpeg()`` makes from files. Messages call it ``path``.
  ///
  /// - Parameters:
  ///   - codec: The frame's codec.
  ///   - dimensions: Its size in pixels.
  ///   - pixelAspectRatio: The shape of its pixels.
  /// - Throws: ``AssetReaderError/Code/decodeFailed``, ``AssetReaderError/Code/unsupported``,
  ///   ``AssetReaderError/Code/outOfMemory``.
  package func jpeg(
    of bytes: [UInt8], _ codec: VideoCodecType, _ dimensions: VideoDimensions,
    pixelAspectRatio: PixelAspectRatio
  ) throws(AssetReaderError) -> [UInt8] {
    let decoder = try EncodedFrameDecoder(codec, size: dimensions)
    let image = try bytes.withUnsafeBytes { bytes in
      Result { () throws(AssetReaderError) in try decoder.frame(bytes) }
    }.get()
    // The decoder owns the frame.
    defer { withExtendedLifetime(decoder) {} }
    let aspect = AVRational(num: pixelAspectRatio.horizontal, den: pixelAspectRatio.vertical)
    return try encode(image, size: targetSize(image, aspect))
  }
}
