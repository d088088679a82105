import CRawKernels
import DNG
import MediaCore

/// Applies lists of opcodes to light, as specified in chapter 7 of the DNG specification 1.7.1.
struct OpcodeRunner {
  /// When a list is applied.
  enum Stage {
    /// To stored codes; the unit is a code, and 65535 codes are 1.
    case stored
    /// To linear light before demosaicking.
    case linear
    /// To the image after demosaicking.
    case demosaicked
  }

  /// When the list is applied.
  let stage: Stage
  /// True for a file of floating-point samples.
  var isFloat = false
  /// Pixels of the file along the side of a pixel of the planes.
  var reduction = 1
  /// A pixel's height relative to its width.
  var pixelHeight = 1.0
  /// True for a mosaic, in which neighboring samples have different colors.
  var isMosaic = false
  /// True to skip opcodes that are optional for previews.
  var isPreview = false
  /// False to skip optional lens opcodes.
  var correctsLens = true
  /// Called before each opcode, because a file may have many; returning true cancels the work.
  var isCanceled: @Sendable () -> Bool = { false }

  /// True if a list would change something.
  func changes(_ list: OpcodeList) -> Bool { list.opcodes.contains { isWanted($0) } }

  /// Opcodes of a list that are not applied, with reasons; a file with a non-optional one is refused with the same
  /// words.
  func unsupported(_ list: OpcodeList) -> [(isOptional: Bool, reason: String)] {
    list.opcodes.compactMap { opcode in
      unsupported(opcode).map { (opcode.isOptional, $0) }
    }
  }

  private func unsupported(_ opcode: OpcodeList.Opcode) -> String? {
    guard case .unknown = opcode.operation else { return nil }
    let version = opcode.version.map { String($0) }.joined(separator: ".")
    return "opcode \(opcode.identifier) is unknown (DNG \(version))"
  }

  private func isSkipped(_ opcode: OpcodeList.Opcode) -> Bool {
    isPreview && opcode.isSkippedInPreviews
  }

  private func isWanted(_ opcode: OpcodeList.Opcode) -> Bool {
    if isSkipped(opcode) { return false }
    if opcode.isOptional, unsupported(opcode) != nil { return false }
    switch opcode.operation {
    case .warpRectilinear, .warpRectilinear2, .warpFisheye, .fixVignetteRadial:
      return correctsLens || !opcode.isOptional
    default: return true
    }
  }

  /// Applies a list; the result may be other planes.
  ///
  /// - Throws: ``RawDevelopError/Code/unsupported`` for an unknown opcode that is not optional, and
  ///   ``RawDevelopError/Code/canceled``.
  func apply(_ list: OpcodeList, to planes: LightPlanes) throws(RawDevelopError) -> LightPlanes {
    var planes = planes
    var followsWarp2 = false
    for opcode in list.opcodes {
      // An older warp directly after an optional newer one is for readers that do not know the newer one.
      let isOlderForm =
        switch opcode.operation {
        case .warpRectilinear, .warpFisheye: followsWarp2
        default: false
        }
      followsWarp2 =
        if case .warpRectilinear2 = opcode.operation {
          opcode.isOptional && !isSkipped(opcode)
        } else { false }
      guard isWanted(opcode), !isOlderForm else { continue }
      if isCanceled() { throw .canceled }
      planes = try run(opcode, planes)
    }
    return planes
  }

  /// An image's extent after a list's trimming.
  func trim(_ list: OpcodeList, _ extent: ImageExtent) -> ImageExtent {
    var extent = extent
    for opcode in list.opcodes where isWanted(opcode) {
      guard case .trimBounds(let area) = opcode.operation else { continue }
      extent.left += area.left
      extent.top += area.top
      (extent.width, extent.height) = (area.width, area.height)
    }
    return extent
  }

  private func run(
    _ opcode: OpcodeList.Opcode, _ planes: LightPlanes
  ) throws(RawDevelopError) -> LightPlanes {
    if let reason = unsupported(opcode) {
      throw RawDevelopError(
        .unsupported, "\(reason), and the file does not mark it as optional")
    }
    switch opcode.operation {
    case .warpRectilinear, .warpFisheye, .warpRectilinear2:
      warp(planes, opcode.operation)
    case .fixVignetteRadial(let coefficients, let center):
      fixVignette(planes, coefficients, center)
    case .fixBadPixelsConstant(let value, let phase):
      fixBadPixels(planes, value: value, phase: phase)
    case .fixBadPixelsList(let phase, let points, let areas):
      fixBadPixels(planes, points: points, areas: areas, phase: phase)
    case .trimBounds(let area): return try trimmed(planes, area)
    case .mapTable(let area, let table):
      let last = table.count - 1
      each(planes, area) { value, _, _, _ in
        Float(table[min(Int((value.bounded(0, 1) * 65_535).rounded()), last)]) / 65_535
      }
    case .mapPolynomial(let area, let terms):
      let unit: Double = stage == .stored && !isFloat ? 65_535 : 1
      let (start, rest) = (terms.first ?? 0, Array(terms.dropFirst().reversed()))
      each(planes, area) { value, _, _, _ in
        // Below black the curve is mirrored, as in Adobe's SDK: a square term would turn noise below black into
        // light.
        let x = Double(value) * unit
        let slope = rest.reduce(0) { $0 * abs(x) + $1 }
        return Float((start + x * slope) / unit)
      }
    case .gainMap(let area, let grid):
      guard grid.rows == 1 || grid.spacingV > 0, grid.columns == 1 || grid.spacingH > 0 else {
        throw RawDevelopError(.invalidFile, "a gain map in the file has no point distance")
      }
      applyGains(planes, area, grid)
    case .deltaPerRow(let area, let values):
      let unit = deltaUnit
      each(planes, area) { value, row, _, _ in value + values[row] / unit }
    case .deltaPerColumn(let area, let values):
      let unit = deltaUnit
      each(planes, area) { value, _, column, _ in value + values[column] / unit }
    case .scalePerRow(let area, let values):
      each(planes, area) { value, row, _, _ in value * values[row] }
    case .scalePerColumn(let area, let values):
      each(planes, area) { value, _, column, _ in value * values[column] }
    case .unknown: break
    }
    return planes
  }

  /// The unit of deltas: in integer files, Adobe's SDK states them in 16-bit codes at every stage.
  private var deltaUnit: Float { isFloat ? 1 : 65_535 }

  // MARK: Areas

  /// The minimum that an opcode leaves: codes cannot be below 0.
  private var floor: Float { stage == .stored ? 0 : -1 }

  /// True if an opcode's output is rounded to whole 16-bit codes. Adobe's SDK does so between the opcodes of
  /// integer files, and it shows with polynomials that linearize 8-bit codes, whose darkest codes are only a few
  /// such steps. Averages of several pixels, and stored codes, are not rounded.
  private var isRounding: Bool { stage != .stored && !isFloat && reduction == 1 }

  /// For each line (row or column) of the planes, the lines of the file that an area changes: the index of the
  /// first one among all changed lines, and their share. Nil if none is changed.
  private func changedLines(
    _ count: Int, from begin: Int, to end: Int, pitch: Int
  ) -> [(number: Int, share: Float)?] {
    (0..<count).map { block in
      let first = block * reduction - begin
      let number = max((first + pitch - 1) / pitch, 0)
      let last = min(first + reduction, end - begin) - 1
      guard number * pitch <= last else { return nil }
      return (number, Float((last - number * pitch) / pitch + 1) / Float(reduction))
    }
  }

  /// Changes the samples in an area; `body` receives the value, the indices of its row and column among the changed
  /// ones, and the plane.
  private func each(
    _ planes: LightPlanes, _ area: OpcodeArea, _ body: @Sendable (Float, Int, Int, Int) -> Float
  ) {
    let last = min(area.plane + area.planeCount, planes.count)
    guard area.plane < last else { return }
    let (floor, isRounding) = (floor, isRounding)
    let rowChanges = changedLines(
      planes.height, from: area.area.top, to: area.area.bottom, pitch: area.rowPitch)
    let columnChanges = changedLines(
      planes.width, from: area.area.left, to: area.area.right, pitch: area.columnPitch)
    for plane in area.plane..<last {
      planes.bands { rows in
        let target = planes[plane]
        for row in rows {
          guard let (y, rowShare) = rowChanges[row] else { continue }
          for column in 0..<planes.width {
            guard let (x, columnShare) = columnChanges[column] else { continue }
            let place = row * planes.width + column
            var value = body(target[place], y, x, plane).bounded(floor, 1)
            if isRounding { value = (value * 65_535).rounded() / 65_535 }
            let share = rowShare * columnShare
            // If an opcode changes only some pixels in an averaged block, blend in proportion.
            target[place] = share == 1 ? value : target[place] + (value - target[place]) * share
          }
        }
      }
    }
  }

  private func applyGains(_ planes: LightPlanes, _ area: OpcodeArea, _ grid: GainGrid) {
    // For a single point, the position does not matter.
    let (spacingV, spacingH) = (
      grid.rows > 1 ? grid.spacingV : 1, grid.columns > 1 ? grid.spacingH : 1
    )
    let (originV, originH) = (grid.rows > 1 ? grid.originV : 0, grid.columns > 1 ? grid.originH : 0)
    let (width, height) = (Double(planes.width * reduction), Double(planes.height * reduction))
    func place(
      _ pixel: Int, _ size: Double, _ origin: Double, _ spacing: Double, _ count: Int
    ) -> (index: Int, part: Float) {
      let point = ((Double(pixel) + 0.5) / size - origin) / spacing
      let inside = point.isNaN ? 0 : min(max(point, 0), Double(count - 1))
      return (Int(inside), Float(inside - inside.rounded(.down)))
    }
    // Columns have the same positions in every row.
    let across = (0..<Int(width)).map { place($0, width, originH, spacingH, grid.columns) }
    let down = (0..<Int(height)).map { place($0, height, originV, spacingV, grid.rows) }
    each(planes, area) { value, row, column, plane in
      let y = min(max(area.area.top + row * area.rowPitch, 0), down.count - 1)
      let x = min(max(area.area.left + column * area.columnPitch, 0), across.count - 1)
      let (v, h) = (down[y], across[x])
      let component = min(plane, grid.planes - 1)
      func gain(_ row: Int, _ column: Int) -> Float {
        let (row, column) = (min(row, grid.rows - 1), min(column, grid.columns - 1))
        return grid.gains[(row * grid.columns + column) * grid.planes + component]
      }
      let left = gain(v.index, h.index) * (1 - v.part) + gain(v.index + 1, h.index) * v.part
      let right =
        gain(v.index, h.index + 1) * (1 - v.part) + gain(v.index + 1, h.index + 1) * v.part
      return value * (left * (1 - h.part) + right * h.part)
    }
  }

  private func trimmed(
    _ planes: LightPlanes, _ area: PixelArea
  ) throws(RawDevelopError) -> LightPlanes {
    let (width, height) = (planes.width * reduction, planes.height * reduction)
    guard area.top >= 0, area.left >= 0, area.top < area.bottom, area.left < area.right,
      area.bottom < height + reduction, area.right < width + reduction
    else {
      throw RawDevelopError(.invalidFile, "the file trims its image to an area outside it")
    }
    let (columns, rows) = planes.blocks(of: area, reduction: reduction)
    return planes.cropped(columns, rows)
  }
}
