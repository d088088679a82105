package import MediaCore

/// A frame as planar 10-bit numbers.
package struct PlainFrame: Equatable {
  package var planes: [[UInt16]]
  package let width: Int
  package let height: Int

  package init(_ buffer: PixelBuffer) throws {
    let target =
      buffer.format == .yuv422p10
      ? .yuv422p10 : FrameUnpacker.destinations(for: buffer.format).last ?? .yuv422p10
    let unpacker = try FrameUnpacker(from: buffer.details, to: target)
    let result = try unpacker.unpacked(buffer)
    width = buffer.width
    height = buffer.height
    planes = (0..<3).map { plane in
      let columns = plane == 0 ? buffer.width : (buffer.width + 1) / 2
      let bytesPerRow = result.bytesPerRow(plane: plane)
      return result.withUnsafeBytes(ofPlane: plane) { bytes in
        var codes: [UInt16] = []
        codes.reserveCapacity(columns * buffer.height)
        for row in 0..<buffer.height {
          let start = bytes.baseAddress.map { $0 + row * bytesPerRow }
          codes += UnsafeRawBufferPointer(start: start, count: columns * 2).bindMemory(
            to: UInt16.self)
        }
        return codes
      }
    }
  }

  package func luma(_ x: Int, _ y: Int) -> UInt16 { planes[0][y * width + x] }
  package func code(_ x: Int, _ y: Int) -> [UInt16] {
    let place = y * ((width + 1) / 2) + x / 2
    return [luma(x, y), planes[1][place], planes[2][place]]
  }
  package func row(_ y: Int) -> ArraySlice<UInt16> { planes[0][y * width..<(y + 1) * width] }
}
