import MediaCore
import TestSupport
import Testing

@testable import Monitor

/// The kernel, held to sums that are taken code by code.
@Suite struct V210DecimationTests {
  /// The codes of a row of v210, apart.
  private struct Codes {
    var luma: [Int] = []
    var cb: [Int] = []
    var cr: [Int] = []

    init(_ words: [UInt32]) {
      // Cb Y Cr Y, pixel pair by pixel pair, three codes a word.
      for (place, word) in words.enumerated() {
        for third in 0..<3 {
          let code = Int(word >> (10 * UInt32(third))) & 1023
          switch (3 * place + third) % 4 {
          case 0: cb.append(code)
          case 2: cr.append(code)
          default: luma.append(code)
          }
        }
      }
    }
  }

  private static func means(_ first: [Int], _ second: [Int], of factor: Int) -> [UInt16] {
    (0..<first.count / factor).map { place in
      let range = place * factor..<(place + 1) * factor
      let sum = first[range].reduce(0, +) + second[range].reduce(0, +)
      return UInt16(min(max((sum + factor) / (2 * factor), 4), 1019))
    }
  }

  @Test(arguments: [2, 4], [24, 48, 192, 264, 960])
  func a_mean_is_that_of_its_codes(factor: Int, width: Int) throws {
    var random = SeededGenerator(seed: UInt64(width * factor))
    let decimation = try #require(
      V210Decimation(.init(format: .v210, width: factor * width, height: 1), into: width))
    #expect(decimation.factor == factor && decimation.blocks == factor * width / 6)
    // The two highest bits of a word are nobody's, and random here.
    func row(_ word: () -> UInt32) -> [UInt32] { (0..<4 * decimation.blocks).map { _ in word() } }
    let (noise, other) = (
      row { UInt32(truncatingIfNeeded: random.next()) },
      row { UInt32(truncatingIfNeeded: random.next()) }
    )
    let (white, black) = (row { .max }, row { 0 })
    for (first, second) in [(noise, other), (noise, noise), (white, white), (black, black)] {
      let guardCode: UInt16 = 0xABCD
      var luma = [UInt16](repeating: guardCode, count: width + 1)
      var cb = [UInt16](repeating: guardCode, count: width / 2 + 1)
      var cr = cb
      // Rows of packed buffers begin anywhere.
      let bytes = [first, second].map { row in
        [UInt8(7)] + row.withUnsafeBytes { Array($0) }
      }
      bytes[0].withUnsafeBytes { one in
        bytes[1].withUnsafeBytes { other in
          guard let one = one.baseAddress, let other = other.baseAddress else { return }
          decimation.means(one + 1, other + 1, luma: &luma, cb: &cb, cr: &cr)
        }
      }
      let (a, b) = (Codes(first), Codes(second))
      #expect(luma == Self.means(a.luma, b.luma, of: factor) + [guardCode])
      #expect(cb == Self.means(a.cb, b.cb, of: factor) + [guardCode])
      #expect(cr == Self.means(a.cr, b.cr, of: factor) + [guardCode])
    }
  }
}
