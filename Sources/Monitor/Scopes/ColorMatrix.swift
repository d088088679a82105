import MediaCore

/// Converts 10-bit luma and chroma to 10-bit red, green and blue, all of narrow range.
struct ColorMatrix: Sendable {
  private let redFromRed: Int32
  private let greenFromBlue: Int32
  private let greenFromRed: Int32
  private let blueFromBlue: Int32

  private static let bits: Int32 = 14

  /// The matrix of a color description; BT.709's if it specifies none, or a non-linear one.
  init(_ color: ColorDescription, height: Int) {
    let (red, blue) = LumaWeights.of(color, height: height)
    let green = 1 - red - blue
    // Luma has 876 steps from black to white, chroma 896 from end to end.
    func weight(_ value: Double) -> Int32 {
      Int32((value * 876 / 896 * Double(1 << Self.bits)).rounded())
    }
    redFromRed = weight(2 * (1 - red))
    blueFromBlue = weight(2 * (1 - blue))
    greenFromBlue = weight(-2 * (1 - blue) * blue / green)
    greenFromRed = weight(-2 * (1 - red) * red / green)
  }

  /// Codes of red, green and blue, not limited to any range.
  @inline(__always)
  func rgb(_ y: UInt16, _ cb: UInt16, _ cr: UInt16) -> (red: Int32, green: Int32, blue: Int32) {
    let (b, r) = (Int32(cb) &- 512, Int32(cr) &- 512)
    let half: Int32 = 1 &<< (Self.bits &- 1)
    let luma = Int32(y)
    return (
      luma &+ ((redFromRed &* r &+ half) &>> Self.bits),
      luma &+ ((greenFromBlue &* b &+ greenFromRed &* r &+ half) &>> Self.bits),
      luma &+ ((blueFromBlue &* b &+ half) &>> Self.bits)
    )
  }
}

enum LumaWeights {
  /// The luma weights of red and blue; BT.709's if the matrix is unspecified or non-linear (H.273,
  /// table 4).
  static func of(_ color: ColorDescription, height: Int) -> (red: Double, blue: Double) {
    switch color.resolved(forHeight: height).matrix {
    case .bt470bg, .smpte170M: (0.299, 0.114)
    case .smpte240M: (0.212, 0.087)
    case .bt2020, .bt2020ConstantLuminance: (0.2627, 0.0593)
    case .bt709, .identity, .unspecified: (0.2126, 0.0722)
    }
  }
}
