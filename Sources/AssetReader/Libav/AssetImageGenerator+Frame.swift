import CFFmpeg
package import MediaCore

extension AssetImageGenerator {
  /// The picture of a ProRes frame in memory, such as one of a movie that is still being written: as
  /// ``jpeg()`` has those of files. ``path`` is what messages call it.
  ///
  /// - Parameters:
  ///   - codec: The frame's.
  ///   - dimensions: Its size in pixels.
  ///   - pixelAspectRatio: The shape of its pixels.
  /// - Throws: ``AssetReaderError/Code/decodeFailed``, ``AssetReaderError/Code/unsupported``,
  ///   ``AssetReaderError/Code/outOfMemory``.
  package func jpeg(
    of bytes: [UInt8], _ codec: VideoCodecType, _ dimensions: VideoDimensions,
    pixelAspectRatio: PixelAspectRatio
  ) throws(AssetReaderError) -> [UInt8] {
    let decoder = try EncodedFrameDecoder(codec, size: dimensions)
    let picture = try bytes.withUnsafeBytes { bytes in
      Result { () throws(AssetReaderError) in try decoder.picture(bytes) }
    }.get()
    // The picture is the decoder's.
    defer { withExtendedLifetime(decoder) {} }
    let aspect = AVRational(num: pixelAspectRatio.horizontal, den: pixelAspectRatio.vertical)
    return try encode(picture, size: targetSize(picture, aspect))
  }
}
