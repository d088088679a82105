/// The checksum that Amazon S3 computes over a whole object: CRC-64/NVME, reflected polynomial
/// 0x9A6C9329AC4BC9B5 (NVM Express, NVM Command Set Specification, 64-bit guard).
package struct CRC64NVME: Sendable, Hashable {
  /// The checksum of the bytes added so far.
  package private(set) var value: UInt64 = 0
  private static let polynomial: UInt64 = 0x9A6C_9329_AC4B_C9B5

  package init() {}

  init(value: UInt64) { self.value = value }

  /// Eight tables: the effect of a byte that is followed by none, one, up to seven others.
  private static let tables: [UInt64] = {
    var tables = [UInt64](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var crc = UInt64(byte)
      for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ polynomial }
      tables[byte] = crc
    }
    for index in 256..<tables.count {
      let before = tables[index - 256]
      tables[index] = tables[Int(before & 255)] ^ before >> 8
    }
    return tables
  }()

  /// Adds bytes.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    value = Self.tables.withUnsafeBufferPointer { tables in
      var crc = ~value
      var index = 0
      while index + 8 <= bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian ^ crc
        crc =
          tables[1792 + Int(word & 255)] ^ tables[1536 + Int(word >> 8 & 255)]
          ^ tables[1280 + Int(word >> 16 & 255)] ^ tables[1024 + Int(word >> 24 & 255)]
        crc ^=
          tables[768 + Int(word >> 32 & 255)] ^ tables[512 + Int(word >> 40 & 255)]
          ^ tables[256 + Int(word >> 48 & 255)] ^ tables[Int(word >> 56)]
        index += 8
      }
      while index < bytes.count {
        crc = tables[Int((crc ^ UInt64(bytes[index])) & 255)] ^ crc >> 8
        index += 1
      }
      return ~crc
    }
  }

  /// The checksum of the data so far followed by other data, given only that data's checksum and
  /// length.
  package func followed(by other: CRC64NVME, length: Int64) -> CRC64NVME {
    // Appending a zero bit is a matrix over the checksum's bits; squaring it doubles the number of
    // zeros.
    var operation: [UInt64] = [Self.polynomial] + (0..<63).map { 1 << $0 }
    var bits = UInt64(length) << 3
    var crc = value
    while bits != 0 {
      if bits & 1 != 0 { crc = Self.product(operation, crc) }
      operation = operation.map { Self.product(operation, $0) }
      bits >>= 1
    }
    return CRC64NVME(value: crc ^ other.value)
  }

  private static func product(_ matrix: [UInt64], _ vector: UInt64) -> UInt64 {
    var (rest, sum, row) = (vector, UInt64(0), 0)
    while rest != 0 {
      if rest & 1 != 0 { sum ^= matrix[row] }
      rest >>= 1
      row += 1
    }
    return sum
  }

  /// The form used in headers: the eight bytes, big-endian, in Base64.
  package var base64: String { Base64.encode(bytes) }

  private var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) } }
}
