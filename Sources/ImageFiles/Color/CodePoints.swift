import RawDevelop

/// Code points of ITU-T H.273, as in nclx boxes and PNG's cICP chunk.
struct CodePoints: Hashable, Sendable {
  let primaries: Int
  let transfer: Int
  /// The matrix coefficients: how luma is computed from red, green and blue.
  let matrix: Int

  static let unspecified = 2

  /// True if the code points describe the color space fully.
  var isWhole: Bool { primaries != Self.unspecified && transfer != Self.unspecified }

  init(_ space: ImageColorSpace, _ range: ImageDynamicRange) {
    switch range {
    case .pq: (primaries, transfer, matrix) = (9, 16, 9)
    case .hlg: (primaries, transfer, matrix) = (9, 18, 9)
    case .standard:
      primaries =
        switch space.primaries {
        case .sRGB: 1
        case .displayP3: 12
        case .rec2020: 9
        case .adobeRGB, .proPhoto: Self.unspecified
        }
      transfer =
        switch space.curve {
        case .linear: 8
        case .sRGB: 13
        case .rec709: space.primaries == .rec2020 ? 14 : 1
        case .gamma18, .gamma22: Self.unspecified
        }
      // JFIF, and phones in their HEIC files, use 6 for every space except BT.2020, which has its own matrix.
      matrix = space.primaries == .rec2020 ? 9 : 6
    }
  }

  /// The weights of red and blue in luma.
  var lumaWeights: (red: Float, blue: Float) {
    matrix == 9 ? (0.2627, 0.0593) : (0.299, 0.114)
  }
}
