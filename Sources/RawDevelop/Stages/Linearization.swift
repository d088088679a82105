import CRawKernels
import DNG
import MediaCore

/// Converts stored samples to planes of linear light, in bands of rows.
struct Linearization: Sendable {
  private let linearizer: SampleLinearizer

  var area: PixelArea { linearizer.area }
  var components: Int { linearizer.components }

  /// - Parameter keepsLight: True to keep floating-point samples above white.
  init(_ samples: DNGSamples, _ levels: RawLevels, keepsLight: Bool = false) {
    linearizer = SampleLinearizer(samples, levels, keepsLight: keepsLight)
  }

  /// Linearizes rows of the active area to interleaved samples.
  func linearize(_ rows: Range<Int>, into light: UnsafeMutablePointer<Float>) {
    linearizer.linearize(rows, into: light)
  }

  /// The whole active area as planes, each block of `reduction` by `reduction` pixels averaged to one.
  ///
  /// For a mosaic, a block must consist of whole cells. With a reduction above 1, each block yields three colors,
  /// so nothing is interpolated.
  func planes(reduction: Int = 1, pattern: BayerPattern? = nil) -> LightPlanes {
    let (width, height) = (max(area.width / reduction, 1), max(area.height / reduction, 1))
    let isBinned = pattern != nil && reduction > 1
    let planes = LightPlanes(width: width, height: height, count: isBinned ? 3 : components)
    let rowLength = area.width * components
    planes.bands(of: max(32 / reduction, 1)) { rows in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: rowLength * reduction) { lines in
        guard let light = lines.baseAddress else { return }
        for row in rows {
          let last = min((row + 1) * reduction, area.height)
          linearize(row * reduction..<last, into: light)
          if let pattern, isBinned {
            bin(light, rows: last - row * reduction, pattern, reduction, row, into: planes)
          } else {
            average(light, rows: last - row * reduction, reduction, row, into: planes)
          }
        }
      }
    }
    return planes
  }

  /// Fills rows of planes of the active area; `first` is the row with which the planes begin.
  func fill(_ planes: LightPlanes, _ rows: Range<Int>, first: Int) {
    ConcurrentMap.bands(rows.count, of: 32) { band in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: area.width * components) { line in
        guard let light = line.baseAddress else { return }
        for row in band {
          let row = rows.lowerBound + row
          linearize(row..<row + 1, into: light)
          average(light, rows: 1, 1, row - first, into: planes)
        }
      }
    }
  }

  private func bin(
    _ light: UnsafePointer<Float>, rows: Int, _ pattern: BayerPattern, _ reduction: Int, _ row: Int,
    into planes: LightPlanes
  ) {
    let red = pattern.redOffset
    raw_bin_mosaic(
      light, area.width, rows, reduction, UInt32(red.row), UInt32(red.column), planes.width,
      planes[0] + row * planes.width, planes[1] + row * planes.width,
      planes[2] + row * planes.width)
  }

  private func average(
    _ light: UnsafePointer<Float>, rows: Int, _ reduction: Int, _ row: Int,
    into planes: LightPlanes
  ) {
    for plane in 0..<components {
      raw_average(
        light, area.width, components, plane, rows, reduction, planes.width,
        planes[plane] + row * planes.width)
    }
  }
}
