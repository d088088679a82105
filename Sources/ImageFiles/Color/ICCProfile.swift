import DNG
import RawDevelop

/// Matrix-based ICC profiles with a parametric curve (ICC.1:2010, version 4.3).
enum ICCProfile {
  /// The profile of a color space.
  static func bytes(_ space: ImageColorSpace) -> [UInt8] {
    let chromaticities = Chromaticities(space.primaries)
    let matrix = chromaticities.toConnectionSpace
    let curve = curve(space.curve)
    let white = Chromaticities.xyz(Chromaticities.d50)
    let adaptation = Chromaticities.adaptation(
      from: chromaticities.white, to: Chromaticities.d50)
    func column(_ index: Int) -> [UInt8] {
      xyz((0..<3).map { matrix[$0, index] })
    }
    return assemble([
      ("desc", text(space.name)), ("cprt", text("No copyright, use freely")),
      ("wtpt", xyz(white)), ("chad", numbers("sf32", adaptation.elements)),
      ("rXYZ", column(0)), ("gXYZ", column(1)), ("bXYZ", column(2)),
      ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
    ])
  }

  /// A profile's header, tag table and tag data; equal data is stored once.
  private static func assemble(_ tags: [(name: String, data: [UInt8])]) -> [UInt8] {
    var table = big(UInt32(tags.count))
    var data: [UInt8] = []
    var places: [[UInt8]: Int] = [:]
    let start = 128 + 4 + 12 * tags.count
    for tag in tags {
      let place = places[tag.data] ?? start + data.count
      if places.updateValue(place, forKey: tag.data) == nil {
        data += tag.data + [UInt8](repeating: 0, count: (4 - tag.data.count % 4) % 4)
      }
      table += Array(tag.name.utf8) + big(UInt32(place)) + big(UInt32(tag.data.count))
    }
    var header = big(UInt32(start + data.count)) + [0, 0, 0, 0] + big(0x0430_0000 as UInt32)
    header += Array("mntrRGB XYZ ".utf8)
    // A fixed date, 2020-01-01, so that the same image always gives the same bytes.
    for part in [2020, 1, 1, 0, 0, 0] as [UInt16] { header += big(part) }
    header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
    for value in Chromaticities.xyz(Chromaticities.d50) { header += fixed(value) }
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return header + table + data
  }

  private static func curve(_ curve: TransferCurve) -> [UInt8] {
    let (kind, values): (UInt16, [Double]) =
      switch curve {
      case .linear: (0, [1])
      case .gamma18: (0, [1.8])
      case .gamma22: (0, [2.19921875])
      case .sRGB: (3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
      case .rec709:
        (3, [1 / 0.45, 1 / 1.0992968, 0.0992968 / 1.0992968, 1 / 4.5, 0.081242857])
      }
    return Array("para".utf8) + [0, 0, 0, 0] + big(kind) + [0, 0] + values.flatMap(fixed)
  }

  private static func text(_ text: String) -> [UInt8] {
    let characters = text.utf16.flatMap(big)
    return Array("mluc".utf8) + [0, 0, 0, 0] + big(1 as UInt32) + big(12 as UInt32)
      + Array("enUS".utf8) + big(UInt32(characters.count)) + big(28 as UInt32) + characters
  }

  private static func xyz(_ values: [Double]) -> [UInt8] { numbers("XYZ ", values) }

  private static func numbers(_ type: String, _ values: [Double]) -> [UInt8] {
    Array(type.utf8) + [0, 0, 0, 0] + values.flatMap(fixed)
  }

  /// A number in ICC's s15Fixed16.
  private static func fixed(_ value: Double) -> [UInt8] {
    big(UInt32(bitPattern: Int32((value * 65_536).rounded())))
  }

  private static func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}

extension ImageColorSpace {
  /// The name in profiles and messages.
  var name: String {
    let primaries =
      switch primaries {
      case .sRGB: "sRGB"
      case .adobeRGB: "Adobe RGB (1998)"
      case .displayP3: "Display P3"
      case .rec2020: "Rec. 2020"
      case .proPhoto: "ROMM RGB"
      }
    if self == ImageColorSpace(primaries: .proPhoto, curve: .gamma18) { return primaries }
    switch (self, curve) {
    case (.sRGB, _), (.displayP3, _), (.adobeRGB, _), (.rec2020, _): return primaries
    case (_, .linear): return "Linear \(primaries)"
    case (_, .sRGB): return "\(primaries), sRGB curve"
    case (_, .gamma18): return "\(primaries), gamma 1.8"
    case (_, .gamma22): return "\(primaries), gamma 2.2"
    case (_, .rec709): return "\(primaries), BT.709 curve"
    }
  }
}
