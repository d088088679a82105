import MediaCore

/// Brings pictures into the planar layout that libavcodec encodes.
///
/// Values are clamped to what a 10-bit code may be on the way: words above 1023 make `prores_ks` ten
/// times as slow.
struct PlanarUnpacking {
  private var unpacker: PictureUnpacker?

  mutating func unpack(
    _ picture: PixelBuffer, into planar: inout MutablePixelBuffer
  ) throws(AssetWriterError) {
    do throws(MediaCoreError) {
      let unpacker = try unpacker(for: picture, to: planar.format)
      try unpacker.unpack(picture, into: &planar)
    } catch {
      throw AssetWriterError(
        error.code == .outOfMemory ? .outOfResources : .formatMismatch, error.message)
    }
  }

  /// The last one, while pictures stay what they were.
  private mutating func unpacker(
    for picture: PixelBuffer, to format: PixelFormat
  ) throws(MediaCoreError) -> PictureUnpacker {
    if let unpacker, unpacker.source == picture.details { return unpacker }
    let made = try PictureUnpacker(from: picture.details, to: format)
    unpacker = made
    return made
  }
}
