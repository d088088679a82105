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
      let unpacker = try unpacker(for: picture, to: planar.format, planar.details.color)
      try unpacker.unpack(picture, into: &planar)
    } catch {
      throw AssetWriterError(
        error.code == .outOfMemory ? .outOfResources : .formatMismatch, error.message)
    }
  }

  /// The last one, while pictures stay what they were.
  private mutating func unpacker(
    for picture: PixelBuffer, to format: PixelFormat, _ color: ColorDescription
  ) throws(MediaCoreError) -> PictureUnpacker {
    let source = picture.details.converted(by: color)
    if let unpacker, unpacker.source == source { return unpacker }
    let made = try PictureUnpacker(from: source, to: format)
    unpacker = made
    return made
  }
}

extension PixelBuffer.Description {
  /// The same picture, where red, green and blue are to become luma and chroma of a track's color.
  func converted(by color: ColorDescription) -> PixelBuffer.Description {
    guard format.descriptor.subsampling == .rgb, color.matrix != .unspecified else { return self }
    var details = self
    details.color.matrix = color.matrix
    return details
  }
}
