extension DCTJPEGDecoder.Image {
  /// Converts YCbCr to interleaved red, green and blue as in JFIF (ITU-T T.871, clause 7), rounded and clipped to
  /// the range of samples.
  func convertedToRGB() -> [UInt16] {
    let middle = Float(1 << (precision - 1))
    let greatest = Float(1 << precision - 1)
    func code(_ value: Float) -> UInt16 {
      UInt16(min(max(value + 0.5, 0), greatest))
    }
    var result = [UInt16](repeating: 0, count: samples.count)
    for place in stride(from: 0, to: samples.count - 2, by: 3) {
      let light = Float(samples[place])
      let blue = Float(samples[place + 1]) - middle
      let red = Float(samples[place + 2]) - middle
      result[place] = code(light + 1.402 * red)
      result[place + 1] = code(light - 0.344136 * blue - 0.714136 * red)
      result[place + 2] = code(light + 1.772 * blue)
    }
    return result
  }
}
