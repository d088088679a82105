/// Linear light in memory: rows of interleaved red, green and blue without padding.
///
/// Colors are the sensor's own, balanced so that a neutral surface has three equal values; the reference exposure
/// saturates at 1, and merged exposures may exceed it.
public struct LinearImage: Sendable {
  /// Width in pixels.
  public let width: Int
  /// Height in pixels.
  public let height: Int
  /// The samples.
  public package(set) var samples: [Float]

  /// An image made of the given samples.
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
