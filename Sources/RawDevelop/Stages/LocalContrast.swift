import CRawKernels

/// The mean brightness around each place, from which local contrast brings pixels away.
final class LocalContrast: Sendable {
  /// Pixels of a cell's side.
  private static let cell = 32

  private let means: LightPlanes
  private let white: [Float]
  private let amount: Float

  /// Measures the means of a picture.
  init(_ linearization: Linearization, _ negative: Negative, white: [Double], amount: Double) {
    let cells = linearization.planes(reduction: Self.cell, pattern: negative.pattern)
    self.white = white.map { Float($0) }
    self.amount = Float(amount)
    let (width, height) = (cells.width, cells.height)
    let brightness = LightPlanes(width: width, height: height, count: 1)
    let shares = [0.25, 0.5, 0.25].enumerated().map { Float($1 / white[$0]) }
    for place in 0..<width * height {
      brightness[0][place] = (0..<3).reduce(0) { sum, color in
        sum + shares[color] * cells[min(color, cells.count - 1)][place]
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

  /// Changes a run whose first pixel's center lies at a place of the active area.
  func apply(
    _ planes: [UnsafeMutablePointer<Float>], count: Int, x: Double, y: Double, step: Double
  ) {
    var kernel = raw_local_contrast()
    kernel.means = UnsafePointer(means[0])
    (kernel.columns, kernel.rows) = (means.width, means.height)
    kernel.cell = Float(Self.cell)
    kernel.white = (white[0], white[1], white[2])
    kernel.amount = amount
    raw_local_contrast_run(
      &kernel, count, Float(x), Float(y), Float(step), planes[0], planes[1], planes[2])
  }
}
