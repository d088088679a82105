// swift-format-ignore-file: AlwaysUseLowerCamelCase

import RawDevelop

/// The memory layout of a pixel.
public struct CIFormat: RawRepresentable, Sendable, Hashable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Red, green, blue and alpha, 8 bits each.
  public static let RGBA8 = CIFormat(rawValue: 264)
  /// Blue, green, red and alpha, 8 bits each.
  public static let BGRA8 = CIFormat(rawValue: 266)
  /// Alpha, red, green and blue, 8 bits each.
  public static let ARGB8 = CIFormat(rawValue: 265)
  /// Red, green, blue and alpha, 16 bits each.
  public static let RGBA16 = CIFormat(rawValue: 2056)
  /// Red, green, blue and alpha as half floats.
  public static let RGBAh = CIFormat(rawValue: 2070)
  /// Red, green, blue and alpha as floats.
  public static let RGBAf = CIFormat(rawValue: 2312)
  /// Luminance only, 8 bits.
  public static let L8 = CIFormat(rawValue: 261)
  /// Luminance only, as floats.
  public static let Lf = CIFormat(rawValue: 2309)

  /// The sample format and the channel of each sample: 0 to 2 for red, green and blue, 3 for alpha, 4 for luminance.
  struct Layout {
    let format: RenderedImage.SampleFormat
    let channels: [Int]
    var pixelBytes: Int { format.byteCount * channels.count }
  }

  /// Nil for an unsupported format.
  var layout: Layout? {
    switch self {
    case .RGBA8: Layout(format: .uint8, channels: [0, 1, 2, 3])
    case .BGRA8: Layout(format: .uint8, channels: [2, 1, 0, 3])
    case .ARGB8: Layout(format: .uint8, channels: [3, 0, 1, 2])
    case .RGBA16: Layout(format: .uint16, channels: [0, 1, 2, 3])
    case .RGBAh: Layout(format: .half, channels: [0, 1, 2, 3])
    case .RGBAf: Layout(format: .float, channels: [0, 1, 2, 3])
    case .L8: Layout(format: .uint8, channels: [4])
    case .Lf: Layout(format: .float, channels: [4])
    default: nil
    }
  }
}
