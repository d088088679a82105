import MediaCore
import TestSupport
import Testing

@testable import DNG

@Suite struct LosslessJPEGTests {
  static let kinds = ["noise", "smooth", "extremes", "constant", "ladder"]

  /// Samples of a kind, the same ones for the same seed.
  static func samples(_ kind: String, _ count: Int, precision: Int, seed: UInt64) -> [UInt16] {
    var random = SeededGenerator(seed: seed)
    let greatest = (1 << precision) - 1
    return (0..<count).map { index in
      switch kind {
      case "noise": UInt16(Int.random(in: 0...greatest, using: &random))
      case "smooth":
        UInt16(min(max(greatest / 2 + Int.random(in: -9...9, using: &random), 0), greatest))
      case "extremes": Bool.random(using: &random) ? 0 : UInt16(greatest)
      case "ladder": UInt16(truncatingIfNeeded: (1 << (index % (precision + 1))) - 1)
      default: UInt16(greatest / 3)
      }
    }
  }

  @Test(arguments: kinds, [2, 8, 10, 12, 14, 16])
  func lossless_jpeg_survives_a_round_trip(kind: String, precision: Int) throws {
    let encoder = LosslessJPEGEncoder()
    for components in 1...4 {
      for (columns, rows) in [(1, 1), (3, 5), (37, 11), (64, 64)] {
        let stride = columns * components + 3
        let source = Self.samples(
          kind, stride * rows, precision: precision, seed: UInt64(columns * 7 + components))
        let file = try encoder.encode(
          source.span,
          .init(
            columns: columns, rows: rows, components: components, precision: precision,
            stride: stride))
        let decoded = try LosslessJPEGDecoder.decode(file[...], sampleLimit: 1 << 20)
        #expect(decoded.precision == precision && decoded.components == components)
        let expected = (0..<rows).flatMap { row in
          source[row * stride..<row * stride + columns * components]
        }
        #expect(decoded.samples == expected)
      }
    }
  }

  @Test func samples_are_placed_only_in_a_target_of_their_shape() throws {
    let source = Self.samples("noise", 2 * 9 * 7, precision: 12, seed: 5)
    let file = try LosslessJPEGEncoder().encode(
      source.span, .init(columns: 9, rows: 7, components: 2, precision: 12, stride: 18))
    let (stride, mark) = (25, UInt16(0xABCD))
    for (rowLength, rows) in [(18, 7), (9, 14), (18, 6)] {
      var target = [UInt16](repeating: mark, count: stride * 14)
      let decoded = try target.withUnsafeMutableBufferPointer { target in
        try LosslessJPEGDecoder.decode(
          file[...], sampleLimit: 126,
          into: target.baseAddress.map {
            .init(start: $0, rowLength: rowLength, rows: rows, stride: stride)
          })
      }
      guard (rowLength, rows) == (18, 7) else {
        #expect(!decoded.isPlaced && decoded.samples == source)
        #expect(target.allSatisfy { $0 == mark })
        continue
      }
      #expect(decoded.isPlaced && decoded.samples.isEmpty)
      for row in 0..<14 {
        let line = target[row * stride..<(row + 1) * stride]
        let expected = row < 7 ? Array(source[row * 18..<(row + 1) * 18]) : []
        #expect(
          Array(line) == expected + [UInt16](repeating: mark, count: stride - expected.count))
      }
    }
  }

  @Test func a_truncated_scan_is_an_error_at_every_length() throws {
    let source = Self.samples("noise", 400, precision: 12, seed: 3)
    let file = try LosslessJPEGEncoder().encode(
      source.span, .init(columns: 20, rows: 20, components: 1, precision: 12, stride: 20))
    for length in 0..<file.count - 4 {
      #expect(throws: DNGError.self) {
        try LosslessJPEGDecoder.decode(file[..<length], sampleLimit: 400)
      }
    }
  }

  /// Some cameras' movies contain 12-bit JPEGs that are not lossless, with their tables first.
  @Test func a_lossy_jpeg_is_refused_as_not_lossless() {
    // One code word, of one bit, for 0.
    let table: [UInt8] = [1] + [UInt8](repeating: 0, count: 16)
    let file: [UInt8] =
      [0xFF, 0xD8, 0xFF, 0xC4, 0, 20, 0x00] + table + [0xFF, 0xC4, 0, 20, 0x10] + table
      + [0xFF, 0xC1, 0, 11, 12, 0, 8, 0, 8, 1, 1, 0x11, 0]
    let error = #expect(throws: DNGError.self) {
      try LosslessJPEGDecoder.decode(file[...], sampleLimit: 64)
    }
    #expect(LosslessJPEGDecoder.isOtherProcess(file[...]))
    #expect(error?.code == .unsupported && error?.message.contains("not lossless") == true)
  }

  @Test func a_truncated_lossless_jpeg_is_not_another_process() throws {
    let source = Self.samples("noise", 16, precision: 12, seed: 3)
    let file = try LosslessJPEGEncoder().encode(
      source.span, .init(columns: 4, rows: 4, components: 1, precision: 12, stride: 4))
    #expect(!LosslessJPEGDecoder.isOtherProcess(file[...]))
    for length in 0..<file.count { #expect(!LosslessJPEGDecoder.isOtherProcess(file[..<length])) }
  }

  @Test func a_lossless_jpeg_with_changed_bytes_is_decoded_or_refused() throws {
    let source = Self.samples("smooth", 3 * 24 * 24, precision: 14, seed: 4)
    let file = try LosslessJPEGEncoder().encode(
      source.span, .init(columns: 24, rows: 24, components: 3, precision: 14, stride: 72))
    var random = SeededGenerator(seed: 9)
    for _ in 0..<3000 {
      var broken = file
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      let decoded = try? LosslessJPEGDecoder.decode(broken[...], sampleLimit: 3 * 24 * 24)
      #expect((decoded?.samples.count ?? 0) <= 3 * 24 * 24)
    }
  }

  @Test func too_few_samples_for_the_image_are_refused() {
    let error = #expect(throws: DNGError.self) {
      try LosslessJPEGEncoder().encode(
        [UInt16](repeating: 1, count: 15).span,
        .init(columns: 4, rows: 4, components: 1, precision: 8, stride: 4))
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test func a_lossless_jpeg_header_claiming_a_huge_image_is_refused() throws {
    let file = try LosslessJPEGEncoder().encode(
      [UInt16](repeating: 1, count: 4).span,
      .init(columns: 2, rows: 2, components: 1, precision: 8, stride: 2))
    var broken = file
    for offset in 7...10 { broken[offset] = 0xFF }
    #expect(throws: DNGError.self) {
      try LosslessJPEGDecoder.decode(broken[...], sampleLimit: 4)
    }
  }

  @Test func code_words_are_never_too_long_or_all_ones() {
    var fibonacci: [UInt32] = [1, 1]
    while fibonacci.count < 17 { fibonacci.append(fibonacci.suffix(2).reduce(0, +)) }
    var random = SeededGenerator(seed: 5)
    var cases: [[UInt32]] = [fibonacci, fibonacci.reversed(), [0, 0, 7]]
    for _ in 0..<500 {
      cases.append(
        (0..<17).map { _ in UInt32(1) << UInt32.random(in: 0...31, using: &random) }
          .map { Bool.random(using: &random) ? $0 : 0 })
    }
    for counts in cases {
      let code = HuffmanCode(counts: counts)
      let kraft = (1...16).reduce(0) { $0 + Int(code.lengthCounts[$1 - 1]) << (16 - $1) }
      #expect(kraft < 1 << 16)
      #expect(Set(code.values.map { Int($0) }) == Set(counts.indices.filter { counts[$0] > 0 }))
      #expect(code.lengthCounts.reduce(0) { $0 + Int($1) } == code.values.count)
    }
  }
}
