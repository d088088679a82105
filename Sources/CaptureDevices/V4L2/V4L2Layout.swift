import MediaCore

/// Where the planes of a frame lie in a buffer of the device.
struct V4L2Layout: Hashable, Sendable {
  /// A plane of the frame.
  struct Plane: Hashable, Sendable {
    /// The block of memory that holds it.
    var block: Int
    /// Bytes from the block's start.
    var offset: Int
    var bytesPerRow: Int
    var rows: Int
    /// Bytes of the last row that carry samples.
    var leastBytesPerRow: Int

    /// Bytes of the block up to the plane's last sample.
    var end: Int {
      offset.addingSaturating(bytesPerRow.multipliedSaturating(by: rows - 1))
        .addingSaturating(leastBytesPerRow)
    }
  }

  let format: PixelFormat
  /// In the order of the pixel format, not of memory.
  let planes: [Plane]

  /// Layouts that differ from one of the table only in the order of their planes.
  static func pixelFormat(of code: FourCharCode) -> (format: PixelFormat, swapsChroma: Bool)? {
    if let format = PixelFormat(v4l2: code) { return (format, false) }
    switch code {
    case "YV12", "YM21": return (.yuv420p8, true)
    case "YM61": return (.yuv422p8, true)
    case "YM42": return (.yuv444p8, true)
    default: return nil
    }
  }

  /// The layout of what a device agreed to deliver.
  ///
  /// - Throws: ``CaptureError/Code/formatUnavailable`` where the layout is not one of ours, or the
  ///   device's numbers contradict each other.
  init(_ agreed: V4L2FrameFormat, node: String) throws(CaptureError) {
    guard let (format, swapsChroma) = Self.pixelFormat(of: agreed.fourCC) else {
      throw CaptureError(
        .formatUnavailable,
        "\(node) delivers \(agreed.fourCC), an unsupported layout; "
          + "choose another of the device's formats")
    }
    self.format = format
    var planes: [Plane] = []
    var offset = 0
    for index in 0..<format.planeCount {
      let isSeparate = agreed.blocks.count > 1
      let block = isSeparate ? index : 0
      guard block < agreed.blocks.count else { throw Self.contradiction(agreed, node) }
      let least = format.sampleBytesPerRow(plane: index, width: agreed.width)
      let row = Self.bytesPerRow(format, plane: index, agreed: agreed, isSeparate: isSeparate)
      let rows = format.rows(plane: index, height: agreed.height)
      let plane = Plane(
        block: block, offset: isSeparate ? 0 : offset, bytesPerRow: row, rows: rows,
        leastBytesPerRow: least)
      guard row >= least, rows > 0, plane.end <= agreed.blocks[block].size else {
        throw Self.contradiction(agreed, node)
      }
      planes.append(plane)
      offset = offset.addingSaturating(row.multipliedSaturating(by: rows))
    }
    if swapsChroma, planes.count == 3 { planes.swapAt(1, 2) }
    self.planes = planes
  }

  /// Bytes that a complete frame takes of a block.
  func leastBytes(ofBlock block: Int) -> Int {
    planes.lazy.filter { $0.block == block }.map(\.end).max() ?? 0
  }

  /// The device's row length, or the format's own where the device gives none.
  private static func bytesPerRow(
    _ format: PixelFormat, plane: Int, agreed: V4L2FrameFormat, isSeparate: Bool
  ) -> Int {
    let given = agreed.blocks[isSeparate ? plane : 0].bytesPerLine
    guard given > 0 else { return format.minimumBytesPerRow(plane: plane, width: agreed.width) }
    guard plane > 0, !isSeparate else { return given }
    // In one block the kernel gives the luma's row length; that of the chroma follows from it.
    switch (format.descriptor.packing, format.descriptor.subsampling) {
    case (.planar, .yuv420), (.planar, .yuv422): return given / 2
    case (.biplanar, .yuv444): return given * 2
    default: return given
    }
  }

  private static func contradiction(_ agreed: V4L2FrameFormat, _ node: String) -> CaptureError {
    let blocks = agreed.blocks.map { "\($0.size) bytes, rows of \($0.bytesPerLine)" }
    return CaptureError(
      .formatUnavailable,
      "\(node) reports that \(agreed.dimensions) \(agreed.fourCC) takes "
        + "\(blocks.joined(separator: " and ")), which is too small: choose another format")
  }
}
