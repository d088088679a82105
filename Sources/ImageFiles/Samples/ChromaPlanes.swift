import MediaCore
import RawDevelop

/// Luma and two color-difference planes of an image, in full range.
enum ChromaPlanes {
  /// Width and height of the chroma planes.
  static func chromaSize(_ width: Int, _ height: Int, isFull: Bool) -> (width: Int, height: Int) {
    isFull ? (width, height) : ((width + 1) / 2, (height + 1) / 2)
  }

  /// Fills planes in memory owned by others, such as a codec's image.
  ///
  /// - Parameters:
  ///   - weights: The weights of red and blue in luma.
  ///   - maximum: The greatest code value.
  ///   - planes: The start of each plane, and the bytes from one row to the next.
  static func fill<Code: FixedWidthInteger & UnsignedInteger>(
    _ rows: CodeRows, weights: (red: Float, blue: Float), isFull: Bool, maximum: Int,
    planes: [(start: UnsafeMutableRawPointer, stride: Int)], as type: Code.Type
  ) {
    let (width, height) = (rows.image.width, rows.image.height)
    let step = isFull ? 1 : 2
    // Safe: bands do not overlap, so each thread writes only its own rows, and `fill` waits for all of them.
    nonisolated(unsafe) let planes = planes
    ConcurrentMap.bands((height + step - 1) / step, of: 8) { band in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * rows.length) { memory in
        guard let first = memory.baseAddress else { return }
        for row in band {
          let second = first + rows.length
          for part in 0..<step {
            // With an odd height, the last row is used twice.
            let line = part == 0 ? first : second
            rows.read(min(row * step + part, height - 1), into: line)
            if row * step + part < height {
              let luma = planes[0].start + (row * step + part) * planes[0].stride
              putLuma(line, width, weights, maximum, luma.assumingMemoryBound(to: Code.self))
            }
          }
          let blue = (planes[1].start + row * planes[1].stride).assumingMemoryBound(to: Code.self)
          let red = (planes[2].start + row * planes[2].stride).assumingMemoryBound(to: Code.self)
          if isFull {
            putChroma(first, width, weights, maximum, blue, red)
          } else {
            halve(first, second, width)
            putChroma(first, (width + 1) / 2, weights, maximum, blue, red)
          }
        }
      }
    }
  }

  private static func putLuma<Code: FixedWidthInteger>(
    _ line: UnsafeMutablePointer<Float>, _ width: Int, _ weights: (red: Float, blue: Float),
    _ maximum: Int, _ target: UnsafeMutablePointer<Code>
  ) {
    let (red, blue) = (weights.red, weights.blue)
    let (green, scale) = (1 - red - blue, Float(maximum))
    for column in 0..<width {
      let pixel = line + 3 * column
      target[column] = Code(
        wholePart: min((red * pixel[0] + green * pixel[1] + blue * pixel[2]) * scale + 0.5, scale))
    }
  }

  private static func putChroma<Code: FixedWidthInteger>(
    _ line: UnsafeMutablePointer<Float>, _ width: Int, _ weights: (red: Float, blue: Float),
    _ maximum: Int, _ blue: UnsafeMutablePointer<Code>, _ red: UnsafeMutablePointer<Code>
  ) {
    let green = 1 - weights.red - weights.blue
    let (scale, center) = (Float(maximum), Float((maximum + 1) / 2))
    let (blueScale, redScale) = (scale / (2 - 2 * weights.blue), scale / (2 - 2 * weights.red))
    for column in 0..<width {
      let pixel = line + 3 * column
      let luma = weights.red * pixel[0] + green * pixel[1] + weights.blue * pixel[2]
      let b = (pixel[2] - luma) * blueScale + center + 0.5
      let r = (pixel[0] - luma) * redScale + center + 0.5
      blue[column] = Code(wholePart: min(max(b, 0), scale))
      red[column] = Code(wholePart: min(max(r, 0), scale))
    }
  }

  /// Averages blocks of two by two pixels, and stores the results in the first line.
  private static func halve(
    _ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>, _ width: Int
  ) {
    for column in 0..<(width + 1) / 2 {
      let (left, right) = (6 * column, 3 * min(2 * column + 1, width - 1))
      for color in 0..<3 {
        let sum =
          first[left + color] + first[right + color] + second[left + color] + second[right + color]
        first[3 * column + color] = sum / 4
      }
    }
  }
}
