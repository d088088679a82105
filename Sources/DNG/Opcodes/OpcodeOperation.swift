/// The operation of an opcode.
public enum OpcodeOperation: Sendable, Hashable {
  /// Corrects distortion and lateral chromatic aberration, plane by plane.
  case warpRectilinear([RectilinearWarp], center: SIMD2<Double>)
  /// Unwraps a fisheye image: four radial coefficients for each plane.
  case warpFisheye([[Double]], center: SIMD2<Double>)
  /// Brightens the corners: five radial coefficients.
  case fixVignetteRadial([Double], center: SIMD2<Double>)
  /// Replaces samples that have a given value.
  case fixBadPixelsConstant(value: Int, bayerPhase: Int)
  /// Replaces listed pixels.
  case fixBadPixelsList(bayerPhase: Int, points: [SIMD2<Int>], areas: [PixelArea])
  /// Crops the image to an area.
  case trimBounds(PixelArea)
  /// Maps integers through a table.
  case mapTable(OpcodeArea, [UInt16])
  /// Maps samples by a polynomial, constant term first.
  case mapPolynomial(OpcodeArea, [Double])
  /// Multiplies by a grid of gains.
  case gainMap(OpcodeArea, GainGrid)
  /// Adds a value to each row.
  case deltaPerRow(OpcodeArea, [Float])
  /// Adds a value to each column.
  case deltaPerColumn(OpcodeArea, [Float])
  /// Multiplies each row by a factor.
  case scalePerRow(OpcodeArea, [Float])
  /// Multiplies each column by a factor.
  case scalePerColumn(OpcodeArea, [Float])
  /// Like `warpRectilinear`, with fifteen radial coefficients and a range of valid radii; the reciprocal form
  /// divides by the polynomial.
  case warpRectilinear2([RectilinearWarp], center: SIMD2<Double>, isReciprocal: Bool)
  /// An unknown opcode.
  case unknown([UInt8])

  /// DNG's name of the operation.
  public var name: String {
    switch self {
    case .warpRectilinear: "WarpRectilinear"
    case .warpFisheye: "WarpFisheye"
    case .fixVignetteRadial: "FixVignetteRadial"
    case .fixBadPixelsConstant: "FixBadPixelsConstant"
    case .fixBadPixelsList: "FixBadPixelsList"
    case .trimBounds: "TrimBounds"
    case .mapTable: "MapTable"
    case .mapPolynomial: "MapPolynomial"
    case .gainMap: "GainMap"
    case .deltaPerRow: "DeltaPerRow"
    case .deltaPerColumn: "DeltaPerColumn"
    case .scalePerRow: "ScalePerRow"
    case .scalePerColumn: "ScalePerColumn"
    case .warpRectilinear2: "WarpRectilinear2"
    case .unknown: "unknown"
    }
  }
}

/// The warp coefficients of a plane.
public struct RectilinearWarp: Sendable, Hashable {
  /// Radial coefficients: even powers in WarpRectilinear, all powers in WarpRectilinear2.
  public var radial: [Double]
  /// Tangential coefficients.
  public var tangential: SIMD2<Double>
  /// The radii for which the polynomial is valid; 1 is the farthest corner.
  public var validRadii: ClosedRange<Double>
}

/// The samples that an opcode changes.
public struct OpcodeArea: Sendable, Hashable {
  /// The area; it may extend beyond the image.
  public var area: PixelArea
  /// The first plane.
  public var plane: Int
  /// The number of planes.
  public var planeCount: Int
  /// The distance from one changed row to the next.
  public var rowPitch: Int
  /// The distance from one changed column to the next.
  public var columnPitch: Int

  /// The number of changed rows.
  public var rowCount: Int { (area.height + rowPitch - 1) / rowPitch }
  /// The number of changed columns.
  public var columnCount: Int { (area.width + columnPitch - 1) / columnPitch }
}

/// A grid of gains over an image.
public struct GainGrid: Sendable, Hashable {
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
  /// Gains per point.
  public var planes: Int
  /// Gains: rows outermost, planes innermost.
  public var gains: [Float]
}

extension OpcodeOperation {
  init(_ identifier: Int, _ data: [UInt8]) throws(DNGError) {
    var reader = OpcodeReader(data[...])
    switch identifier {
    case 1:
      var warps: [RectilinearWarp] = []
      for _ in 0..<(try reader.planes()) {
        let k = try reader.doubles(6)
        warps.append(
          RectilinearWarp(
            radial: Array(k[..<4]), tangential: SIMD2(k[4], k[5]), validRadii: 0...1))
      }
      self = .warpRectilinear(warps, center: try reader.point())
    case 2:
      var warps: [[Double]] = []
      for _ in 0..<(try reader.planes()) { warps.append(try reader.doubles(4)) }
      self = .warpFisheye(warps, center: try reader.point())
    case 3: self = .fixVignetteRadial(try reader.doubles(5), center: try reader.point())
    case 4:
      self = .fixBadPixelsConstant(value: try reader.integer(), bayerPhase: try reader.integer())
    case 5: self = try Self.badPixels(&reader)
    case 6: self = .trimBounds(try reader.area())
    case 7:
      let area = try reader.opcodeArea()
      let count = try reader.integer()
      guard (1...65_536).contains(count) else { throw .damaged("an opcode's table") }
      var table: [UInt16] = []
      for _ in 0..<count { table.append(try reader.word(UInt16.self)) }
      self = .mapTable(area, table)
    case 8:
      let area = try reader.opcodeArea()
      let degree = try reader.integer()
      guard degree <= 8 else { throw .damaged("an opcode's polynomial of degree \(degree)") }
      self = .mapPolynomial(area, try reader.doubles(degree + 1))
    case 9:
      let area = try reader.opcodeArea()
      self = .gainMap(area, try reader.gainGrid())
    case 10...13: self = try Self.lines(identifier, &reader)
    case 14:
      var warps: [RectilinearWarp] = []
      for _ in 0..<(try reader.planes()) {
        let k = try reader.doubles(19)
        guard k[17] <= k[18] else { throw .damaged("an opcode's range of radii") }
        warps.append(
          RectilinearWarp(
            radial: Array(k[..<15]), tangential: SIMD2(k[15], k[16]), validRadii: k[17]...k[18]))
      }
      self = .warpRectilinear2(
        warps, center: try reader.point(), isReciprocal: try reader.integer() != 0)
    default:
      self = .unknown(data)
      return
    }
    guard reader.isAtEnd else { throw .damaged("opcode \(identifier) has data beyond its form") }
  }

  private static func badPixels(_ reader: inout OpcodeReader) throws(DNGError) -> OpcodeOperation {
    let phase = try reader.integer()
    let (pointCount, areaCount) = (try reader.integer(), try reader.integer())
    guard reader.count == 8 * pointCount + 16 * areaCount else {
      throw .damaged("a list of bad pixels ends too soon")
    }
    var points: [SIMD2<Int>] = []
    for _ in 0..<pointCount {
      let row = try reader.integer()
      points.append(SIMD2(try reader.integer(), row))
    }
    var areas: [PixelArea] = []
    for _ in 0..<areaCount { areas.append(try reader.area()) }
    return .fixBadPixelsList(bayerPhase: phase, points: points, areas: areas)
  }

  private static func lines(
    _ identifier: Int, _ reader: inout OpcodeReader
  ) throws(DNGError) -> OpcodeOperation {
    let area = try reader.opcodeArea()
    let count = try reader.integer()
    let isRows = identifier == 10 || identifier == 12
    guard count == (isRows ? area.rowCount : area.columnCount) else {
      throw .damaged("an opcode has \(count) numbers for other rows or columns")
    }
    let values = try reader.floats(count)
    return switch identifier {
    case 10: .deltaPerRow(area, values)
    case 11: .deltaPerColumn(area, values)
    case 12: .scalePerRow(area, values)
    default: .scalePerColumn(area, values)
    }
  }
}

extension OpcodeReader {
  fileprivate mutating func planes() throws(DNGError) -> Int {
    let count = try integer()
    guard (1...4).contains(count) else { throw .damaged("an opcode of \(count) planes") }
    return count
  }

  /// A point, as fractions 0 to 1 of the width and height.
  fileprivate mutating func point() throws(DNGError) -> SIMD2<Double> {
    let x = try double()
    return SIMD2(x, try double())
  }

  fileprivate mutating func area() throws(DNGError) -> PixelArea {
    var edges: [Int] = []
    for _ in 0..<4 { edges.append(Int(Int32(bitPattern: try word(UInt32.self)))) }
    guard edges[0] <= edges[2], edges[1] <= edges[3] else {
      throw .damaged("an opcode's area is inside out")
    }
    return PixelArea(top: edges[0], left: edges[1], bottom: edges[2], right: edges[3])
  }

  fileprivate mutating func opcodeArea() throws(DNGError) -> OpcodeArea {
    let area = try area()
    let result = OpcodeArea(
      area: area, plane: try integer(), planeCount: try integer(), rowPitch: try integer(),
      columnPitch: try integer())
    guard result.planeCount > 0, result.rowPitch > 0, result.columnPitch > 0 else {
      throw .damaged("an opcode's area has no samples")
    }
    return result
  }

  fileprivate mutating func gainGrid() throws(DNGError) -> GainGrid {
    let (rows, columns) = (try integer(), try integer())
    let place = try doubles(4)
    let planes = try integer()
    let (points, isLarge) = rows.multipliedReportingOverflow(by: columns)
    guard !isLarge, points > 0, (1...16).contains(planes), points <= count / 4 else {
      throw .damaged("an opcode's gain map ends too soon")
    }
    return GainGrid(
      rows: rows, columns: columns, spacingV: place[0], spacingH: place[1], originV: place[2],
      originH: place[3], planes: planes, gains: try floats(points * planes))
  }
}
