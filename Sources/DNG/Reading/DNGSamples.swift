/// The samples of a picture as its file stores them.
public enum DNGSamples: Sendable, Hashable {
  /// Integers. Those of JPEG XL with more than 8 bits span 16 bits, whatever the file's depth.
  case integers(RawImage)
  /// Floating-point numbers.
  case floats(FloatImage)
}

/// Floating-point samples in memory: rows of interleaved samples without padding.
public struct FloatImage: Sendable, Hashable {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Samples of a pixel.
  public let components: Int
  /// The samples.
  public let samples: [Float]

  /// An image over its samples.
  package init(width: Int, height: Int, components: Int, samples: [Float]) {
    self.width = width
    self.height = height
    self.components = components
    self.samples = samples
  }
}
