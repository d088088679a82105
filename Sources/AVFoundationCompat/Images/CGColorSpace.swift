// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import RawDevelop

/// A space of colors by its name.
public final class CGColorSpace: Sendable, Equatable {
  /// The name that it was asked for by.
  public let name: CFString?
  /// What it is here.
  public let space: PictureColorSpace
  /// True for a space of one number.
  let isGray: Bool

  /// A space that the developer has; nil for a name that it does not know.
  public init?(name: CFString) {
    isGray = Self.grays[name] != nil
    guard let space = Self.spaces[name] ?? Self.grays[name] else { return nil }
    self.name = name
    self.space = space
  }

  /// A space of the developer's.
  public init(_ space: PictureColorSpace) {
    name = Self.spaces.filter { $0.value == space }.keys.min()
    self.space = space
    isGray = false
  }

  /// How many numbers a color has: 3, or 1 for grays.
  public var numberOfComponents: Int { isGray ? 1 : 3 }
  /// What the numbers of a color are.
  public var model: CGColorSpaceModel { isGray ? .monochrome : .rgb }

  /// IEC 61966-2-1.
  public static let sRGB = "kCGColorSpaceSRGB"
  /// sRGB's numbers beyond 0 and 1, where samples are floats.
  public static let extendedSRGB = "kCGColorSpaceExtendedSRGB"
  /// Light of sRGB's primaries.
  public static let linearSRGB = "kCGColorSpaceLinearSRGB"
  /// Light of sRGB's primaries, beyond 0 and 1 too where samples are floats.
  public static let extendedLinearSRGB = "kCGColorSpaceExtendedLinearSRGB"
  /// Apple's Display P3.
  public static let displayP3 = "kCGColorSpaceDisplayP3"
  /// Display P3's numbers beyond 0 and 1, where samples are floats.
  public static let extendedDisplayP3 = "kCGColorSpaceExtendedDisplayP3"
  /// Light of Display P3's primaries.
  public static let linearDisplayP3 = "kCGColorSpaceLinearDisplayP3"
  /// Light of Display P3's primaries, beyond 0 and 1 too where samples are floats.
  public static let extendedLinearDisplayP3 = "kCGColorSpaceExtendedLinearDisplayP3"
  /// Adobe RGB (1998).
  public static let adobeRGB1998 = "kCGColorSpaceAdobeRGB1998"
  /// ITU-R BT.709.
  public static let itur_709 = "kCGColorSpaceITUR_709"
  /// ITU-R BT.2020.
  public static let itur_2020 = "kCGColorSpaceITUR_2020"
  /// BT.2020's numbers beyond 0 and 1, where samples are floats.
  public static let extendedITUR_2020 = "kCGColorSpaceExtendedITUR_2020"
  /// Light of BT.2020's primaries.
  public static let linearITUR_2020 = "kCGColorSpaceLinearITUR_2020"
  /// Light of BT.2020's primaries, beyond 0 and 1 too where samples are floats.
  public static let extendedLinearITUR_2020 = "kCGColorSpaceExtendedLinearITUR_2020"

  /// Grays with a power of 2.2.
  public static let genericGrayGamma2_2 = "kCGColorSpaceGenericGrayGamma2_2"
  /// Grays that are light.
  public static let linearGray = "kCGColorSpaceLinearGray"

  private static let grays: [String: PictureColorSpace] = [
    genericGrayGamma2_2: PictureColorSpace(primaries: .sRGB, curve: .gamma22),
    linearGray: .linearSRGB, deviceGray: .sRGB,
  ]
  fileprivate static let deviceGray = "kCGColorSpaceDeviceGray"

  private static let spaces: [String: PictureColorSpace] = [
    sRGB: .sRGB, extendedSRGB: .sRGB, linearSRGB: .linearSRGB, extendedLinearSRGB: .linearSRGB,
    displayP3: .displayP3, extendedDisplayP3: .displayP3, linearDisplayP3: .linearDisplayP3,
    extendedLinearDisplayP3: .linearDisplayP3, adobeRGB1998: .adobeRGB, itur_2020: .rec2020,
    extendedITUR_2020: .rec2020, linearITUR_2020: .linearRec2020,
    extendedLinearITUR_2020: .linearRec2020,
    itur_709: PictureColorSpace(primaries: .sRGB, curve: .rec709),
  ]

  public static func == (lhs: CGColorSpace, rhs: CGColorSpace) -> Bool {
    lhs.space == rhs.space && lhs.isGray == rhs.isGray
  }
}

/// The space of a device that nothing is known of: sRGB.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace(.sRGB) }

/// The space of grays that nothing is known of: with sRGB's curve.
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace {
  CGColorSpace(name: CGColorSpace.deviceGray) ?? CGColorSpaceCreateDeviceRGB()
}

/// What the numbers of a color are, with Apple's numbers.
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
