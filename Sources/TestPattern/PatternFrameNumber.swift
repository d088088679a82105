package import MediaCore

/// The machine-readable frame number in the pattern device's frames.
///
/// A row of cells, black or white: four that alternate and begin with white, to find the strip by;
/// 32 bits of the number, highest first; a cell that makes the white ones of the number even in
/// count; and three closing ones, black, white, black. With it the frames that a recording lacks
/// can be found in the file alone.
package enum PatternFrameNumber {
  static let cellCount = 40

  /// White cells of a number.
  static func cells(_ number: UInt32) -> [Bool] {
    let bits = (0..<32).map { number >> UInt32(31 - $0) & 1 == 1 }
    return [true, false, true, false] + bits
      + [number.nonzeroBitCount % 2 == 1, false, true, false]
  }

  /// The number in a frame, read from the middle of each cell.
  ///
  /// - Parameter frame: A pattern of any layout, also after encoding and decoding.
  /// - Returns: nil if the frame holds no readable number.
  package static func read(from frame: PixelBuffer) -> UInt32? {
    let geometry = PatternGeometry(width: frame.width, height: frame.height)
    let strip = geometry.numberStrip
    let row = strip.y + strip.height / 2
    guard strip.x >= 0, strip.x + strip.width <= frame.width, row < frame.height,
      let luma = luma(of: frame, row: row)
    else { return nil }
    let cell = geometry.numberCellWidth
    let read = (0..<cellCount).map { luma[strip.x + $0 * cell + cell / 2] > 502 }
    let number = read[4..<36].reduce(UInt32(0)) { $0 << 1 | ($1 ? 1 : 0) }
    return read == cells(number) ? number : nil
  }

  /// A row of a frame as 10-bit luma; nil if the layout cannot be read.
  package static func luma(of frame: PixelBuffer, row: Int) -> [UInt16]? {
    guard
      let unpacker = try? FrameUnpacker(
        from: frame.details,
        to: FrameUnpacker.destinations(for: frame.format).last ?? .yuv422p10),
      var memory = try? MutablePixelBuffer(unpacker.destination),
      (try? unpacker.unpack(frame, into: &memory, rows: row..<row + 1)) != nil
    else { return nil }
    let result = memory.finish()
    let start = row * result.bytesPerRow(plane: 0)
    return result.withUnsafeBytes(ofPlane: 0) { bytes in
      (0..<frame.width).map {
        bytes.load(fromByteOffset: start + 2 * $0, as: UInt16.self)
      }
    }
  }
}
