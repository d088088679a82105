import CRawKernels
import DNG

extension RenderedImage {
  /// The image in another color space and format. Out-of-range values are kept in floats and clipped in integers.
  public func converted(to space: ImageColorSpace, format: SampleFormat) -> RenderedImage {
    if space == colorSpace {
      return format == samples.format
        ? self
        : RenderedImage(
          width: width, height: height, samples: Self.samples(numbers, format), colorSpace: space)
    }
    let matrix = (space.primaries.fromXYZ * colorSpace.primaries.toXYZ).elements.map { Float($0) }
    var pixels = light
    for place in stride(from: 0, to: pixels.count, by: 3) {
      let (red, green, blue) = (pixels[place], pixels[place + 1], pixels[place + 2])
      for index in 0..<3 {
        let sum =
          matrix[3 * index] * red + matrix[3 * index + 1] * green + matrix[3 * index + 2] * blue
        pixels[place + index] = Self.signed(sum, space.curve.encode)
      }
    }
    return RenderedImage(
      width: width, height: height, samples: Self.samples(pixels, format), colorSpace: space)
  }

  /// The samples as floats, with white at 1.
  private var numbers: [Float] {
    switch samples {
    case .uint8(let values): values.map { Float($0) / 255 }
    case .uint16(let values): values.map { Float($0) / 65_535 }
    case .half(let values): values.map(Self.number(half:))
    case .float(let values): values
    }
  }

  /// The samples as linear light.
  private var light: [Float] {
    guard case .uint8(let values) = samples else {
      return numbers.map { Self.signed($0, colorSpace.curve.decode) }
    }
    // Apply the curve only once per code.
    let table = (0..<256).map { Self.signed(Float($0) / 255, colorSpace.curve.decode) }
    return values.map { table[Int($0)] }
  }

  /// A curve extended to negative values by point symmetry.
  private static func signed(_ value: Float, _ curve: (Double) -> Double) -> Float {
    Float(value < 0 ? -curve(Double(-value)) : curve(Double(value)))
  }

  private static func samples(_ pixels: [Float], _ format: SampleFormat) -> Samples {
    func code(_ value: Float, _ greatest: Float) -> Float {
      value >= 1 ? greatest : value > 0 ? (value * greatest).rounded() : 0
    }
    return switch format {
    case .uint8: .uint8(pixels.map { UInt8(code($0, 255)) })
    case .uint16: .uint16(pixels.map { UInt16(code($0, 65_535)) })
    case .half: .half(halves(pixels))
    case .float: .float(pixels)
    }
  }

  static func halves(_ pixels: [Float]) -> [UInt16] {
    let planes = LightPlanes(width: pixels.count / 3, height: 1, count: 3)
    var targets: [UnsafeMutablePointer<Float>?] = (0..<3).map { planes[$0] }
    raw_split(pixels, 3, 0, planes.width, &targets)
    return [UInt16](unsafeUninitializedCapacity: pixels.count) { target, count in
      raw_store_halves(planes[0], planes[1], planes[2], planes.width, target.baseAddress)
      count = pixels.count
    }
  }
}
