/// A developed image in memory: rows of interleaved red, green and blue without padding.
public struct RenderedImage: Sendable, Hashable {
  /// The type of a sample.
  public enum SampleFormat: String, Sendable, Hashable, Codable, CaseIterable {
    /// 8-bit integers.
    case uint8
    /// 16-bit integers.
    case uint16
    /// Half floats.
    case half
    /// Floats.
    case float

    /// Bytes per sample.
    public var byteCount: Int {
      switch self {
      case .uint8: 1
      case .uint16, .half: 2
      case .float: 4
      }
    }

    /// Bits per sample.
    package var bitDepth: Int { 8 * byteCount }

    /// True for floats, which may be below 0 and above 1.
    public var isFloat: Bool { self == .half || self == .float }
  }

  /// The samples.
  public enum Samples: Sendable, Hashable {
    /// 8-bit integers; 255 is 1.
    case uint8([UInt8])
    /// 16-bit integers; 65535 is 1.
    case uint16([UInt16])
    /// The bits of half floats.
    case half([UInt16])
    /// Floats.
    case float([Float])

    /// The type of the samples.
    package var format: SampleFormat {
      switch self {
      case .uint8: .uint8
      case .uint16: .uint16
      case .half: .half
      case .float: .float
      }
    }

    /// The number of samples, all components included.
    package var count: Int {
      switch self {
      case .uint8(let values): values.count
      case .uint16(let values), .half(let values): values.count
      case .float(let values): values.count
      }
    }
  }

  /// Width in pixels.
  public let width: Int
  /// Height in pixels.
  public let height: Int
  /// The samples.
  public let samples: Samples
  /// The color space of the samples.
  public let colorSpace: ImageColorSpace

  /// An image made of the given samples.
  public init(width: Int, height: Int, samples: Samples, colorSpace: ImageColorSpace) {
    self.width = width
    self.height = height
    self.samples = samples
    self.colorSpace = colorSpace
  }

  /// A sample as a float, with white at 1.
  public subscript(row: Int, column: Int, component: Int) -> Float {
    let index = (row * width + column) * 3 + component
    return switch samples {
    case .uint8(let values): Float(values[index]) / 255
    case .uint16(let values): Float(values[index]) / 65_535
    case .half(let values): Self.number(half: values[index])
    case .float(let values): values[index]
    }
  }

  /// The value of a half float's bits.
  public static func number(half bits: UInt16) -> Float {
    let sign: Float = bits & 0x8000 == 0 ? 1 : -1
    let (exponent, fraction) = (Int(bits >> 10 & 31), Float(bits & 1023))
    return switch exponent {
    case 0: sign * fraction * 0x1p-24
    case 31: fraction == 0 ? sign * .infinity : .nan
    default: sign * Float(sign: .plus, exponent: exponent - 15, significand: 1 + fraction / 1024)
    }
  }
}
