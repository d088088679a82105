import CRawKernels
import DNG
import MediaCore

/// Brings stored samples to linear light, rows at a time.
///
/// It owns what the kernel reads, which only reads it.
final class Linearization: Sendable {
  let area: PixelArea
  let components: Int
  private let samples: DNGSamples
  private let levels: RawLevels
  private let table: [UInt16]
  private let black: [Float]
  private let deltaH: [Float]
  private let deltaV: [Float]
  private let scale: [Float]

  init(_ samples: DNGSamples, _ levels: RawLevels) {
    self.samples = samples
    self.levels = levels
    area = levels.activeArea
    components = levels.white.count
    table = levels.linearizationTable ?? []
    black = levels.black.map { Float($0) }
    deltaH = levels.blackDeltaH.map { Float($0) }
    deltaV = levels.blackDeltaV.map { Float($0) }
    scale = zip(levels.white, levels.greatestBlack).map { Float(1 / ($0 - $1)) }
  }

  /// Interleaved light of rows of the active area.
  func linearize(_ rows: Range<Int>, into light: UnsafeMutablePointer<Float>) {
    switch samples {
    case .integers(let image):
      image.samples.withUnsafeBufferPointer { run($0.baseAddress, nil, image.stride, rows, light) }
    case .floats(let image):
      image.samples.withUnsafeBufferPointer {
        run(nil, $0.baseAddress, image.width * image.components, rows, light)
      }
    }
  }

  private func run(
    _ codes: UnsafePointer<UInt16>?, _ floats: UnsafePointer<Float>?, _ stride: Int,
    _ rows: Range<Int>, _ light: UnsafeMutablePointer<Float>
  ) {
    table.withUnsafeBufferPointer { table in
      deltaH.withUnsafeBufferPointer { deltaH in
        deltaV.withUnsafeBufferPointer { deltaV in
          black.withUnsafeBufferPointer { black in
            scale.withUnsafeBufferPointer { scale in
              var kernel = raw_levels()
              (kernel.left, kernel.top) = (area.left, area.top)
              (kernel.columns, kernel.components) = (area.width, components)
              kernel.table = table.isEmpty ? nil : table.baseAddress
              kernel.table_count = table.count
              kernel.black = black.baseAddress
              (kernel.black_rows, kernel.black_columns) = (levels.blackRows, levels.blackColumns)
              kernel.delta_h = deltaH.isEmpty ? nil : deltaH.baseAddress
              kernel.delta_v = deltaV.isEmpty ? nil : deltaV.baseAddress
              kernel.scale = scale.baseAddress
              raw_linearize(
                &kernel, codes, floats, stride, rows.lowerBound, rows.upperBound, light)
            }
          }
        }
      }
    }
  }

  /// All of the active area as planes, each block of `reduction` pixels a side averaged to one.
  ///
  /// For a mosaic the block is a whole number of cells, and of a reduction above 1 the three colors
  /// of the block come out, so that nothing is interpolated.
  func planes(reduction: Int = 1, pattern: BayerPattern? = nil) -> LightPlanes {
    let (width, height) = (max(area.width / reduction, 1), max(area.height / reduction, 1))
    let isBinned = pattern != nil && reduction > 1
    let planes = LightPlanes(width: width, height: height, count: isBinned ? 3 : components)
    let rowLength = area.width * components
    planes.bands(of: max(32 / reduction, 1)) { [self] rows in
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

  /// Fills rows of planes of the active area; `first` is the row that the planes begin with.
  func fill(_ planes: LightPlanes, _ rows: Range<Int>, first: Int) {
    ConcurrentMap.bands(rows.count, of: 32) { [self] band in
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
