// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import RawDevelop

/// A named color space.
public final class CGColorSpace: Sendable, Equatable {
  /// The name under which it was requested.
  public let name: CFString?
  /// The corresponding color space of the developer.
  public let space: ImageColorSpace
  /// True for a space with one component.
  let isGray: Bool

  /// A color space supported by the developer; nil for an unknown name.
  public init?(name: CFString) {
    isGray = Self.grays[name] != nil
    guard let space = Self.spaces[name] ?? Self.grays[name] else { return nil }
    self.name = name
    self.space = space
  }

  /// One of the developer's color spaces.
  public init(_ space: ImageColorSpace) {
    name = Self.spaces.filter { $0.value == space }.keys.min()
    self.space = space
    isGray = false
  }

  /// The number of components: 3, or 1 for grays.
  public var numberOfComponents: Int { isGray ? 1 : 3 }
  /// The color model.
  public var model: CGColorSpaceModel { isGray ? .monochrome : .rgb }

  /// IEC 61966-2-1.
  public static let sRGB = "kCGColorSpaceSRGB"
  /// sRGB with values beyond 0 and 1 for float samples.
  public static let extendedSRGB = "kCGColorSpaceExtendedSRGB"
  /// Linear light with sRGB primaries.
  public static let linearSRGB = "kCGColorSpaceLinearSRGB"
  /// Linear light with sRGB primaries and values beyond 0 and 1 for float samples.
  public static let extendedLinearSRGB = "kCGColorSpaceExtendedLinearSRGB"
  /// Apple's Display P3.
  public static let displayP3 = "kCGColorSpaceDisplayP3"
  /// Display P3 with values beyond 0 and 1 for float samples.
  public static let extendedDisplayP3 = "kCGColorSpaceExtendedDisplayP3"
  /// Linear light with Display P3 primaries.
  public static let linearDisplayP3 = "kCGColorSpaceLinearDisplayP3"
  /// Linear light with Display P3 primaries and values beyond 0 and 1 for float samples.
  public static let extendedLinearDisplayP3 = "kCGColorSpaceExtendedLinearDisplayP3"
  /// Adobe RGB (1998).
  public static let adobeRGB1998 = "kCGColorSpaceAdobeRGB1998"
  /// ITU-R BT.709.
  public static let itur_709 = "kCGColorSpaceITUR_709"
  /// ITU-R BT.2020.
  public static let itur_2020 = "kCGColorSpaceITUR_2020"
  /// BT.2020 with values beyond 0 and 1 for float samples.
  public static let extendedITUR_2020 = "kCGColorSpaceExtendedITUR_2020"
  /// Linear light with BT.2020 primaries.
  public static let linearITUR_2020 = "kCGColorSpaceLinearITUR_2020"
  /// Linear light with BT.2020 primaries and values beyond 0 and 1 for float samples.
  public static let extendedLinearITUR_2020 = "kCGColorSpaceExtendedLinearITUR_2020"

  /// Grays with a gamma of 2.2.
  public static let genericGrayGamma2_2 = "kCGColorSpaceGenericGrayGamma2_2"
  /// Grays in linear light.
  public static let linearGray = "kCGColorSpaceLinearGray"

  private static let grays: [String: ImageColorSpace] = [
    genericGrayGamma2_2: ImageColorSpace(primaries: .sRGB, curve: .gamma22),
    linearGray: .linearSRGB, deviceGray: .sRGB,
  ]
  fileprivate static let deviceGray = "kCGColorSpaceDeviceGray"

  private static let spaces: [String: ImageColorSpace] = [
    sRGB: .sRGB, extendedSRGB: .sRGB, linearSRGB: .linearSRGB, extendedLinearSRGB: .linearSRGB,
    displayP3: .displayP3, extendedDisplayP3: .displayP3, linearDisplayP3: .linearDisplayP3,
    extendedLinearDisplayP3: .linearDisplayP3, adobeRGB1998: .adobeRGB, itur_2020: .rec2020,
    extendedITUR_2020: .rec2020, linearITUR_2020: .linearRec2020,
    extendedLinearITUR_2020: .linearRec2020,
    itur_709: ImageColorSpace(primaries: .sRGB, curve: .rec709),
  ]

  public static func == (lhs: CGColorSpace, rhs: CGColorSpace) -> Bool {
    lhs.space == rhs.space && lhs.isGray == rhs.isGray
  }
}

/// The color space of an unknown device: sRGB.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace(.sRGB) }

/// The gray space of an unknown device: with sRGB's transfer curve.
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace {
  CGColorSpace(name: CGColorSpace.deviceGray) ?? CGColorSpaceCreateDeviceRGB()
}

/// The color model, with Apple's numbers.
public enum CGColorSpaceModel: Int32, Sendable, Hashable {
  case unknown = -1
  case monochrome = 0
  case rgb = 1
  case cmyk = 2
  case lab = 3
  case deviceN = 4
  case indexed = 5
  case pattern = 6
  case XYZ = 7
}
