/// The bytes of opcodes in DNG files.
enum OpcodeBytes {
  static func long(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  static func doubles(_ values: [Double]) -> [UInt8] {
    values.flatMap { value in
      (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (56 - 8 * $0)) }
    }
  }

  static func floats(_ values: [Float]) -> [UInt8] {
    values.flatMap { long(Int($0.bitPattern)) }
  }

  /// The first plane of an image of twelve by eight pixels.
  static let area = [0, 0, 8, 12, 0, 1, 1, 1].flatMap(long)

  /// One of each opcode, for images of twelve by eight pixels.
  static let examples: [(Int, [UInt8])] = [
    (1, long(1) + doubles([1.01, 0.02, 0, 0, 0.01, 0, 0.5, 0.5])),
    (2, long(1) + doubles([1, 0.02, 0, 0, 0.5, 0.5])),
    (3, doubles([0.1, 0.2, 0, 0, 0, 0.5, 0.5])),
    (4, long(0) + long(0)),
    (5, long(0) + long(1) + long(1) + [3, 4, 2, 2, 4, 5].flatMap(long)),
    (6, [0, 0, 8, 12].flatMap(long)),
    (7, area + long(4) + [0, 1, 64, 0, 128, 0, 255, 255]),
    (8, area + long(2) + doubles([0.01, 0.9, 0.05])),
    (
      9,
      area + long(2) + long(2) + doubles([1, 1, 0, 0]) + long(1) + floats([1, 1.1, 0.9, 1.2])
    ),
    (10, area + long(8) + floats([Float](repeating: 0.01, count: 8))),
    (11, area + long(12) + floats([Float](repeating: 0.01, count: 12))),
    (12, area + long(8) + floats([Float](repeating: 1.1, count: 8))),
    (13, area + long(12) + floats([Float](repeating: 1.1, count: 12))),
    (
      14,
      long(1) + doubles([1, 0, 0.02] + [Double](repeating: 0, count: 14) + [0, 1])
        + doubles([0.5, 0.5]) + long(0)
    ),
  ]

  /// A list of optional opcodes, each with its number and data.
  static func list(_ opcodes: [(Int, [UInt8])]) -> [UInt8] {
    list(opcodes.map { opcode($0, $1) })
  }

  /// A list of opcodes from their bytes.
  static func list(_ opcodes: [[UInt8]]) -> [UInt8] { long(opcodes.count) + opcodes.joined() }

  /// An opcode; flags are 1 if it is optional and 2 if previews may skip it.
  static func opcode(
    _ code: Int, _ data: [UInt8], flags: Int = 1, version: [UInt8] = [1, 3, 0, 0]
  ) -> [UInt8] {
    long(code) + version + long(flags) + long(data.count) + data
  }
}
