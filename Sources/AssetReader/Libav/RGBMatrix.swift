import MediaCore

/// Converts 16-bit RGB to 16-bit Y, Cb and Cr at video range.
struct RGBMatrix: Sendable, Hashable {
  /// Weights and offset, times 2^14.
  private struct Row: Sendable, Hashable {
    let red: Int32
    let green: Int32
    let blue: Int32
    let offset: Int32
  }

  private static let bits: Int32 = 14

  private let luma: Row
  private let blueDifference: Row
  private let redDifference: Row

  /// - Parameters:
  ///   - matrix: The matrix; BT.709 is used for identity and unspecified.
  ///   - range: The range of the RGB codes.
  init(_ matrix: ColorDescription.Matrix, range: ColorDescription.Range) {
    // H.273, table 4: the weights of red and blue in luma.
    let (red, blue): (Double, Double) =
      switch matrix {
      case .bt470bg, .smpte170M: (0.299, 0.114)
      case .smpte240M: (0.212, 0.087)
      case .bt2020, .bt2020ConstantLuminance: (0.2627, 0.0593)
      case .bt709, .identity, .unspecified: (0.2126, 0.0722)
      }
    let green = 1 - red - blue
    let (black, span) = range == .full ? (0.0, 65_535.0) : (16.0 * 257, 219.0 * 257)
    func row(
      _ parts: (red: Double, green: Double, blue: Double), gain: Double, zero: Double
    ) -> Row {
      let one = Double(1 << Self.bits)
      let scale = gain * 256 / span * one
      let (red, blue) = ((parts.red * scale).rounded(), (parts.blue * scale).rounded())
      // Green absorbs the rounding of the others, so that white and gray are exact.
      let green = ((parts.red + parts.green + parts.blue) * scale).rounded() - red - blue
      let offset = zero * 256 * one - (red + green + blue) * black + one / 2
      return Row(
        red: Int32(red), green: Int32(green), blue: Int32(blue), offset: Int32(offset.rounded()))
    }
    luma = row((red, green, blue), gain: 219, zero: 16)
    let toBlue = 0.5 / (1 - blue)
    blueDifference = row(
      (-red * toBlue, -green * toBlue, (1 - blue) * toBlue), gain: 224, zero: 128)
    let toRed = 0.5 / (1 - red)
    redDifference = row(
      ((1 - red) * toRed, -green * toRed, -blue * toRed), gain: 224, zero: 128)
  }

  /// Converts a row.
  func convert(
    _ red: UnsafePointer<UInt16>, _ green: UnsafePointer<UInt16>, _ blue: UnsafePointer<UInt16>,
    luma: UnsafeMutablePointer<UInt16>, blueDifference: UnsafeMutablePointer<UInt16>,
    redDifference: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    Self.apply(self.luma, red, green, blue, luma, count)
    Self.apply(self.blueDifference, red, green, blue, blueDifference, count)
    Self.apply(self.redDifference, red, green, blue, redDifference, count)
  }

  private static func apply(
    _ row: Row, _ red: UnsafePointer<UInt16>, _ green: UnsafePointer<UInt16>,
    _ blue: UnsafePointer<UInt16>, _ target: UnsafeMutablePointer<UInt16>, _ count: Int
  ) {
    for place in 0..<count {
      let sum =
        row.red &* Int32(red[place]) &+ row.green &* Int32(green[place])
        &+ row.blue &* Int32(blue[place]) &+ row.offset
      target[place] = UInt16(truncatingIfNeeded: min(max(sum &>> bits, 0), 65_535))
    }
  }
}
