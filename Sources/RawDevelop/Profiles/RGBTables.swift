import DNG
import MediaCore

/// DNG's RGBTables: color lookup tables, each applied to what a semantic mask shows.
struct RGBTables: Sendable, Hashable {
  struct Table: Sendable, Hashable {
    /// The mask; empty for everything that no mask shows.
    var semanticName: String
    /// Entries along each color, 2 to 32.
    var divisions: Int
    /// The transfer curve of the lookup colors.
    var curve: TransferCurve
    /// The primaries of the lookup colors.
    var primaries: ColorPrimaries
    /// True if colors outside the primaries' gamut are kept.
    var extendsGamut: Bool
    /// Red outermost, three values from 0 to 1 per entry.
    var entries: [Float]
  }

  /// The tables.
  var tables: [Table]
  /// True if tables are applied in sequence, false if their results are combined in a weighted sum.
  var isSequence: Bool

  /// DNG's limit for the number of tables in a profile.
  static let limit = 20

  /// Parses the tag's bytes.
  ///
  /// - Throws: ``RawDevelopError/Code/invalidFile`` for an invalid tag.
  init(_ bytes: [UInt8], isLittleEndian: Bool) throws(RawDevelopError) {
    var reader = Reader(rest: bytes[...], isLittleEndian: isLittleEndian)
    let count = try reader.integer(4)
    guard count <= Self.limit else { throw Self.damaged("\(count) tables") }
    tables = []
    isSequence = false
    guard count > 0 else { return }
    switch try reader.integer(4) {
    case 0: isSequence = false
    case 1: isSequence = true
    case let method: throw Self.damaged("tables combined by method \(method)")
    }
    for _ in 0..<count { tables.append(try Table(&reader)) }
    guard tables.count(where: \.semanticName.isEmpty) <= 1 else {
      throw Self.damaged("several tables for the area outside all masks")
    }
  }

  static func damaged(_ what: String) -> RawDevelopError {
    RawDevelopError(.invalidFile, "the profile's RGBTables are damaged: \(what)")
  }

  struct Reader {
    var rest: ArraySlice<UInt8>
    let isLittleEndian: Bool

    mutating func bytes(_ count: Int) throws(RawDevelopError) -> ArraySlice<UInt8> {
      guard count <= rest.count else { throw RGBTables.damaged("they end too soon") }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }

    mutating func integer(_ size: Int) throws(RawDevelopError) -> Int {
      let part = try bytes(size)
      return isLittleEndian
        ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
    }
  }
}

extension RGBTables.Table {
  fileprivate init(_ reader: inout RGBTables.Reader) throws(RawDevelopError) {
    semanticName = String(decoding: try reader.bytes(try reader.integer(2)), as: UTF8.self)
    divisions = try reader.integer(1)
    let type = try reader.integer(1)
    let (curve, primaries) = (try reader.integer(1), try reader.integer(1))
    let gamut = try reader.integer(1)
    let curves: [TransferCurve] = [.linear, .sRGB, .gamma18, .gamma22, .rec709]
    let spaces: [ColorPrimaries] = [.sRGB, .adobeRGB, .displayP3, .rec2020, .proPhoto]
    guard (2...32).contains(divisions), (0...2).contains(type), curves.indices.contains(curve),
      spaces.indices.contains(primaries), gamut <= 1
    else { throw RGBTables.damaged("a table of an unknown form") }
    self.curve = curves[curve]
    self.primaries = spaces[primaries]
    extendsGamut = gamut == 1
    let count = 3 * divisions * divisions * divisions
    entries = []
    entries.reserveCapacity(count)
    for _ in 0..<count {
      let value: Float =
        switch type {
        case 0: Float(try reader.integer(1)) / 255
        case 1: Float(try reader.integer(2)) / 65_535
        default: Float(bitPattern: UInt32(truncatingIfNeeded: try reader.integer(4)))
        }
      guard value.isFinite else { throw RGBTables.damaged("a color that is not a number") }
      entries.append(min(max(value, 0), 1))
    }
  }
}
