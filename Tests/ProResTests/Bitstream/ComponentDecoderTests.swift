import TestSupport
import Testing

@testable import ProRes

@Suite struct ComponentDecoderTests {
  /// The result of decoding a component.
  enum Outcome: Equatable {
    case decoded(padding: Int, coefficients: [Int32])
    case refused(ComponentDecoder.Failure)
  }

  static func outcome(_ bytes: [UInt8], _ range: Range<Int>, blocks: Int) -> Outcome {
    var reader = BitReader()
    reader.open(bytes.span.bytes, range)
    var coefficients = [Int32](repeating: 0, count: blocks * 64)
    do {
      let padding = try ComponentDecoder.decode(
        &reader, blocks: blocks, scan: ScanOrder.progressive, into: &coefficients)
      return .decoded(padding: padding, coefficients: coefficients)
    } catch {
      return .refused(error)
    }
  }

  /// A component of random levels: few and small, or many and large.
  static func component(blocks: Int, using random: inout SeededGenerator) -> [UInt8] {
    let largest = [1, 3, 40, 32_767].randomElement(using: &random) ?? 1
    let share = Double.random(in: 0...1, using: &random)
    let dc = (0..<blocks).map { _ in Int16.random(in: -16_000...16_000, using: &random) }
    let symbols: [UInt32] = (blocks..<blocks * 64).compactMap { position in
      guard Double.random(in: 0...1, using: &random) < share else { return nil }
      let level = UInt32.random(in: 1...UInt32(largest), using: &random)
      return UInt32(position) << 16 | (Bool.random(using: &random) ? 1 << 15 : 0) | level
    }
    return [UInt8](unsafeUninitializedCapacity: blocks * 64 * 9) { bytes, count in
      guard let start = bytes.baseAddress else { return }
      count = dc.withUnsafeBufferPointer { dc in
        symbols.withUnsafeBufferPointer { symbols in
          ReferenceCoder.code(dc: dc, symbols: symbols, into: start)
        }
      }
    }
  }

  static func damage(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
    case 1: bytes += [UInt8](repeating: 0, count: .random(in: 0...20, using: &random))
    case 2: bytes += [UInt8](repeating: 0xFF, count: .random(in: 1...20, using: &random))
    case 3: bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1
    case 4:
      let start = Int.random(in: 0..<bytes.count, using: &random)
      for index in start..<min(start + 7, bytes.count) { bytes[index] = 0 }
    default: bytes = bytes.map { _ in .random(in: 0...255, using: &random) }
    }
  }

  @Test(arguments: [1, 2, 4, 8, 16, 32])
  func valid_and_damaged_components_match_bitwise_decoding(blocks: Int) {
    var random = SeededGenerator(seed: UInt64(blocks))
    for round in 0..<60 {
      var bytes = Self.component(blocks: blocks, using: &random)
      if round % 4 != 0 { Self.damage(&bytes, using: &random) }
      // The bytes before and after do not belong to the component.
      let before = round % 9
      let all = [UInt8](repeating: 0xFF, count: before) + bytes + [0xFF, 0xFF]
      let plain = PlainComponentDecoder.outcome(bytes, blocks: blocks)
      #expect(
        Self.outcome(all, before..<before + bytes.count, blocks: blocks) == plain,
        "round \(round)")
      if round % 4 == 0 {
        guard case .decoded(let padding, _) = plain else {
          Issue.record("round \(round): the coder's output is refused: \(plain)")
          continue
        }
        #expect(padding < 8)
      }
    }
  }

  @Test func the_reader_returns_bits_and_zeros_past_their_end() {
    var random = SeededGenerator(seed: 5)
    var reader = BitReader()
    for size in [0, 1, 7, 8, 9, 63, 64, 65, 5000, 3] {
      let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
      let bits = bytes.flatMap { byte in (0..<8).map { Int(byte >> UInt8(7 - $0)) & 1 } }
      reader.open(bytes.span.bytes, 0..<size)
      #expect(reader.endOfOnes == (bits.lastIndex(of: 1) ?? -1) + 1)
      var position = 0
      while position < bits.count + 300 {
        let count = Int.random(in: 0...33, using: &random)
        let expected = (position..<position + count).reduce(0) {
          $0 << 1 | (bits.indices.contains($1) ? bits[$1] : 0)
        }
        #expect(reader.read(count) == expected)
        position += count
        #expect(reader.isExhausted == (position > bits.count))
      }
    }
  }

  /// The kernels refuse it too.
  @Test(arguments: [65_536, 65_537]) func the_first_level_is_bounded_like_the_others(level: Int) {
    let (code, length) = Codebook.firstDC.code(level * 2)
    let bits = UInt64(code) << UInt64(64 - Int(length))
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
    let outcome = Self.outcome(bytes, 0..<bytes.count, blocks: 1)
    #expect(outcome == PlainComponentDecoder.outcome(bytes, blocks: 1))
    #expect((outcome == .refused(.valueTooLarge)) == (level > 65_536))
  }
}
