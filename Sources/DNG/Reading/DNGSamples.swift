/// The samples of an image as its file stores them.
public enum DNGSamples: Sendable, Hashable {
  /// Integers. JPEG XL samples of more than 8 bits span 16 bits, whatever the file's depth.
  case integers(RawImage)
  /// Floating-point numbers.
  case floats(FloatImage)
}

/// Floating-point samples in memory: rows of interleaved samples without padding.
public struct FloatImage: Sendable, Hashable {
  /// Width in pixels.
  public let width: Int
  /// Height in pixels.
  public let height: Int
  /// Samples per pixel.
  public let components: Int
  /// The samples.
  public let samples: [Float]

  /// An image made of the given samples.
  package init(width: Int, height: Int, components: Int, samples: [Float]) {
    self.width = width
    self.height = height
    self.components = components
    self.samples = samples
  }
}
