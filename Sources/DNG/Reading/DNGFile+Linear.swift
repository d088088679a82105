extension DNGFile {
  /// The active area of a raw picture in linear light: its table looked up, black taken away, white
  /// brought to 1. Light is at most 1; below black it stays negative, down to -1,000,000; what is lower, such as
  /// minus infinity, or no number, is 0. No opcode is applied.
  ///
  /// - Throws: What ``decodeSamples(of:)`` throws, and ``DNGError/Code/invalidFile`` for levels that
  ///   make no sense.
  public func decodeLinear(of picture: Picture) throws(DNGError) -> FloatImage {
    let levels = try picture.levels()
    let linearizer = SampleLinearizer(try decodeSamples(of: picture), levels)
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
