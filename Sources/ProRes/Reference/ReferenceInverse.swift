import CProResKernels

/// The inverse transform of RDD 36's 8x8 DCT, in the fixed-point arithmetic that all kernels share.
///
/// Levels times steps are quarters of a 10-bit step; columns bring them to sixteenths, in 16 bits,
/// rows to samples.
struct ReferenceInverse {
  /// cos(k pi / 16) times 16384.
  private static let basis: [Int] = [16384, 16069, 15137, 13623, 11585, 9102, 6270, 3196, 0]

  private let inversion: prores_inversion

  init(_ inversion: prores_inversion) { self.inversion = inversion }

  /// The basis function of a frequency at a sample; that of frequency 0 is the square root of a half.
  private static func weight(_ frequency: Int, _ sample: Int) -> Int {
    if frequency == 0 { return basis[4] }
    let angle = (2 * sample + 1) * frequency % 32
    let folded = angle > 16 ? 32 - angle : angle
    return folded <= 8 ? basis[folded] : -basis[16 - folded]
  }

  func run() {
    let isShared = inversion.second_levels != nil
    for lane in 0..<Int(PRORES_LANES) {
      guard let (levels, block) = source(of: lane, isShared), block < inversion.blocks else {
        continue
      }
      put(transform(levels, block), lane)
    }
  }

  private func source(
    of lane: Int, _ isShared: Bool
  ) -> (UnsafePointer<Int16>, block: Int)? {
    let half = Int(PRORES_LANES) / 2
    guard isShared, lane >= half else { return inversion.levels.map { ($0, lane) } }
    return inversion.second_levels.map { ($0, lane - half) }
  }

  /// Samples of one block.
  private func transform(_ levels: UnsafePointer<Int16>, _ block: Int) -> [UInt16] {
    let (steps, indices) = tables
    var coefficients = [Int](repeating: 0, count: 64)
    for position in 0..<64 where position % 8 < Int(inversion.columns) {
      let level = Int(levels[Int(indices[position]) * Int(inversion.blocks) + block])
      coefficients[position] = Int(Int16(truncatingIfNeeded: level * Int(steps[position])))
    }
    var middles = [Int](repeating: 0, count: 64)
    for u in 0..<8 {
      for y in 0..<8 {
        var sum = 1 << 12
        for v in 0..<8 { sum += coefficients[v * 8 + u] * Self.weight(v, y) }
        middles[y * 8 + u] = (Int(Int32(truncatingIfNeeded: sum)) >> 13).clamped(
          to: -32768...32767)
      }
    }
    let depth = Int(inversion.depth)
    let shift = 19 - (depth - 10)
    var samples = [UInt16](repeating: 0, count: 64)
    for y in 0..<8 {
      for x in 0..<8 {
        var sum = 1 << (shift - 1) + 1 << (depth - 1 + shift)
        for u in 0..<8 { sum += middles[y * 8 + u] * Self.weight(u, x) }
        samples[y * 8 + x] = UInt16(
          (Int(Int32(truncatingIfNeeded: sum)) >> shift).clamped(to: 4...(1 << depth) - 5))
      }
    }
    return samples
  }

  private var tables: (steps: [UInt16], indices: [UInt8]) {
    guard let dequantizer = inversion.dequantizer?.pointee else { return ([], []) }
    return (
      withUnsafeBytes(of: dequantizer.step) { Array($0.bindMemory(to: UInt16.self)) },
      withUnsafeBytes(of: dequantizer.index) { Array($0) }
    )
  }

  private func put(_ samples: [UInt16], _ lane: Int) {
    guard let target = target(of: lane) else { return }
    for y in 0..<8 {
      for x in 0..<8 { target[y * inversion.stride + x] = samples[y * 8 + x] }
    }
  }

  /// Where a lane's block goes: luma left to right first, chroma down first.
  private func target(of lane: Int) -> UnsafeMutablePointer<UInt16>? {
    let down = 8 * inversion.stride
    switch inversion.arrangement {
    case PRORES_ARRANGEMENT_CHROMA_422:
      let start = lane < 16 ? inversion.first : inversion.second
      return start.map { $0 + lane % 16 / 2 * 8 + lane % 2 * down }
    case PRORES_ARRANGEMENT_CHROMA_444:
      return inversion.first.map { $0 + lane / 4 * 16 + lane % 4 / 2 * 8 + lane % 2 * down }
    default:
      return inversion.first.map { $0 + lane / 4 * 16 + lane % 2 * 8 + lane % 4 / 2 * down }
    }
  }
}
