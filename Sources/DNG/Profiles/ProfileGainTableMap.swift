import TIFF

/// DNG's ProfileGainTableMap or ProfileGainTableMap2: gains for each place of the picture and each
/// brightness.
public struct ProfileGainTableMap: Sendable, Hashable {
  /// Points down.
  public var rows: Int
  /// Points across.
  public var columns: Int
  /// Distance of points down, in parts of the picture.
  public var spacingV: Double
  /// Distance of points across.
  public var spacingH: Double
  /// Where the first point lies, from the top.
  public var originV: Double
  /// Where the first point lies, from the left.
  public var originH: Double
  /// Gains of a point, by increasing brightness.
  public var count: Int
  /// What brightness is made of: red, green, blue, the least and the greatest of them.
  public var weights: [Float]
  /// The exponent that brightness is raised to: 1 in the first version.
  public var gamma: Float
  /// Gains: rows outermost, brightness innermost.
  public var gains: [Float]

  /// Reads the bytes of the tag.
  ///
  /// - Throws: ``DNGError/Code/invalidFile`` for a map that makes no sense.
  init(_ bytes: [UInt8], isLittleEndian: Bool, isSecondVersion: Bool) throws(DNGError) {
    let header = isSecondVersion ? 80 : 64
    guard bytes.count > header else { throw .damaged("a gain map ends too soon") }
    let numbers = ByteNumbers(bytes, isLittleEndian: isLittleEndian)
    func long(_ offset: Int) -> Int { Int(numbers.unsigned(offset, size: 4)) }
    func float(_ offset: Int) -> Float {
      Float(bitPattern: UInt32(truncatingIfNeeded: numbers.unsigned(offset, size: 4)))
    }
    func double(_ offset: Int) -> Double {
      Double(bitPattern: numbers.unsigned(offset, size: 8))
    }
    (rows, columns, count) = (long(0), long(4), long(40))
    (spacingV, spacingH) = (double(8), double(16))
    (originV, originH) = (double(24), double(32))
    weights = (0..<5).map { float(44 + 4 * $0) }
    gamma = isSecondVersion ? float(68) : 1
    let type = isSecondVersion ? long(64) : 3
    let (least, most) = isSecondVersion ? (float(72), float(76)) : (0, 0)
    guard (0...3).contains(type), (1...65_536).contains(rows), (1...65_536).contains(columns),
      (1...65_536).contains(count),
      [spacingV, spacingH, originV, originH].allSatisfy(\.isFinite), weights.allSatisfy(\.isFinite),
      gamma.isFinite, gamma > 0, least.isFinite, most.isFinite
    else { throw .damaged("a gain map of an impossible form") }
    let size = [1, 2, 2, 4][type]
    // Each factor is at most 2^16.
    let total = rows * columns * count
    guard total == (bytes.count - header) / size else {
      throw .damaged("a gain map has another number of gains than its header says")
    }
    gains = (0..<total).map { index in
      let bits = UInt32(truncatingIfNeeded: numbers.unsigned(header + index * size, size: size))
      return switch type {
      case 0: least + (most - least) * Float(bits) / 255
      case 1: least + (most - least) * Float(bits) / 65_535
      case 2: HalfFloat.value(UInt16(truncatingIfNeeded: bits))
      default: Float(bitPattern: bits)
      }
    }
    guard gains.allSatisfy(\.isFinite) else { throw .damaged("a gain map has gains without end") }
  }
}
