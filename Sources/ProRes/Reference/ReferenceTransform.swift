import CProResKernels

/// The forward transform of RDD 36's 8x8 DCT, in the fixed-point arithmetic that all kernels share.
///
/// Samples are sixteenths of a 10-bit step; a row pass halves, a column pass keeps the orthonormal
/// scale, so a coefficient is eight times the orthonormal one of 10-bit samples and fits 16 bits.
enum ReferenceTransform {
  /// cos(k pi / 16) times 16384; row 0 of the basis is 4, the square root of a half.
  private static let rowBasis: [Int] = [11585, 16069, 15137, 13623, 11585, 9102, 6270, 3196]
  private static let columnBasis: [Int] = [
    23170, 32138, 30274, 27246, 23170, 18205, 12540, 6393,
  ]

  /// Which multiple of pi / 16 a basis function has at a sample, and its sign.
  private static func weight(_ frequency: Int, _ sample: Int, _ basis: [Int]) -> Int {
    if frequency == 0 { return basis[4] }
    // cos(angle) for the angle (2 sample + 1) frequency in units of pi / 16.
    let angle = (2 * sample + 1) * frequency % 32
    let folded = angle > 16 ? 32 - angle : angle
    if folded == 8 { return 0 }
    return folded < 8 ? basis[folded] : -basis[16 - folded]
  }

  static func transform(
    _ samples: UnsafePointer<Int16>, _ arrangement: prores_arrangement,
    into coefficients: UnsafeMutablePointer<Int16>
  ) {
    for lane in 0..<PRORES_LANES {
      let start = offset(ofLane: lane, arrangement)
      let block = transform { x, y in
        Int(samples[start + y * PRORES_SAMPLE_STRIDE + x])
      }
      for position in 0..<64 {
        coefficients[position * PRORES_LANES + lane] = Int16(block[position])
      }
    }
  }

  /// One block: rows, then columns.
  private static func transform(_ sample: (Int, Int) -> Int) -> [Int] {
    var rows = [Int](repeating: 0, count: 64)
    for y in 0..<8 {
      for u in 0..<8 {
        var sum = 0
        for x in 0..<8 { sum += sample(x, y) * weight(u, x, rowBasis) }
        rows[y * 8 + u] = sum >> 16
      }
    }
    var block = [Int](repeating: 0, count: 64)
    for u in 0..<8 {
      for v in 0..<8 {
        // Row sums lost half a unit each; in the first column frequency that adds up.
        var sum = v == 0 ? 32768 + 92682 : 32768
        for y in 0..<8 { sum += rows[y * 8 + u] * weight(v, y, columnBasis) }
        block[v * 8 + u] = sum >> 16
      }
    }
    return block
  }

  /// Where a lane's block begins in its sample plane.
  private static func offset(ofLane lane: Int, _ arrangement: prores_arrangement) -> Int {
    let stride = PRORES_SAMPLE_STRIDE
    let margin = PRORES_SAMPLE_MARGIN
    switch arrangement {
    case PRORES_ARRANGEMENT_CHROMA_422:
      let component = lane / 16 * PRORES_CHROMA_OFFSET
      return margin + component + lane % 16 / 2 * 8 + lane % 2 * 8 * stride
    case PRORES_ARRANGEMENT_CHROMA_444:
      return margin + lane / 4 * 16 + lane % 4 / 2 * 8 + lane % 2 * 8 * stride
    default:
      return margin + lane / 4 * 16 + lane % 2 * 8 + lane % 4 / 2 * 8 * stride
    }
  }
}
