import DNG
import MediaCore

/// A histogram of each of an image's colors.
public struct ImageHistogram: Sendable, Hashable, Codable {
  /// Counts of red, green and blue; the bins divide 0 to 1 evenly, and the first and last include values beyond.
  public let counts: [[Int]]
  /// Samples of each color that are below 0 in floats, or 0 in integers.
  public let belowBlack: [Int]
  /// Samples of each color at 1 or above.
  public let atWhite: [Int]

  /// The number of bins.
  public var binCount: Int { counts[0].count }

  /// Counts rows in bands on all processors; the sums do not depend on the order.
  ///
  /// - Parameter row: Calls its closure with each color and value in a row.
  init(
    bins: Int, rows: Int,
    row: @escaping @Sendable (Int, (_ color: Int, _ value: Float) -> Void) -> Void
  ) {
    let bins = max(bins, 1)
    let band = 64
    let parts = ConcurrentMap.map((rows + band - 1) / band) { index in
      var counts = [Int](repeating: 0, count: 3 * (bins + 2))
      for number in index * band..<min((index + 1) * band, rows) {
        row(number) { color, value in
          let start = color * (bins + 2)
          let bin = value.isNaN ? 0 : Int(min(max(value, 0), 1) * Float(bins))
          counts[start + min(bin, bins - 1)] += 1
          if value <= 0 { counts[start + bins] += 1 }
          if value >= 1 { counts[start + bins + 1] += 1 }
        }
      }
      return counts
    }
    let total = parts.reduce([Int](repeating: 0, count: 3 * (bins + 2))) { sum, part in
      zip(sum, part).map { $0 + $1 }
    }
    func slice(_ color: Int) -> ArraySlice<Int> {
      total[color * (bins + 2)..<(color + 1) * (bins + 2)]
    }
    counts = (0..<3).map { Array(slice($0).prefix(bins)) }
    belowBlack = (0..<3).map { total[$0 * (bins + 2) + bins] }
    atWhite = (0..<3).map { total[$0 * (bins + 2) + bins + 1] }
  }
}

extension RenderedImage {
  /// A histogram of the image.
  public func histogram(bins: Int = 256) -> ImageHistogram {
    ImageHistogram(bins: bins, rows: height) { row, count in
      for column in 0..<width {
        for color in 0..<3 { count(color, self[row, column, color]) }
      }
    }
  }
}

extension RAWFilter {
  /// A histogram of the raw image's light after only its levels are applied: 0 is black, and the sensor saturates
  /// at 1.
  ///
  /// - Throws: What decoding throws.
  public func linearHistogram(bins: Int = 256) throws(RawDevelopError) -> ImageHistogram {
    let linearization = try Developer(negative: negative, settings: settings).linearization()
    let (width, components) = (linearization.area.width, linearization.components)
    let pattern = negative.pattern
    return ImageHistogram(bins: bins, rows: linearization.area.height) { row, count in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: width * components) { line in
        guard let light = line.baseAddress else { return }
        linearization.linearize(row..<row + 1, into: light)
        for column in 0..<width {
          if let pattern {
            count(Int(pattern.color(row: row, column: column).rawValue), light[column])
          } else {
            for color in 0..<3 {
              count(color, light[column * components + min(color, components - 1)])
            }
          }
        }
      }
    }
  }
}
