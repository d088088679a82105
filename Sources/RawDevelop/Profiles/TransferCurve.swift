import Glibc

/// A transfer curve between light and a color space's values, both 0 to 1.
public enum TransferCurve: String, Sendable, Hashable, Codable, CaseIterable {
  case linear
  /// IEC 61966-2-1.
  case sRGB
  /// A power function with exponent 1.8.
  case gamma18
  /// A power function with exponent 2.19921875, as in Adobe RGB (1998).
  case gamma22
  /// ITU-R BT.709 and BT.2020.
  case rec709

  /// Encodes light.
  public func encode(_ light: Double) -> Double {
    switch self {
    case .linear: light
    case .sRGB: light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    case .gamma18: pow(max(light, 0), 1 / 1.8)
    case .gamma22: pow(max(light, 0), 1 / 2.19921875)
    case .rec709: light < 0.018053968 ? 4.5 * light : 1.0992968 * pow(light, 0.45) - 0.0992968
    }
  }

  /// Decodes a value to light.
  public func decode(_ number: Double) -> Double {
    switch self {
    case .linear: number
    case .sRGB: number <= 0.04045 ? number / 12.92 : pow((number + 0.055) / 1.055, 2.4)
    case .gamma18: pow(max(number, 0), 1.8)
    case .gamma22: pow(max(number, 0), 2.19921875)
    case .rec709:
      number < 0.081242857 ? number / 4.5 : pow((number + 0.0992968) / 1.0992968, 1 / 0.45)
    }
  }
}
