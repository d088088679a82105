import AssetReader
import MediaCore

/// What is seen where layers do not cover a frame: red, green and blue of 8 bits, in the frames' own primaries and
/// transfer function.
package struct BackgroundColor: Sendable, Hashable {
  /// From 0 to 255.
  package var red: UInt8
  /// From 0 to 255.
  package var green: UInt8
  /// From 0 to 255.
  package var blue: UInt8

  /// A color from its parts.
  package init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// No light.
  package static let black = BackgroundColor(red: 0, green: 0, blue: 0)

  /// The codes of luma and of both color differences, at video range.
  ///
  /// - Parameters:
  ///   - format: A layout of planes of 16-bit words.
  ///   - color: Of the frames, with a matrix over red, green and blue.
  /// - Throws: `AssetReaderError.Code.unsupported` where there is no such matrix and the color is not black,
  ///   `AssetReaderError.Code.outOfMemory`.
  func codes(
    in format: PixelFormat, _ color: ColorDescription
  ) throws(AssetReaderError) -> [UInt16] {
    guard self != .black else {
      // By every matrix.
      let unit: UInt16 = 1 << (format.descriptor.bitDepth - 8)
      return [16 * unit, 128 * unit, 128 * unit]
    }
    do throws(MediaCoreError) { return try converted(to: format, color) } catch {
      throw AssetReaderError(
        error.code == .unsupportedConversion ? .unsupported : .outOfMemory,
        "the background of a video composition: \(error.message)")
    }
  }

  /// The codes as the unpacker of pictures makes them, of a picture of this color.
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
    let picture = source.finish()
    let unpacker = try PictureUnpacker(from: picture.details, to: format)
    let made = try unpacker.unpacked(picture)
    return (0..<3).map { plane in
      made.withUnsafeBytes(ofPlane: plane) { $0.loadUnaligned(as: UInt16.self) }
    }
  }
}
