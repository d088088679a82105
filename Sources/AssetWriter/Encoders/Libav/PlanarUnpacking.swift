import MediaCore

/// Converts frames to the planar layout that libavcodec encodes.
///
/// Values are clamped to what a 10-bit code may be on the way: words above 1023 make `prores_ks` ten
/// times as slow.
struct PlanarUnpacking {
  private var unpacker: FrameUnpacker?

  /// - Parameter planar: The destination, with the same fields as the frame.
  mutating func unpack(
    _ frame: PixelBuffer, into planar: inout MutablePixelBuffer
  ) throws(AssetWriterError) {
    do throws(MediaCoreError) {
      let unpacker = try unpacker(for: frame, to: planar.details)
      try unpacker.unpack(frame, into: &planar)
    } catch {
      throw AssetWriterError(
        error.code == .outOfMemory ? .outOfResources : .formatMismatch, error.message)
    }
  }

  /// The last unpacker, reused while the frames' description is unchanged.
  private mutating func unpacker(
    for frame: PixelBuffer, to target: PixelBuffer.Description
  ) throws(MediaCoreError) -> FrameUnpacker {
    var source = frame.details.converted(by: target.color)
    source.fieldOrder = target.fieldOrder
    if let unpacker, unpacker.source == source { return unpacker }
    let made = try FrameUnpacker(from: source, to: target.format)
    unpacker = made
    return made
  }
}

extension PixelBuffer.Description {
  /// The same description, with the track's color if RGB is to become luma and chroma.
  func converted(by color: ColorDescription) -> PixelBuffer.Description {
    guard format.descriptor.subsampling == .rgb, color.matrix != .unspecified else { return self }
    var details = self
    details.color.matrix = color.matrix
    return details
  }
}
