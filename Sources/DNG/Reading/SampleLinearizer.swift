import CRawKernels

/// Converts stored samples to linear light: applies the linearization table, subtracts black and divides by white.
///
/// Light is at most 1, unless floats above white are kept; below black it stays negative.
package struct SampleLinearizer: Sendable {
  /// The active area, whose rows and columns are linearized.
  package let area: PixelArea
  /// Samples per pixel.
  package let components: Int
  private let samples: DNGSamples
  private let blackRows: Int
  private let blackColumns: Int
  private let table: [UInt16]
  private let black: [Float]
  private let deltaH: [Float]
  private let deltaV: [Float]
  private let scale: [Float]
  private let keepsLight: Bool

  /// - Parameter keepsLight: True to keep floating-point samples above white.
  package init(_ samples: DNGSamples, _ levels: RawLevels, keepsLight: Bool = false) {
    self.keepsLight = keepsLight
    self.samples = samples
    area = levels.activeArea
    components = levels.white.count
    (blackRows, blackColumns) = (levels.blackRows, levels.blackColumns)
    table = levels.linearizationTable ?? []
    black = levels.black.map { Float($0) }
    deltaH = levels.blackDeltaH.map { Float($0) }
    deltaV = levels.blackDeltaV.map { Float($0) }
    scale = zip(levels.white, levels.greatestBlack).map { Float(1 / ($0 - $1)) }
  }

  /// Linearizes rows of the active area to interleaved samples.
  ///
  /// - Parameters:
  ///   - rows: The rows, counted from the top of ``area``.
  ///   - light: The target, with room for `components` samples per pixel.
  package func linearize(_ rows: Range<Int>, into light: UnsafeMutablePointer<Float>) {
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
              (kernel.black_rows, kernel.black_columns) = (blackRows, blackColumns)
              kernel.delta_h = deltaH.isEmpty ? nil : deltaH.baseAddress
              kernel.delta_v = deltaV.isEmpty ? nil : deltaV.baseAddress
              kernel.scale = scale.baseAddress
              kernel.keeps_light = keepsLight ? 1 : 0
              raw_linearize(
                &kernel, codes, floats, stride, rows.lowerBound, rows.upperBound, light)
            }
          }
        }
      }
    }
  }
}
