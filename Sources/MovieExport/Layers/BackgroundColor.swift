import AssetReader
import MediaCore

/// The color where layers do not cover a frame, as 8-bit RGB in the frames' primaries and transfer
/// function.
package struct BackgroundColor: Sendable, Hashable {
  /// From 0 to 255.
  package var red: UInt8
  /// From 0 to 255.
  package var green: UInt8
  /// From 0 to 255.
  package var blue: UInt8

  /// Creates a color.
  package init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// Black.
  package static let black = BackgroundColor(red: 0, green: 0, blue: 0)

  /// The codes of luma, Cb and Cr, at video range.
  ///
  /// - Parameters:
  ///   - format: A planar format of 16-bit words.
  ///   - color: The frames' color, with a matrix.
  /// - Throws: `AssetReaderError.Code.unsupported` if the matrix is unsupported and the color is
  ///   not black; `AssetReaderError.Code.outOfMemory`.
  func codes(
    in format: PixelFormat, _ color: ColorDescription
  ) throws(AssetReaderError) -> [UInt16] {
    guard self != .black else {
      // The same for every matrix.
      let unit: UInt16 = 1 << (format.descriptor.bitDepth - 8)
      return [16 * unit, 128 * unit, 128 * unit]
    }
    do throws(MediaCoreError) { return try converted(to: format, color) } catch {
      throw AssetReaderError(
        error.code == .unsupportedConversion ? .unsupported : .outOfMemory,
        "the background of a video composition: \(error.message)")
    }
  }

  /// The codes that the unpacker makes from an image of this color.
  private func converted(
    to format: PixelFormat, _ color: ColorDescription
  ) throws(MediaCoreError) -> [UInt16] {
    let side = 2
    var source = try MutablePixelBuffer(
      PixelBuffer.Description(
        format: .bgrx32, width: side, height: side, color: color.with(range: .full)))
    let step = source.bytesPerRow(plane: 0)
    source.withUnsafeMutableBytes(ofPlane: 0) { bytes in
      for place in 0..<side * side {
        let first = place / side * step + place % side * 4
        for (offset, value) in [blue, green, red, .max].enumerated() {
          bytes[first + offset] = value
        }
      }
    }
    let frame = source.finish()
    let unpacker = try FrameUnpacker(from: frame.details, to: format)
    let made = try unpacker.unpacked(frame)
    return (0..<3).map { plane in
      made.withUnsafeBytes(ofPlane: plane) { $0.loadUnaligned(as: UInt16.self) }
    }
  }
}
