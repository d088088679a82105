import CRawKernels

/// The mean brightness around each position, from which local contrast moves pixels away.
final class LocalContrast: Sendable {
  /// The mean light in squares of an image, after its opcodes.
  struct Cells: Sendable {
    /// Pixels of the file along a cell's side, if the light is not reduced.
    static let side = 32

    /// One sample per cell.
    let planes: LightPlanes
    /// Pixels of the file along a cell's side.
    let side: Int

    /// Cells made of light that already has this size.
    init(_ planes: LightPlanes) {
      (self.planes, side) = (planes, Self.side)
    }

    /// Cells of stored linear pixels.
    init(_ linearization: Linearization) {
      self.init(linearization.planes(reduction: Self.side))
    }

    /// Cells of planes in which a sample is `reduction` by `reduction` pixels of the file.
    init(_ planes: LightPlanes, reduction: Int) {
      let count = max(Self.side / reduction, 1)
      self.planes = planes.averaged(count)
      side = count * reduction
    }
  }

  private let means: LightPlanes
  /// Pixels of the file along a cell's side.
  private let side: Int
  private let white: [Float]
  private let amount: Float

  /// Measures the means of an image.
  ///
  /// - Parameter limit: Balanced light above this is clipped in the image.
  init(_ light: Cells, white: [Double], amount: Double, limit: Float) {
    let cells = light.planes
    side = light.side
    self.white = white.map { Float($0) }
    self.amount = Float(amount)
    let (width, height) = (cells.width, cells.height)
    let brightness = LightPlanes(width: width, height: height, count: 1)
    let shares = [0.25, 0.5, 0.25].enumerated().map { Float($1 / white[$0]) }
    for place in 0..<width * height {
      brightness[0][place] = (0..<3).reduce(0) { sum, color in
        sum + shares[color]
          * min(cells[min(color, cells.count - 1)][place], limit * Float(white[color]))
      }
    }
    means = LightPlanes(width: width, height: height, count: 1)
    for row in 0..<height {
      for column in 0..<width {
        var (sum, count): (Float, Float) = (0, 0)
        for y in max(row - 1, 0)...min(row + 1, height - 1) {
          for x in max(column - 1, 0)...min(column + 1, width - 1) {
            sum += brightness[0][y * width + x]
            count += 1
          }
        }
        means[0][row * width + column] = sum / count
      }
    }
  }

  /// Changes a run; `x` and `y` are the center of its first pixel in the trimmed active area.
  func apply(
    _ planes: [UnsafeMutablePointer<Float>], count: Int, x: Double, y: Double, step: Double
  ) {
    var kernel = raw_local_contrast()
    kernel.means = UnsafePointer(means[0])
    (kernel.columns, kernel.rows) = (means.width, means.height)
    kernel.cell = Float(side)
    kernel.white = (white[0], white[1], white[2])
    kernel.amount = amount
    raw_local_contrast_run(
      &kernel, count, Float(x), Float(y), Float(step), planes[0], planes[1], planes[2])
  }
}
