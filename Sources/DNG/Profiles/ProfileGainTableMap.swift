import TIFF

/// DNG's ProfileGainTableMap or ProfileGainTableMap2: gains that depend on position and brightness.
public struct ProfileGainTableMap: Sendable, Hashable {
  /// Grid points down.
  public var rows: Int
  /// Grid points across.
  public var columns: Int
  /// The vertical distance between points, as a fraction of the image's height.
  public var spacingV: Double
  /// The horizontal distance between points, as a fraction of the image's width.
  public var spacingH: Double
  /// The first point's position from the top, as a fraction of the height.
  public var originV: Double
  /// The first point's position from the left, as a fraction of the width.
  public var originH: Double
  /// Gains per point, in order of brightness.
  public var count: Int
  /// The weights of red, green, blue, their minimum and their maximum in brightness.
  public var weights: [Float]
  /// The exponent applied to brightness: 1 in the first version.
  public var gamma: Float
  /// The gains: rows outermost, brightness innermost.
  public var gains: [Float]

  /// Parses the tag's bytes.
  ///
  /// - Throws: ``DNGError/Code/invalidFile`` for an invalid map.
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
    // No overflow: each factor is at most 2^16.
    let total = rows * columns * count
    guard total == (bytes.count - header) / size else {
      throw .damaged("a gain map has a different number of gains than its header says")
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
    guard gains.allSatisfy(\.isFinite) else { throw .damaged("a gain map has infinite gains") }
  }
}
