import CRawKernels
import TestSupport
import Testing

@testable import DNG

/// Compares the decoder's kernel with a plain one, also on damaged and random scans.
@Suite struct LosslessJPEGKernelTests {
  private typealias Table = PlainLosslessJPEG.Table

  /// A code with one of these sets of word lengths, for categories in random order.
  private static func table(_ random: inout SeededGenerator) -> Table {
    let codes = [
      [2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 16, 16],
      [5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5],
    ]
    let lengths = codes.randomElement(using: &random) ?? []
    return Table(
      counts: (1...16).map { length in UInt8(lengths.count { $0 == length }) },
      values: (0...16).map { UInt8($0) }.shuffled(using: &random))
  }

  /// The kernel's samples of a scan; nil if it refuses the scan. Checks that nothing around the samples was
  /// written.
  private static func decode(_ plain: PlainLosslessJPEG, _ bytes: [UInt8]) throws -> [UInt16]? {
    let components = plain.tables.count
    let tables = try plain.tables.map { table in
      var made = raw_jpeg_table()
      let status = raw_jpeg_make_table(table.counts, table.values, table.values.count, 16, &made)
      try #require(status == 0)
      return made
    }
    let width = plain.columns * components
    let (stride, mark) = (width + 3, UInt16(0xABCD))
    var samples = [UInt16](repeating: mark, count: stride * plain.rows)
    var scan = raw_jpeg_scan(
      columns: plain.columns, rows: plain.rows, components: components,
      precision: UInt32(plain.precision), predictor: UInt32(plain.predictor),
      point_transform: UInt32(plain.pointTransform), stride: stride)
    let length = tables.withUnsafeBufferPointer { tables in
      let places = tables.indices.map { index in tables.baseAddress.map { $0 + index } }
      return raw_jpeg_decode(bytes, bytes.count, &scan, places, &samples)
    }
    for row in 0..<plain.rows {
      for place in row * stride + width..<(row + 1) * stride { #expect(samples[place] == mark) }
    }
    #expect(length <= bytes.count)
    guard length >= 0 else { return nil }
    return (0..<plain.rows).flatMap { samples[$0 * stride..<$0 * stride + width] }
  }

  /// A meaningless scan with many markers and stuffed bytes.
  private static func madeUp(_ random: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 0...160, using: &random) {
      let wantsZero = bytes.last == 0xFF && Int.random(in: 0..<20, using: &random) > 0
      let isMark = Int.random(in: 0..<6, using: &random) == 0
      bytes.append(wantsZero ? 0 : isMark ? 0xFF : UInt8.random(in: 0...255, using: &random))
    }
    return bytes
  }

  private static func plain(_ random: inout SeededGenerator) -> PlainLosslessJPEG {
    let precision = Int.random(in: 4...16, using: &random)
    return PlainLosslessJPEG(
      columns: Int.random(in: 1...20, using: &random), rows: Int.random(in: 1...5, using: &random),
      precision: precision, predictor: Int.random(in: 1...7, using: &random),
      pointTransform: Int.random(in: 0...2, using: &random),
      tables: (0..<Int.random(in: 1...4, using: &random)).map { _ in table(&random) })
  }

  @Test func random_scans_decode_or_fail_as_in_a_plain_decoder() throws {
    var random = SeededGenerator(seed: 11)
    var decoded = 0
    for _ in 0..<4000 {
      let plain = Self.plain(&random)
      let bytes = Self.madeUp(&random)
      let wanted = plain.decode(bytes)
      #expect(try Self.decode(plain, bytes) == wanted)
      if wanted != nil { decoded += 1 }
    }
    // Both outcomes occur.
    #expect(decoded > 100 && decoded < 3900)
  }

  @Test(arguments: 1...4)
  func truncated_scans_fail_with_any_number_of_components(components: Int) throws {
    var random = SeededGenerator(seed: UInt64(components))
    for _ in 0..<60 {
      let (columns, rows) = (Int.random(in: 1...24, using: &random), 4)
      let source = LosslessJPEGTests.samples(
        LosslessJPEGTests.kinds.randomElement(using: &random) ?? "noise",
        columns * components * rows, precision: 16, seed: random.next())
      let file = try LosslessJPEGEncoder().encode(
        source.span,
        .init(
          columns: columns, rows: rows, components: components, precision: 16,
          stride: columns * components))
      let whole = try LosslessJPEGDecoder.decode(file[...], sampleLimit: 1 << 16)
      #expect(whole.samples == source)
      // The last two bytes are the end marker.
      for cut in 3...6 {
        #expect(throws: DNGError.self) {
          try LosslessJPEGDecoder.decode(file[..<(file.count - cut)], sampleLimit: 1 << 16)
        }
      }
    }
  }
}
