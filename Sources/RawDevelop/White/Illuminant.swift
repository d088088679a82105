import DNG

/// An illuminant under which a camera was calibrated.
struct Illuminant {
  /// EXIF's number of the light source.
  let number: Int
  /// The white point, if the file describes another light.
  let stated: WhitePoint?

  init(_ calibration: CameraProfile.Calibration) {
    number = calibration.illuminant
    stated = number == 255 ? calibration.illuminantData.flatMap(Self.white) : nil
  }

  /// The color temperature of the light; 0 if unknown.
  ///
  /// Fluorescent lights have the middle of the ranges in EXIF 2.3; the others are those of chapter 6 of the DNG
  /// specification.
  var temperature: Double {
    switch number {
    case 3, 17: 2850
    case 24: 3200
    case 23: 5000
    case 1, 4, 9, 18, 20: 5500
    case 10, 19, 21: 6500
    case 11, 22: 7500
    case 12: 6400
    case 13: 5050
    case 2, 14: 4150
    case 15: 3525
    case 16: 2925
    case 255: stated?.temperature ?? 0
    default: 0
    }
  }

  var white: WhitePoint {
    switch number {
    case 17: WhitePoint(x: 0.4476, y: 0.4074)
    case 20: .d55
    case 21: WhitePoint(x: 0.3127, y: 0.3290)
    case 22: WhitePoint(x: 0.2990, y: 0.3149)
    case 23: .d50
    default:
      stated ?? (temperature > 0 ? WhitePoint(temperature: temperature, tint: 0) : .d50)
    }
  }

  /// The white point in IlluminantData of form 0, two rationals. The tag has the file's byte order, which is
  /// recognized because a chromaticity is below 1.
  private static func white(_ bytes: [UInt8]) -> WhitePoint? {
    guard bytes.count >= 18 else { return nil }
    for isLittleEndian in [true, false] {
      func number(_ start: Int, _ size: Int) -> Double {
        let part = bytes[start..<start + size]
        return Double(
          (isLittleEndian ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) })
      }
      let (x, y) = (number(2, 4) / number(6, 4), number(10, 4) / number(14, 4))
      if number(0, 2) == 0, x > 0, y > 0, x + y <= 1 { return WhitePoint(x: x, y: y) }
    }
    return nil
  }
}
