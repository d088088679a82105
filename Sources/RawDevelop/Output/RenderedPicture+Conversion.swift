import CRawKernels
import DNG

extension RenderedPicture {
  /// The picture in another color space and format; numbers beyond it are kept by floats, and cut off by
  /// integers.
  public func converted(to space: PictureColorSpace, format: SampleFormat) -> RenderedPicture {
    let matrix = (space.primaries.fromXYZ * colorSpace.primaries.toXYZ).elements.map { Float($0) }
    let isSame = space == colorSpace
    var pixels = [Float](repeating: 0, count: 3 * width * height)
    for row in 0..<height {
      for column in 0..<width {
        let place = 3 * (row * width + column)
        let color = (0..<3).map { self[row, column, $0] }
        guard !isSame else {
          for index in 0..<3 { pixels[place + index] = color[index] }
          continue
        }
        let light = color.map { Self.signed($0, colorSpace.curve.decode) }
        for index in 0..<3 {
          let sum =
            matrix[3 * index] * light[0] + matrix[3 * index + 1] * light[1]
            + matrix[3 * index + 2] * light[2]
          pixels[place + index] = Self.signed(sum, space.curve.encode)
        }
      }
    }
    return RenderedPicture(
      width: width, height: height, samples: Self.samples(pixels, format), colorSpace: space)
  }

  /// A curve that is the same below 0, mirrored.
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
