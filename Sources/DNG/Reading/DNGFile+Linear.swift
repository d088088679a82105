extension DNGFile {
  /// Decodes the active area of a raw image to linear light: applies the linearization table, subtracts black and
  /// scales white to 1. Light is at most 1; below black it stays negative, down to -1,000,000; lower values, such
  /// as minus infinity, and NaN become 0. No opcode is applied.
  ///
  /// - Throws: What ``decodeSamples(of:)`` throws, and ``DNGError/Code/invalidFile`` for invalid levels.
  public func decodeLinear(of image: Image) throws(DNGError) -> FloatImage {
    let levels = try image.levels()
    let linearizer = SampleLinearizer(try decodeSamples(of: image), levels)
    let (area, components) = (linearizer.area, linearizer.components)
    let count = area.width * area.height * components
    let light = [Float](unsafeUninitializedCapacity: count) { target, used in
      if let start = target.baseAddress { linearizer.linearize(0..<area.height, into: start) }
      used = count
    }
    return FloatImage(
      width: area.width, height: area.height, components: components, samples: light)
  }
}
