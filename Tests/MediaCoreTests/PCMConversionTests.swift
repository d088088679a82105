import TestSupport
import Testing

@testable import MediaCore

/// Samples converted to other bit depths and to floats.
@Suite struct PCMConversionTests {
  private func converted(
    _ bytes: [UInt8], _ from: AudioFormat.SampleFormat, _ to: AudioFormat.SampleFormat
  ) -> [UInt8] {
    var result: [UInt8] = []
    PCMConversion.convert(bytes[...], from: from, to: to, into: &result)
    return result
  }

  private func codes(of floats: [Float]) -> [Int32] {
    let bytes = converted(floats.flatMap { Self.bytes($0.bitPattern) }, .float32, .int32)
    return bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 4).map {
        Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int32.self))
      }
    }
  }

  private static func bytes(_ word: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) }
  }

  @Test(arguments: [AudioFormat.SampleFormat.int16, .int24])
  func integer_samples_survive_conversion_to_float_and_back(depth: AudioFormat.SampleFormat) {
    var random = SeededGenerator(seed: 7)
    var bytes = (0..<3000 * depth.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
    // The minimum, the maximum, and zero.
    let least: [UInt8] = Array(repeating: 0, count: depth.byteCount - 1) + [0x80]
    let greatest: [UInt8] = Array(repeating: 0xFF, count: depth.byteCount - 1) + [0x7F]
    bytes += least + greatest + Array(repeating: 0, count: depth.byteCount)
    #expect(converted(converted(bytes, depth, .float32), .float32, depth) == bytes)
  }

  @Test func float_full_scale_is_one_and_larger_values_are_clipped() {
    let floats: [Float] = [
      0, 0.5, -0.5, -1, 1, 7, -7, .infinity, -.infinity, .nan, .leastNonzeroMagnitude,
    ]
    let half: Int32 = 1 << 30
    let wanted: [Int32] = [0, half, -half, .min, .max, .max, .min, .max, .min, 0, 0]
    #expect(codes(of: floats) == wanted)
  }

  @Test func floats_are_rounded_to_the_nearest_code() {
    var random = SeededGenerator(seed: 11)
    let floats = (0..<1000).map { _ in Float.random(in: -1...1, using: &random) }
    let bytes = converted(floats.flatMap { Self.bytes($0.bitPattern) }, .float32, .int16)
    for (index, sample) in floats.enumerated() {
      let code = Int16(bitPattern: UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8)
      let exact = Double(sample) * 32_768
      #expect(abs(Double(code) - exact) <= 0.5 || exact > 32_767)
    }
  }
}
