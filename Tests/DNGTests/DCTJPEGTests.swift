import CRawKernels
import MediaCore
import TestSupport
import Testing

@testable import DNG

@Suite struct DCTJPEGTests {
  static let limit = 1 << 20

  /// Random coefficients, fewer and smaller towards high frequencies.
  static func example(
    columns: Int, rows: Int, components: Int, precision: Int = 12, seed: UInt64
  ) -> ExampleDCTJPEG {
    var random = SeededGenerator(seed: seed)
    var example = ExampleDCTJPEG(columns: columns, rows: rows, components: components, blocks: [])
    example.precision = precision
    example.blocks = (0..<components).map { _ in
      (0..<example.blockCount).map { place in
        let last = place % 5 == 0 ? 0 : Int.random(in: 0...63, using: &random)
        // Includes runs of more than fifteen zeros.
        let share = place % 3 == 1 ? 0.06 : 0.7
        return (0..<64).map { index in
          guard index <= last, index == 0 || Double.random(in: 0..<1, using: &random) < share else {
            return 0
          }
          let greatest = (1 << (precision + 1)) / (index + 2)
          return Int.random(in: -greatest...greatest, using: &random)
        }
      }
    }
    return example
  }

  /// Compares a file with the transform in double precision.
  private func check(
    _ example: ExampleDCTJPEG, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let image = try DCTJPEGDecoder.decode(example.file()[...], sampleLimit: Self.limit)
    #expect(
      image.columns == example.columns && image.rows == example.rows
        && image.components == example.blocks.count && image.precision == example.precision,
      sourceLocation: sourceLocation)
    let expected = example.samples()
    try #require(image.samples.count == expected.count, sourceLocation: sourceLocation)
    let differences = zip(image.samples, expected).map { abs(Int($0) - Int($1)) }
    #expect(differences.allSatisfy { $0 <= 1 }, sourceLocation: sourceLocation)
    // Only values halfway between two codes may differ.
    let count = differences.count { $0 > 0 }
    #expect(count <= 2 + differences.count / 500, sourceLocation: sourceLocation)
  }

  @Test(arguments: 1...4, [8, 12])
  func samples_match_a_transform_in_double_precision(
    components: Int, precision: Int
  ) throws {
    for (columns, rows) in [(1, 1), (8, 8), (37, 21), (80, 24)] {
      var example = Self.example(
        columns: columns, rows: rows, components: components, precision: precision,
        seed: UInt64(columns + components))
      try check(example)
      example.restartInterval = 3
      try check(example)
      example.isInterleaved = false
      example.process = precision == 8 ? 0 : 1
      try check(example)
    }
  }

  @Test func quantization_steps_of_16_bits_are_read_and_samples_clamped() throws {
    var example = Self.example(columns: 40, rows: 40, components: 1, seed: 8)
    example.steps = (0..<64).map { 1 + $0 * 1040 }
    try check(example)
    #expect(example.samples().contains(0) && example.samples().contains(4095))
  }

  @Test func a_uniform_block_is_rounded_exactly() throws {
    let blocks = stride(from: -16_500, through: 16_500, by: 13).map { value in
      [value] + [Int](repeating: 0, count: 63)
    }
    let example = ExampleDCTJPEG(
      columns: 8 * blocks.count, rows: 8, components: 1, blocks: [blocks])
    let image = try DCTJPEGDecoder.decode(example.file()[...], sampleLimit: Self.limit)
    let expected = blocks.map { UInt16(min(max((($0[0] + 4) >> 3) + 2048, 0), 4095)) }
    #expect(stride(from: 0, to: image.columns, by: 8).map { image.samples[$0] } == expected)
  }

  /// Reads a block with only a DC difference, coded by a table for differences; also returns the bits after the
  /// block.
  private func block(
    _ bits: [Bool], _ table: raw_jpeg_table
  ) throws -> (difference: Int32?, rest: UInt64) {
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: bits.count, by: 8) {
      let byte = (start..<start + 8).reduce(UInt8(0)) { byte, place in
        byte << 1 | (place < bits.count && bits[place] ? 1 : 0)
      }
      bytes += byte == 0xFF ? [0xFF, 0] : [byte]
    }
    // The code word 0 ends the block.
    var end = try #require(
      JPEGSegments.HuffmanSpecification(
        selector: 0, lengthCounts: [1] + [UInt8](repeating: 0, count: 15), values: [0]
      ).table(greatest: 0))
    var (reader, table) = (raw_jpeg_reader(), table)
    var coefficients = [Int32](repeating: 7, count: 64)
    let count = raw_jpeg_read_block(&reader, bytes, bytes.count, &table, &end, &coefficients)
    #expect(count < 0 || coefficients.dropFirst().allSatisfy { $0 == 0 })
    return (count == 1 ? coefficients[0] : nil, reader.bits)
  }

  @Test func every_code_word_is_decoded_whatever_follows() throws {
    var counts: [UInt32] = [1, 1]
    while counts.count < 16 { counts.append(counts.suffix(2).reduce(0, +)) }
    let code = HuffmanCode(counts: counts)
    let table = try #require(
      JPEGSegments.HuffmanSpecification(
        selector: 0, lengthCounts: code.lengthCounts, values: code.values
      ).table(greatest: 15))
    var (word, index) = (UInt32(0), 0)
    for length in 1...16 {
      for _ in 0..<code.lengthCounts[length - 1] {
        let size = Int(code.values[index])
        let bits = (0..<length).map { word >> UInt32(length - 1 - $0) & 1 == 1 }
        for isPositive in [false, true] {
          let number = [Bool](repeating: isPositive, count: size)
          let found = try block(bits + number + [false, true, false, true], table)
          let greatest = Int32(1 << size - 1)
          #expect(found.difference == (isPositive ? greatest : -greatest))
          #expect(found.rest >> 61 == 0b101)
        }
        (word, index) = (word + 1, index + 1)
      }
      word <<= 1
    }
    #expect(code.lengthCounts[15] > 0 && index == 16)
    // The code word of all ones is reserved.
    #expect(try block([Bool](repeating: true, count: 32), table).difference == nil)
  }

  @Test func the_color_space_follows_the_jpeg_segments() throws {
    let jfif: [UInt8] = [0xFF, 0xE0, 0, 7] + Array("JFIF\0".utf8)
    func adobe(_ transform: UInt8) -> [UInt8] {
      [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform]
    }
    let names = Array("RGB".utf8)
    let cases: [(segments: [UInt8], identifiers: [UInt8], isYCbCr: Bool)] = [
      ([], [1, 2, 3], true), ([], names, false), (jfif, names, true), (adobe(0), [1, 2, 3], false),
      (adobe(1), names, true),
    ]
    for test in cases {
      var example = Self.example(columns: 9, rows: 9, components: 3, seed: 2)
      (example.segments, example.identifiers) = (test.segments, test.identifiers)
      let image = try DCTJPEGDecoder.decode(example.file()[...], sampleLimit: Self.limit)
      #expect(image.isYCbCr == test.isYCbCr)
    }
    let mosaic = Self.example(columns: 9, rows: 9, components: 1, seed: 2)
    #expect(try !DCTJPEGDecoder.decode(mosaic.file()[...], sampleLimit: 81).isYCbCr)
  }

  @Test func ycbcr_samples_are_converted_to_rgb() {
    let image = DCTJPEGDecoder.Image(
      columns: 4, rows: 1, components: 3, precision: 12, isYCbCr: true,
      samples: [1000, 2048, 2048, 1000, 2048, 2148, 1000, 2148, 2048, 4000, 4000, 0])
    let expected: [UInt16] = [1000, 1000, 1000, 1140, 929, 1000, 1000, 966, 1177, 1129, 4095, 4095]
    #expect(image.convertedToRGB() == expected)
  }
}
