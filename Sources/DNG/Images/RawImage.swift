import MediaCore

/// Raw or linear samples in memory: rows of interleaved 16-bit words without padding.
public struct RawImage: Sendable, Hashable {
  /// Width in pixels.
  public let width: Int
  /// Height in pixels.
  public let height: Int
  /// Samples per pixel: 1 for a mosaic or a mask, 3 for linear color.
  public let components: Int
  /// Bits per sample, 1 to 16.
  public let bitDepth: Int
  /// The samples.
  public private(set) var samples: [UInt16]

  /// An image made of the given samples.
  ///
  /// - Throws: ``DNGError/Code/invalidArgument`` for a size, depth or count out of range.
  public init(
    width: Int, height: Int, components: Int = 1, bitDepth: Int, samples: [UInt16]
  ) throws(DNGError) {
    guard (1...65_535).contains(width), (1...65_535).contains(height) else {
      throw DNGError(
        .invalidArgument, "invalid image size \(width)x\(height); each side is 1 to 65535")
    }
    guard (1...4).contains(components), (1...16).contains(bitDepth) else {
      throw DNGError(
        .invalidArgument,
        "an image has 1 to 4 components of 1 to 16 bits, not \(components) of \(bitDepth)")
    }
    guard samples.count == width * height * components else {
      throw DNGError(
        .invalidArgument,
        "\(width)x\(height) pixels of \(components) need \(width * height * components) samples, "
          + "not \(samples.count)")
    }
    self.width = width
    self.height = height
    self.components = components
    self.bitDepth = bitDepth
    self.samples = samples
  }

  /// The number of samples from one row to the next.
  public var stride: Int { width * components }

  public subscript(row: Int, column: Int, component: Int) -> UInt16 {
    samples[(row * width + column) * components + component]
  }
}
