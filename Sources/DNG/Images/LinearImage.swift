/// Linear light in memory: rows of interleaved red, green and blue without padding.
///
/// Colors are the sensor's own, balanced so that a neutral surface has three equal numbers; 1 is
/// where the reference exposure saturates, and merged exposures go beyond it.
public struct LinearImage: Sendable {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// The light.
  public package(set) var samples: [Float]

  /// An image over its samples.
  package init(width: Int, height: Int, samples: [Float]) {
    self.width = width
    self.height = height
    self.samples = samples
  }

  /// The light of a pixel.
  public subscript(row: Int, column: Int) -> SIMD3<Float> {
    let first = 3 * (row * width + column)
    return SIMD3(samples[first], samples[first + 1], samples[first + 2])
  }
}
