import DNG

/// The primaries and white point of a color space.
public enum ColorPrimaries: String, Sendable, Hashable, Codable, CaseIterable {
  /// The primaries of ITU-R BT.709.
  case sRGB
  /// The primaries of Adobe RGB (1998).
  case adobeRGB
  /// The primaries of Display P3.
  case displayP3
  /// The primaries of ITU-R BT.2020.
  case rec2020
  /// The primaries of ROMM RGB (ISO 22028-2), in which DNG applies tone curves.
  case proPhoto

  /// Linear colors to XYZ under D50. The values are those of the spaces' ICC profiles, adjusted so that white is
  /// exact despite their rounding.
  var toXYZ: Matrix3 {
    let figures: [Double] =
      switch self {
      case .sRGB: [0.4361, 0.3851, 0.1431, 0.2225, 0.7169, 0.0606, 0.0139, 0.0971, 0.7141]
      case .adobeRGB: [0.6097, 0.2053, 0.1492, 0.3111, 0.6257, 0.0632, 0.0195, 0.0609, 0.7446]
      case .displayP3: [0.5151, 0.2920, 0.1571, 0.2412, 0.6922, 0.0666, -0.0010, 0.0419, 0.7843]
      case .rec2020: [0.6735, 0.1657, 0.1251, 0.2791, 0.6753, 0.0456, -0.0019, 0.0300, 0.7971]
      case .proPhoto: [0.7977, 0.1352, 0.0313, 0.2880, 0.7119, 0.0001, 0, 0, 0.8249]
      }
    let d50 = WhitePoint.d50.xyz
    let white = (0..<3).map { figures[3 * $0..<3 * $0 + 3].reduce(0, +) }
    let matrix = Matrix3(figures) ?? .identity
    return .diagonal(d50[0] / white[0], d50[1] / white[1], d50[2] / white[2]) * matrix
  }

  /// XYZ under D50 to linear colors.
  var fromXYZ: Matrix3 { toXYZ.inverse ?? .identity }
}

/// The color space of a rendered image.
public struct ImageColorSpace: Sendable, Hashable, Codable {
  /// The primaries.
  public var primaries: ColorPrimaries
  /// The transfer curve.
  public var curve: TransferCurve

  public init(primaries: ColorPrimaries, curve: TransferCurve) {
    self.primaries = primaries
    self.curve = curve
  }

  /// IEC 61966-2-1.
  public static let sRGB = Self(primaries: .sRGB, curve: .sRGB)
  /// Apple's Display P3.
  public static let displayP3 = Self(primaries: .displayP3, curve: .sRGB)
  /// Adobe RGB (1998).
  public static let adobeRGB = Self(primaries: .adobeRGB, curve: .gamma22)
  /// ITU-R BT.2020.
  public static let rec2020 = Self(primaries: .rec2020, curve: .rec709)
  /// Linear light with sRGB's primaries; values may be below 0 and above 1.
  public static let linearSRGB = Self(primaries: .sRGB, curve: .linear)
  /// Linear light with Display P3's primaries.
  public static let linearDisplayP3 = Self(primaries: .displayP3, curve: .linear)
  /// Linear light with BT.2020's primaries.
  public static let linearRec2020 = Self(primaries: .rec2020, curve: .linear)

  /// The linear space with the same primaries.
  public var linear: ImageColorSpace { Self(primaries: primaries, curve: .linear) }
}
