import MediaCore
import TestSupport
import Testing

@testable import DNG

/// Lists of opcodes, in the bytes that the specification defines.
@Suite struct OpcodeListTests {
  private static func long(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }
  private static func double(_ value: Double) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (56 - 8 * $0)) }
  }
  private static func float(_ value: Float) -> [UInt8] { long(Int(value.bitPattern)) }
  private static func opcode(
    _ identifier: Int, _ data: [UInt8], flags: Int = 1, version: [UInt8] = [1, 3, 0, 0]
  ) -> [UInt8] {
    long(identifier) + version + long(flags) + long(data.count) + data
  }
  /// Every second row from 2 to 8, columns 1 to 10.
  private static let area = [2, 1, 8, 10, 0, 1, 2, 1].flatMap { long($0) }
  private static let center = double(0.5) + double(0.25)
  private static func doubles(_ count: Int) -> [UInt8] {
    (0..<count).flatMap { double(Double($0) / 8) }
  }

  /// The data of each opcode, and its name.
  static let forms: [(identifier: Int, data: [UInt8], name: String)] = [
    (1, long(1) + doubles(6) + center, "WarpRectilinear"),
    (2, long(3) + doubles(12) + center, "WarpFisheye"),
    (3, doubles(5) + center, "FixVignetteRadial"),
    (4, long(0) + long(2), "FixBadPixelsConstant"),
    (
      5, long(1) + long(1) + long(1) + [7, 9, 1, 2, 3, 4].flatMap { long($0) }, "FixBadPixelsList"
    ),
    (6, [1, 2, 30, 40].flatMap { long($0) }, "TrimBounds"),
    (7, area + long(3) + [0, 1, 0, 2, 0, 3], "MapTable"),
    (8, area + long(2) + doubles(3), "MapPolynomial"),
    (
      9, area + long(2) + long(2) + doubles(4) + long(1) + (1...4).flatMap { float(Float($0)) },
      "GainMap"
    ),
    (10, area + long(3) + (1...3).flatMap { float(Float($0)) }, "DeltaPerRow"),
    (11, area + long(9) + (1...9).flatMap { float(Float($0)) }, "DeltaPerColumn"),
    (12, area + long(3) + (1...3).flatMap { float(Float($0)) }, "ScalePerRow"),
    (13, area + long(9) + (1...9).flatMap { float(Float($0)) }, "ScalePerColumn"),
    (14, long(1) + doubles(19) + center + long(1), "WarpRectilinear2"),
    (99, [1, 2, 3], "unknown"),
  ]

  private static var list: [UInt8] {
    long(forms.count) + forms.flatMap { opcode($0.identifier, $0.data, flags: 3) }
  }

  @Test func every_opcode_is_parsed() throws {
    let list = try OpcodeList(Self.list)
    #expect(list.opcodes.map(\.operation.name) == Self.forms.map(\.name))
    #expect(list.opcodes.allSatisfy { $0.isOptional && $0.isSkippedInPreviews })
    guard case .warpRectilinear(let warps, let center) = list.opcodes[0].operation,
      case .fixBadPixelsList(1, let points, let areas) = list.opcodes[4].operation,
      case .gainMap(let area, let grid) = list.opcodes[8].operation,
      case .warpRectilinear2(let warps2, _, true) = list.opcodes[13].operation,
      case .unknown(let rest) = list.opcodes[14].operation
    else {
      Issue.record("an opcode was parsed as another kind")
      return
    }
    #expect(warps[0].radial == [0, 0.125, 0.25, 0.375] && warps[0].tangential == [0.5, 0.625])
    #expect(center == [0.5, 0.25])
    #expect(points == [SIMD2(9, 7)])
    #expect(areas == [PixelArea(top: 1, left: 2, bottom: 3, right: 4)])
    #expect(area.rowCount == 3 && area.columnCount == 9 && grid.gains == [1, 2, 3, 4])
    #expect(warps2[0].radial.count == 15 && warps2[0].validRadii == 2.125...2.25)
    #expect(rest == [1, 2, 3])
  }

  /// In a version that is not supported, the meaning of the data is unknown.
  @Test func an_opcode_of_a_newer_version_is_unknown() throws {
    let versions: [(version: [UInt8], isKnown: Bool)] = [
      ([1, 7, 1, 0], true), ([1, 7, 1, 1], false), ([2, 0, 0, 0], false),
    ]
    for form in Self.forms {
      for (version, isKnown) in versions {
        let bytes = Self.long(1) + Self.opcode(form.identifier, form.data, version: version)
        let opcode = try #require(try OpcodeList(bytes).opcodes.first)
        #expect(opcode.operation.name == (isKnown ? form.name : "unknown"))
        if !isKnown { #expect(opcode.operation == .unknown(form.data)) }
      }
    }
  }

  @Test func a_truncated_list_is_an_error_at_every_length() {
    let bytes = Self.list
    for length in 1..<bytes.count {
      #expect(throws: DNGError.self) { try OpcodeList(Array(bytes[..<length])) }
    }
    #expect(throws: Never.self) { try OpcodeList([]) }
  }

  @Test func an_opcode_with_excess_data_is_an_error() {
    for form in Self.forms where form.identifier != 99 {
      let bytes = Self.long(1) + Self.opcode(form.identifier, form.data + [0])
      #expect(throws: DNGError.self, "opcode \(form.identifier)") { try OpcodeList(bytes) }
    }
  }

  @Test func lists_with_changed_bytes_are_read_or_refused() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<1000 {
      var bytes = Self.list
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] =
          [0, 1, 0x7F, 0x80, 0xFF]
          .randomElement(using: &random) ?? 0
      }
      if let list = try? OpcodeList(bytes) { #expect(list.opcodes.count <= OpcodeList.limit) }
    }
  }
}
