package import RawDevelop

/// An image decoded from a file: not turned, in the file's own values.
package struct DecodedImage: Sendable {
  /// Red, green and blue; the three are equal in gray images.
  package var image: RenderedImage
  /// The opacity of each pixel, one sample each in the image's format; colors are not premultiplied. Nil if all
  /// pixels are opaque.
  package var opacity: RenderedImage.Samples?
  /// Guesses and changes, one line each.
  package var notes: [String] = []

  /// An opaque image.
  package init(_ image: RenderedImage) { self.image = image }
}

/// Samples as a decoder returns them.
struct ImageSamples {
  let width: Int
  let height: Int
  /// 1 for gray, 2 for gray and alpha, 3 for red, green and blue, 4 for these and alpha.
  let channels: Int
  let samples: RenderedImage.Samples
  /// True if colors are premultiplied by alpha.
  var isPremultiplied = false

  /// The image in a color space, with its opacity separated.
  func decoded(_ space: ImageColorSpace) -> DecodedImage {
    let colors: RenderedImage.Samples
    var opacity: RenderedImage.Samples?
    switch samples {
    case .uint8(let values):
      colors = .uint8(colorsOf(values))
      opacity = alpha(of: values).map { .uint8($0) }
    case .uint16(let values):
      colors = .uint16(colorsOf(values))
      opacity = alpha(of: values).map { .uint16($0) }
    case .half(let values):
      colors = .half(colorsOf(values))
      opacity = alpha(of: values).map { .half($0) }
    case .float(let values):
      colors = .float(colorsOf(values))
      opacity = alpha(of: values).map { .float($0) }
    }
    var decoded = DecodedImage(
      RenderedImage(width: width, height: height, samples: colors, colorSpace: space))
    decoded.opacity = opacity
    return isPremultiplied && opacity != nil ? decoded.divided() : decoded
  }

  private func colorsOf<Sample>(_ values: [Sample]) -> [Sample] {
    guard channels != 3 else { return values }
    return [Sample](unsafeUninitializedCapacity: 3 * width * height) { target, count in
      values.withUnsafeBufferPointer { source in
        let (green, blue) = channels > 2 ? (1, 2) : (0, 0)
        for pixel in 0..<width * height {
          let place = pixel * channels
          target.initializeElement(at: 3 * pixel, to: source[place])
          target.initializeElement(at: 3 * pixel + 1, to: source[place + green])
          target.initializeElement(at: 3 * pixel + 2, to: source[place + blue])
        }
      }
      count = 3 * width * height
    }
  }

  private func alpha<Sample>(of values: [Sample]) -> [Sample]? {
    guard channels % 2 == 0 else { return nil }
    return (0..<width * height).map { values[$0 * channels + channels - 1] }
  }
}

extension DecodedImage {
  /// Divides premultiplied colors by alpha; fully transparent pixels stay black.
  fileprivate func divided() -> DecodedImage {
    func divide<Sample: BinaryInteger>(
      _ colors: [Sample], _ alpha: [Sample], _ most: Float
    ) -> [Sample] {
      colors.indices.map { index in
        let share = Float(alpha[index / 3])
        guard share > 0 else { return colors[index] }
        return Sample(min((Float(colors[index]) * most / share).rounded(), most))
      }
    }
    let samples: RenderedImage.Samples
    switch (image.samples, opacity) {
    case (.uint8(let colors), .uint8(let alpha)): samples = .uint8(divide(colors, alpha, 255))
    case (.uint16(let colors), .uint16(let alpha)):
      samples = .uint16(divide(colors, alpha, 65_535))
    default:
      let (colors, alpha) = (image.samples.numbers, opacity?.numbers ?? [])
      samples = .float(
        colors.indices.map { alpha[$0 / 3] > 0 ? colors[$0] / alpha[$0 / 3] : colors[$0] })
    }
    var result = self
    if case .float = samples { result.opacity = opacity.map { .float($0.numbers) } }
    result.image = RenderedImage(
      width: image.width, height: image.height, samples: samples,
      colorSpace: image.colorSpace)
    return result
  }
}
