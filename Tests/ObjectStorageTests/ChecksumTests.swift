import Foundation
import TestSupport
import Testing

@testable import ObjectStorage

/// Checksums of whole objects, and how files are divided into parts.
struct ChecksumTests {
  private static func crc(_ bytes: some Sequence<UInt8>) -> CRC64NVME {
    var crc = CRC64NVME()
    Array(bytes).withUnsafeBytes { crc.add($0) }
    return crc
  }

  @Test func the_crc_matches_the_catalogue_of_parametrized_algorithms() {
    #expect(Self.crc("123456789".utf8).value == 0xAE8B_1486_0A79_9888)
    #expect(Self.crc([]).base64 == "AAAAAAAAAAA=")
  }

  @Test func checksums_of_parts_combine_to_that_of_the_whole() {
    var generator = SeededGenerator(seed: 3)
    let bytes = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let whole = Self.crc(bytes)
    for _ in 0..<50 {
      let cut = Int.random(in: 0...bytes.count, using: &generator)
      let (first, second) = (Self.crc(bytes[..<cut]), Self.crc(bytes[cut...]))
      #expect(first.followed(by: second, length: Int64(bytes.count - cut)) == whole)
    }
  }

  @Test func a_file_is_divided_into_at_most_ten_thousand_parts() throws {
    for size in [0, 1, PartPlan.smallest, PartPlan.smallest + 1, 20_000_000_000, 1 << 40, 48 << 40]
    {
      let plan = try PartPlan(size: Int64(size))
      #expect((1...10_000).contains(plan.count))
      #expect(plan.range(0).lowerBound == 0 && plan.range(plan.count - 1).upperBound == size)
      #expect(plan.isMultipart == (size > PartPlan.smallest))
    }
    #expect(throws: ObjectStorageError.self) { try PartPlan(size: 60 << 40) }
  }
}
