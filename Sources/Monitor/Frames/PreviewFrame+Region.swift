public import MediaCore

extension PreviewFrame {
  /// A part of a frame at full resolution, for judging focus and noise.
  ///
  /// - Parameters:
  ///   - region: The part; it is moved into the frame if necessary.
  ///   - frame: A frame of any layout except a sensor mosaic, at least two pixels wide.
  /// - Throws: `MediaCoreError.Code.unsupportedConversion` for a mosaic,
  ///   `MediaCoreError.Code.invalidDimensions` for a frame that is too small,
  ///   `MediaCoreError.Code.outOfMemory`.
  public init(_ region: FrameRegion, of frame: PixelBuffer) throws(MediaCoreError) {
    let source = frame.details
    try FrameDecimator.check(source)
    let size = VideoDimensions(width: source.width, height: source.height)
    let region = region.moved(into: size)
    let unpacker = try FrameUnpacker(from: source, to: .yuv422p10)
    var planes = (luma: [UInt16](), cb: [UInt16](), cr: [UInt16]())
    planes.luma.reserveCapacity(region.width * region.height)
    planes.cb.reserveCapacity(region.width / 2 * region.height)
    planes.cr.reserveCapacity(region.width / 2 * region.height)
    try unpacker.forEachRow(region.y..<region.y + region.height, of: frame) { row in
      func part(_ samples: UnsafePointer<UInt16>, _ share: Int) -> UnsafeBufferPointer<UInt16> {
        UnsafeBufferPointer(start: samples + region.x / share, count: region.width / share)
      }
      planes.luma += part(row.luma, 1)
      planes.cb += part(row.cb, 2)
      planes.cr += part(row.cr, 2)
    }
    self.init(
      region.width, region.height, unpacker.destination.color, source.pixelAspectRatio, size,
      planes.luma, planes.cb, planes.cr)
  }
}
