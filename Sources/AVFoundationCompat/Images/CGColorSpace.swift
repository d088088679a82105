// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import RawDevelop

/// A space of colors by its name.
public final class CGColorSpace: Sendable, Equatable {
  /// The name that it was asked for by.
  public let name: CFString?
  /// What it is here.
  public let space: PictureColorSpace

  /// A space that the developer has; nil for a name that it does not know.
  public init?(name: CFString) {
    guard let space = Self.spaces[name] else { return nil }
    self.name = name
    self.space = space
  }

  /// A space of the developer's.
  public init(_ space: PictureColorSpace) {
    name = Self.spaces.filter { $0.value == space }.keys.min()
    self.space = space
  }

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

  private static let spaces: [String: PictureColorSpace] = [
    sRGB: .sRGB, extendedSRGB: .sRGB, linearSRGB: .linearSRGB, extendedLinearSRGB: .linearSRGB,
    displayP3: .displayP3, extendedDisplayP3: .displayP3, linearDisplayP3: .linearDisplayP3,
    extendedLinearDisplayP3: .linearDisplayP3, adobeRGB1998: .adobeRGB, itur_2020: .rec2020,
    extendedITUR_2020: .rec2020, linearITUR_2020: .linearRec2020,
    extendedLinearITUR_2020: .linearRec2020,
    itur_709: PictureColorSpace(primaries: .sRGB, curve: .rec709),
  ]

  public static func == (lhs: CGColorSpace, rhs: CGColorSpace) -> Bool { lhs.space == rhs.space }
}

/// The space of a device that nothing is known of: sRGB.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace(.sRGB) }
