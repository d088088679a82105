import DNG
import Glibc
import RawDevelop

extension ICCProfile {
  /// The color space that a profile describes; nil if it is not one of the known spaces.
  ///
  /// A gray profile has no primaries, which gray images do not need.
  static func space(of profile: [UInt8]) -> ImageColorSpace? {
    let tags = Tags(profile)
    guard let kind = tags.part(16, 4) else { return nil }
    if kind.elementsEqual("GRAY".utf8) {
      return tags.curve("kTRC").map { ImageColorSpace(primaries: .sRGB, curve: $0) }
    }
    guard kind.elementsEqual("RGB ".utf8), tags["A2B0"] == nil,
      let red = tags.xyz("rXYZ"), let green = tags.xyz("gXYZ"), let blue = tags.xyz("bXYZ"),
      let curve = tags.curve("rTRC"), tags.curve("gTRC") == curve, tags.curve("bTRC") == curve
    else { return nil }
    let primaries = ColorPrimaries.allCases.first { primaries in
      let matrix = Chromaticities(primaries).toConnectionSpace
      return [red, green, blue].enumerated().allSatisfy { column, values in
        (0..<3).allSatisfy { abs(values[$0] - matrix[$0, column]) < 0.004 }
      }
    }
    return primaries.map { ImageColorSpace(primaries: $0, curve: curve) }
  }

  /// A profile's tags by signature.
  private struct Tags {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func part(_ offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
      guard offset >= 0, count >= 0, offset + count <= bytes.count else { return nil }
      return bytes[offset..<offset + count]
    }

    func number(_ offset: Int, size: Int = 4) -> Int? {
      part(offset, size)?.reduce(0) { $0 << 8 | Int($1) }
    }

    private func fixed(_ offset: Int) -> Double? {
      number(offset).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
    }

    /// The offset of a tag's data.
    subscript(name: String) -> Int? {
      guard let count = number(128), count <= 256 else { return nil }
      let place = (0..<count).map { 132 + 12 * $0 }
        .first { part($0, 4)?.elementsEqual(name.utf8) == true }
      return place.flatMap { number($0 + 4) }
    }

    func xyz(_ name: String) -> [Double]? {
      guard let place = self[name] else { return nil }
      let values = (0..<3).compactMap { fixed(place + 8 + 4 * $0) }
      return values.count == 3 ? values : nil
    }

    /// The known curve closest to a tag's curve, if the difference is negligible.
    func curve(_ name: String) -> TransferCurve? {
      guard let light = self[name].flatMap(function) else { return nil }
      let places = (0...20).map { Double($0) / 20 }
      let errors = TransferCurve.allCases.map { curve in
        (curve, places.map { abs(curve.decode($0) - light($0)) }.max() ?? 1)
      }
      guard let nearest = errors.min(by: { $0.1 < $1.1 }), nearest.1 < 0.004 else { return nil }
      return nearest.0
    }

    /// The function that a curve's data define on 0 to 1.
    private func function(at place: Int) -> ((Double) -> Double)? {
      guard let kind = part(place, 4) else { return nil }
      if kind.elementsEqual("curv".utf8) {
        guard let count = number(place + 8), count <= 65_536 else { return nil }
        if count == 0 { return { $0 } }
        let table = (0..<count).compactMap { number(place + 12 + 2 * $0, size: 2) }.map(Double.init)
        guard table.count == count else { return nil }
        if count == 1 { return { pow(max($0, 0), table[0] / 256) } }
        return { number in
          let place = number * Double(count - 1)
          let index = min(Int(place), count - 2)
          let part = place - Double(index)
          return (table[index] * (1 - part) + table[index + 1] * part) / 65_535
        }
      }
      guard kind.elementsEqual("para".utf8), let form = number(place + 8, size: 2), form <= 4
      else { return nil }
      let values = (0..<[1, 3, 4, 5, 7][form]).compactMap { fixed(place + 12 + 4 * $0) }
      guard values.count == [1, 3, 4, 5, 7][form] else { return nil }
      return ParametricCurve(form: form, values: values).callAsFunction
    }
  }
}

/// ICC's parametric curves (ICC.1:2010, 10.16).
private struct ParametricCurve {
  let form: Int
  let values: [Double]

  func callAsFunction(_ number: Double) -> Double {
    func power(_ base: Double) -> Double { pow(max(base, 0), values[0]) }
    switch form {
    case 0: return power(number)
    case 1: return number >= -values[2] / values[1] ? power(values[1] * number + values[2]) : 0
    case 2:
      return (number >= -values[2] / values[1] ? power(values[1] * number + values[2]) : 0)
        + values[3]
    case 3:
      return number >= values[4]
        ? power(values[1] * number + values[2]) : values[3] * number
    default:
      return number >= values[4]
        ? power(values[1] * number + values[2]) + values[5] : values[3] * number + values[6]
    }
  }
}
