import Glibc
package import RawDevelop

/// The color space of a file's values, with any guesses made about it.
struct ImageFileColor {
  var space = ImageColorSpace.sRGB
  /// ``ImageDynamicRange/pq`` and ``ImageDynamicRange/hlg`` for values to be converted to light.
  var range = ImageDynamicRange.standard
  var note: String?

  /// The color space from a file's profile, its code points, or else sRGB.
  init(profile: [UInt8]?, codePoints: [Int]?) {
    let points = codePoints.flatMap { $0.count == 3 ? $0 : nil }
    if let points, let range = Self.ranges[points[1]] {
      // No known profile has one of BT.2100's curves.
      (self.range, space.curve) = (range, .linear)
      takePrimaries(points[0])
      note = note ?? "\(range.rawValue) became floating-point linear light, where 1 is 203 nits"
      return
    }
    if let profile {
      if let known = ICCProfile.space(of: profile) {
        space = known
      } else {
        note =
          "the profile \"\(ICCProfile.name(of: profile) ?? "unnamed")\" is unknown: values are "
          + "treated as sRGB"
      }
      return
    }
    guard let points else { return }
    takePrimaries(points[0])
    switch points[1] {
    case 13, 2: space.curve = .sRGB
    case 1, 6, 14, 15: space.curve = .rec709
    case 8: space.curve = .linear
    case 4: space.curve = .gamma22
    default: note = "transfer function \(points[1]) is unknown: values are treated as sRGB"
    }
  }

  /// The color space from an encoding gamma and the chromaticities of white, red, green and blue, as PNG files
  /// state them; sRGB if neither is given.
  init(gamma: Double?, chromaticities: [SIMD2<Double>]) {
    if let gamma {
      switch gamma {
      // sRGB's curve as PNG files approximate it.
      case 0.45...0.46: space.curve = .sRGB
      case 0.99...1.01: space.curve = .linear
      case 0.55...0.56: space.curve = .gamma18
      default: add(note: "the gamma \(gamma) is unknown: values are treated as sRGB")
      }
    }
    guard chromaticities.count == 4 else { return }
    let known = ColorPrimaries.allCases.first { primaries in
      let places = Chromaticities(primaries)
      let wanted = [places.white, places.red, places.green, places.blue]
      return zip(chromaticities, wanted).allSatisfy {
        abs($0.x - $1.x) < 0.002 && abs($0.y - $1.y) < 0.002
      }
    }
    if let known {
      space.primaries = known
    } else {
      add(note: "the primaries are unknown: BT.709 is assumed")
    }
  }

  /// Appends to the note.
  mutating func add(note more: String) { note = note.map { "\($0); \(more)" } ?? more }

  private static let ranges: [Int: ImageDynamicRange] = [16: .pq, 18: .hlg]

  private mutating func takePrimaries(_ number: Int) {
    switch number {
    case 1, 2: space.primaries = .sRGB
    case 9: space.primaries = .rec2020
    case 12: space.primaries = .displayP3
    default:
      note = "primaries \(number) are unknown: BT.709 is assumed"
    }
  }

  /// The image made of a decoder's samples.
  func decoded(_ samples: ImageSamples) -> DecodedImage {
    var decoded = samples.decoded(space)
    if let note { decoded.notes.append(note) }
    guard range != .standard else { return decoded }
    let light = HighRangeLight(range)
    decoded.image = light.applied(to: decoded.image)
    decoded.opacity = decoded.opacity.map { .float($0.numbers) }
    return decoded
  }
}

/// BT.2100 values as light with white at 1: the inverse of ``HighRangeCurve``.
struct HighRangeLight {
  private let range: ImageDynamicRange

  init(_ range: ImageDynamicRange) { self.range = range }

  func applied(to image: RenderedImage) -> RenderedImage {
    let curve = CurveTable(range == .pq ? Self.pq : Self.hlg)
    var pixels = image.samples.numbers.map { curve[$0] }
    if range == .hlg {
      // A 1000-nit display has a system gamma of 1.2, applied to scene luminance.
      for place in stride(from: 0, to: pixels.count - 2, by: 3) {
        let brightness =
          0.2627 * pixels[place] + 0.6780 * pixels[place + 1] + 0.0593 * pixels[place + 2]
        let gain = Self.gain[brightness]
        for index in 0..<3 { pixels[place + index] *= gain }
      }
    }
    return RenderedImage(
      width: image.width, height: image.height, samples: .float(pixels),
      colorSpace: image.colorSpace)
  }

  private static let gain = CurveTable {
    pow($0, 0.2) * HighRangeCurve.hlgPeak / HighRangeCurve.whiteNits
  }

  /// The light of PQ values (BT.2100 table 4).
  private static let pq: @Sendable (Double) -> Double = { number in
    let power = pow(number, 32.0 / 2523)
    let light = max(power - 3424.0 / 4096, 0) / (2413.0 / 128 - 2392.0 / 128 * power)
    return pow(light, 16_384.0 / 2610) * HighRangeCurve.pqPeak / HighRangeCurve.whiteNits
  }

  /// The scene light, 0 to 1, of HLG values (BT.2100 table 5).
  private static let hlg: @Sendable (Double) -> Double = { number in
    let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
    return number <= 0.5 ? number * number / 3 : (exp((number - c) / a) + b) / 12
  }
}

extension RenderedImage.Samples {
  /// The samples as floats, with white at 1.
  package var numbers: [Float] {
    switch self {
    case .uint8(let values): values.map { Float($0) / 255 }
    case .uint16(let values): values.map { Float($0) / 65_535 }
    case .half(let values): values.map(RenderedImage.number(half:))
    case .float(let values): values
    }
  }
}
