import Foundation
import TIFF

extension ImageProperty {
  /// How a file stores a number.
  enum Stored: Sendable {
    case short
    case long
    case rational
    case signedRational
    case byte
  }

  /// The numeric EXIF tags that may be copied to another image's file.
  static let exifTypes: [UInt16: Stored] = {
    var types: [UInt16: Stored] = [:]
    for tag: UInt16 in [
      0x8822, 0x8830, 0x9207, 0x9208, 0x9209, 0xA217, 0xA402, 0xA403, 0xA405, 0xA406, 0xA407,
      0xA40C, 0xA460,
    ] { types[tag] = .short }
    for tag: UInt16 in [0x8831, 0x8832, 0x8833, 0x8834, 0x8835] { types[tag] = .long }
    for tag: UInt16 in [0x9202, 0x9205, 0x9206, 0xA20B, 0xA215, 0xA404, 0xA432] {
      types[tag] = .rational
    }
    for tag: UInt16 in [0x9201, 0x9203] { types[tag] = .signedRational }
    for tag: UInt16 in [0xA300, 0xA301] { types[tag] = .byte }
    return types
  }()

  /// The numeric GPS tags.
  static let gpsTypes: [UInt16: Stored] = Dictionary(
    uniqueKeysWithValues: [11, 13, 15, 17, 24, 26, 31].map { ($0, .rational) })

  /// Converts an Image I/O value to a TIFF value; nil if it has the wrong type or is not written.
  ///
  /// - Parameter types: The stored type of each numeric tag.
  func written(_ value: Any, _ types: [UInt16: Stored]) -> TIFFValue? {
    switch form {
    case .text:
      // These EXIF strings describe the source's own pixels.
      guard ![0x8824, 0xA420].contains(tag.rawValue) else { return nil }
      return (value as? String).map { .ascii($0) }
    case .comment:
      guard let text = value as? String else { return nil }
      let isPlain = text.utf8.allSatisfy { $0 < 128 }
      return .undefined(
        isPlain
          ? Array("ASCII\0\0\0".utf8) + Array(text.utf8)
          : Array("UNICODE\0".utf8)
            + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
    case .number, .numbers:
      guard let stored = types[tag.rawValue], let numbers = Self.numbers(value), !numbers.isEmpty,
        form == .numbers || numbers.count == 1
      else { return nil }
      return Self.stored(numbers, stored)
    case .degrees:
      guard let degrees = Self.numbers(value)?.first, degrees >= 0, degrees <= 180 else {
        return nil
      }
      let minutes = degrees.truncatingRemainder(dividingBy: 1) * 60
      return .rationals(
        [
          degrees.rounded(.down), minutes.rounded(.down),
          minutes.truncatingRemainder(dividingBy: 1) * 60,
        ].map(TIFFValue.Rational.init))
    case .time:
      let parts = (value as? String)?.split(separator: ":").compactMap { Double($0) } ?? []
      guard parts.count == 3, parts.allSatisfy({ (0..<61).contains($0) }) else { return nil }
      return .rationals(parts.map(TIFFValue.Rational.init))
    case .digits, .bytes: return nil
    }
  }

  private static func stored(_ numbers: [Double], _ type: Stored) -> TIFFValue? {
    func whole<Number: FixedWidthInteger>(_ make: ([Number]) -> TIFFValue) -> TIFFValue? {
      let values = numbers.compactMap { Number(exactly: $0.rounded()) }
      return values.count == numbers.count ? make(values) : nil
    }
    return switch type {
    case .short: whole { .shorts($0) }
    case .long: whole { .longs($0) }
    case .byte: whole { .undefined($0) }
    case .rational:
      numbers.allSatisfy { $0 >= 0 } ? .rationals(numbers.map(TIFFValue.Rational.init)) : nil
    case .signedRational: .signedRationals(numbers.map(TIFFValue.SignedRational.init))
    }
  }

  /// The finite numbers of a value, which is a number or an array of numbers; nil for any other value.
  static func numbers(_ value: Any?) -> [Double]? {
    func number(_ value: Any) -> Double? {
      switch value {
      case let number as any BinaryInteger: Double(number)
      case let number as Double: number
      case let number as Float: Double(number)
      case let number as CGFloat: Double(number)
      case let number as NSNumber: number.doubleValue
      default: nil
      }
    }
    guard let value, !(value is Bool) else { return nil }
    let parts = value as? [Any] ?? [value]
    let numbers = parts.compactMap(number)
    return numbers.count == parts.count && numbers.allSatisfy(\.isFinite) ? numbers : nil
  }
}
