import CXXHash

/// xxHash64 with seed 0, of bytes that come in pieces: what `xxhsum` prints.
public struct XXHash64: Sendable {
  private var state = XXH64_state_t()

  /// The state before the first byte, with seed 0.
  public init() { _ = XXH64_reset(&state, 0) }

  /// Adds bytes to the hash.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    _ = XXH64_update(&state, bytes.baseAddress, bytes.count)
  }

  /// Adds bytes to the hash.
  public mutating func update(_ bytes: some Sequence<UInt8>) {
    let isDone: Void? = bytes.withContiguousStorageIfAvailable {
      update(UnsafeRawBufferPointer($0))
    }
    if isDone == nil { Array(bytes).withUnsafeBytes { update($0) } }
  }

  /// The checksum of the bytes so far.
  public var digest: UInt64 {
    var copy = state
    return XXH64_digest(&copy)
  }

  /// The checksum of bytes that are all there.
  public static func digest(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    XXH64(bytes.baseAddress, bytes.count, 0)
  }

  /// A checksum as `xxhsum` writes it: sixteen digits.
  public static func text(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  // MARK: Splicing

  /// Bytes that are taken in at a time, eight for each lane.
  static let stripeSize = 32

  /// Where the hash stands after the last whole stripe.
  var lanes: SIMD4<UInt64> {
    var copy = state
    var values: [UInt64] = [0, 0, 0, 0]
    xxh64_get_lanes(&copy, &values)
    return SIMD4(values)
  }

  /// A hash that stands behind `length` bytes, whole stripes, with the given lanes.
  init(after length: UInt64, lanes: SIMD4<UInt64>) {
    xxh64_resume(&state, length, (0..<4).map { lanes[$0] })
  }

  /// The stripe that leads from one place to another.
  ///
  /// A lane takes its eight bytes in by `lane = rotl(lane + word * p2, 31) * p1`, modulo 2^64, with
  /// odd p1 and p2: one word takes a lane to any state. (xxHash is not cryptographic.)
  static func stripe(from lanes: SIMD4<UInt64>, to target: SIMD4<UInt64>) -> [UInt8] {
    let turned = target &* firstInverse
    let sum = turned &>> 31 | turned &<< 33
    let words = (sum &- lanes) &* secondInverse
    return (0..<4).flatMap { lane in
      (0..<8).map { UInt8(truncatingIfNeeded: words[lane] >> (8 * $0)) }
    }
  }

  /// Where the hash stood before a stripe that led it to `lanes`.
  static func lanes(before stripe: UnsafeRawBufferPointer, to lanes: SIMD4<UInt64>) -> SIMD4<UInt64>
  {
    var words = SIMD4<UInt64>()
    for lane in 0..<4 {
      words[lane] = UInt64(
        littleEndian: stripe.loadUnaligned(fromByteOffset: 8 * lane, as: UInt64.self))
    }
    let turned = lanes &* firstInverse
    return (turned &>> 31 | turned &<< 33) &- words &* second
  }

  /// Where the hash stands before the first byte.
  static let initialLanes = XXHash64().lanes
  private static let firstInverse = inverse(first)
  private static let secondInverse = inverse(second)

  /// PRIME64_1 and PRIME64_2 of the xxHash specification.
  private static let first: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let second: UInt64 = 0xC2B2_AE3D_27D4_EB4F

  /// What an odd number must be multiplied by to make 1, modulo 2^64 (Newton's iteration).
  private static func inverse(_ odd: UInt64) -> UInt64 {
    var inverse = odd
    for _ in 0..<5 { inverse = inverse &* (2 &- odd &* inverse) }
    return inverse
  }
}
