import Foundation
import TestSupport
import Testing

@testable import ImageFiles

@Suite struct DeflaterTests {
  /// A search for repetitions finds some by chance, but coding these takes more bits than it saves.
  @Test func noisy_differences_compress_close_to_their_entropy() throws {
    var random = SeededGenerator(seed: 4)
    let differences = (0..<1 << 17).map { _ in
      UInt8(
        truncatingIfNeeded: Int.random(in: -6...6, using: &random)
          + Int.random(in: -6...6, using: &random))
    }
    var counts: [UInt8: Double] = [:]
    for difference in differences { counts[difference, default: 0] += 1 }
    let total = Double(differences.count)
    let bits = counts.values.reduce(0) { $0 - $1 * log2($1 / total) }
    for deflated in [
      try Deflater.compress(differences), try Deflater.part(differences, isLast: false),
      try Deflater.part(differences, isLast: true),
    ] {
      #expect(Double(deflated.count) < 1.03 * bits / 8)
    }
  }

  @Test func runs_of_one_byte_compress_well() throws {
    let runs = (0..<64).flatMap { [UInt8](repeating: UInt8($0), count: 4096) }
    #expect(try Deflater.compress(runs).count < runs.count / 100)
  }
}
