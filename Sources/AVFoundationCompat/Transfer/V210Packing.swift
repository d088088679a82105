import MediaCore
import VideoRecorder

/// Conversion to v210, which libswscale does not support.
enum V210Packing {
  /// Converts a frame to v210 by way of 16-bit planes; nil if that is not supported, or if memory is exhausted.
  static func convert(
    _ source: PixelBuffer, with converter: FrameConverter, _ size: VideoDimensions,
    range: ColorDescription.Range
  ) -> PixelBuffer? {
    converter.convert(source, to: FrameConversion(.yuv422p10, range: range), size: size)
      .flatMap(packed)
  }

  /// A black frame; nil if memory is exhausted.
  static func black(like target: PixelBuffer) -> PixelBuffer? {
    var details = target.details
    details.format = .yuv422p10
    let isFull = details.color.range == .full
    guard var frame = try? MutablePixelBuffer(details) else { return nil }
    frame.withPlanes { planes in
      for plane in 0..<3 {
        let code: UInt16 = plane > 0 ? 512 : isFull ? 0 : 64
        let count = plane > 0 ? (details.width + 1) / 2 : details.width
        for row in 0..<details.height {
          planes.row(row, ofPlane: plane)
            .initializeMemory(as: UInt16.self, repeating: code, count: count)
        }
      }
    }
    return packed(frame.finish())
  }

  /// Packs six pixels in four words. The last group is padded with video-range black.
  private static func packed(_ planar: PixelBuffer) -> PixelBuffer? {
    var details = planar.details
    details.format = .v210
    let width = planar.width
    guard var frame = try? MutablePixelBuffer(details) else { return nil }
    let blocks = (width + 5) / 6
    var luma = [UInt32](repeating: 64, count: 6 * blocks)
    var (blue, red) = (
      [UInt32](repeating: 512, count: 3 * blocks), [UInt32](repeating: 512, count: 3 * blocks)
    )
    func load(_ samples: inout [UInt32], _ plane: Int, _ row: Int, _ count: Int) {
      let line = planar.unsafeAddress(ofPlane: plane) + row * planar.bytesPerRow(plane: plane)
      for place in 0..<count {
        samples[place] = UInt32(line.load(fromByteOffset: 2 * place, as: UInt16.self) & 0x3FF)
      }
    }
    frame.withPlanes { planes in
      for row in 0..<planar.height {
        load(&luma, 0, row, width)
        load(&blue, 1, row, (width + 1) / 2)
        load(&red, 2, row, (width + 1) / 2)
        let line = planes.row(row, ofPlane: 0)
        for block in 0..<blocks {
          let (y, c) = (6 * block, 3 * block)
          let words = [
            blue[c] | luma[y] << 10 | red[c] << 20,
            luma[y + 1] | blue[c + 1] << 10 | luma[y + 2] << 20,
            red[c + 1] | luma[y + 3] << 10 | blue[c + 2] << 20,
            luma[y + 4] | red[c + 2] << 10 | luma[y + 5] << 20,
          ]
          for (index, word) in words.enumerated() {
            line.storeBytes(
              of: word.littleEndian, toByteOffset: 16 * block + 4 * index, as: UInt32.self)
          }
        }
      }
    }
    return frame.finish()
  }
}
