import CRawKernels
import MediaCore

/// Rebuilds clipped colors from the unclipped colors at the same position.
///
/// A clipped color becomes the cube of the mean of the others' cube roots, each averaged over 3 by 3 positions,
/// plus the mean difference from that guess observed next to clipped areas. The idea is "opposed" inpainting, known
/// from darktable.
struct HighlightRecovery {
  /// The camera colors of white.
  let white: [Double]
  /// Light at or above this level is clipped.
  private let threshold: Float = 0.987

  /// Rebuilds clipped light in place.
  func apply(to planes: LightPlanes, _ pattern: BayerPattern?) -> LightPlanes {
    guard isClipped(planes) else { return planes }
    let cells = pattern.map { superpixels(of: planes, $0) } ?? planes
    guard cells.count == 3 else { return planes }
    let guesses = LightPlanes(width: cells.width, height: cells.height, count: 3)
    let balance = white.map { Float($0) }
    let threshold = threshold
    let band = 32
    let offsets = ConcurrentMap.map((cells.height + band - 1) / band) { index in
      var sums = [Double](repeating: 0, count: 6)
      var marks = [UInt8](repeating: 0, count: cells.width)
      raw_guess_highlights(
        cells[0], cells[1], cells[2], cells.width, cells.height, index * band,
        min((index + 1) * band, cells.height), balance, threshold, &marks, guesses[0], guesses[1],
        guesses[2], &sums)
      return sums
    }
    // Summed in the order of bands, whichever threads processed them.
    let sums = offsets.reduce([Double](repeating: 0, count: 6)) { total, part in
      zip(total, part).map { $0 + $1 }
    }
    let offset: [Float] = (0..<3).map { color in
      sums[3 + color] > 0 ? Float(sums[color] / sums[3 + color]) : 0
    }
    planes.bands { rows in
      for row in rows {
        for plane in 0..<planes.count {
          let colors =
            pattern.map { pattern in
              (0..<2).map { Int(pattern.color(row: row, column: $0).rawValue) }
            } ?? [plane, plane]
          let cellRow = pattern == nil ? row : min(row / 2, cells.height - 1)
          let places = colors.map { Optional(UnsafePointer(guesses[$0] + cellRow * cells.width)) }
          raw_rebuild_highlights(
            planes[plane] + row * planes.width, planes.width, places, cells.width,
            colors.map { offset[$0] }, colors.map { balance[$0] }, pattern == nil ? 1 : 2,
            threshold)
        }
      }
    }
    return planes
  }

  /// True if any light is clipped.
  private func isClipped(_ planes: LightPlanes) -> Bool {
    let (length, threshold) = (planes.width, threshold)
    return ConcurrentMap.map((planes.height + 63) / 64) { band in
      (0..<planes.count).contains { plane in
        let rows = band * 64..<min((band + 1) * 64, planes.height)
        return raw_has_light(
          planes[plane] + rows.lowerBound * length, rows.count * length, threshold) != 0
      }
    }.contains(true)
  }

  /// Each cell of 2 by 2 pixels as one pixel with three colors.
  private func superpixels(of mosaic: LightPlanes, _ pattern: BayerPattern) -> LightPlanes {
    let cells = LightPlanes(
      width: max(mosaic.width / 2, 1), height: max(mosaic.height / 2, 1), count: 3)
    let red = pattern.redOffset
    cells.bands { rows in
      for row in rows {
        let place = row * cells.width
        raw_bin_mosaic(
          mosaic[0] + 2 * row * mosaic.width, mosaic.width, min(2, mosaic.height - 2 * row), 2,
          UInt32(red.row), UInt32(red.column), cells.width, cells[0] + place, cells[1] + place,
          cells[2] + place)
      }
    }
    return cells
  }
}
