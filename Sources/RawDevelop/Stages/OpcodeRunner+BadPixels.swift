import DNG
import MediaCore

extension OpcodeRunner {
  /// Repairs samples that have a certain code.
  func fixBadPixels(_ planes: LightPlanes, value: Int, phase: Int) {
    let bad = Float(value) / 65_535
    let isBad = (0..<planes.width * planes.height).map { abs(planes[0][$0] - bad) < 0.25 / 65_535 }
    repair(planes, isBad, phase: phase)
  }

  /// Repairs listed pixels and areas.
  func fixBadPixels(
    _ planes: LightPlanes, points: [SIMD2<Int>], areas: [PixelArea], phase: Int
  ) {
    var isBad = [Bool](repeating: false, count: planes.width * planes.height)
    func mark(_ row: Int, _ column: Int) {
      let (row, column) = (row / reduction, column / reduction)
      guard row >= 0, row < planes.height, column >= 0, column < planes.width else { return }
      isBad[row * planes.width + column] = true
    }
    for point in points { mark(point.y, point.x) }
    // The areas of a damaged list may cover the image many times.
    var budget = 4 * isBad.count * reduction * reduction
    for area in areas {
      guard area.top < area.bottom, area.left < area.right else { continue }
      let rows = (area.top..<area.bottom).clamped(to: 0..<planes.height * reduction)
      let columns = (area.left..<area.right).clamped(to: 0..<planes.width * reduction)
      budget -= rows.count * columns.count
      guard budget >= 0 else { break }
      for row in rows { for column in columns { mark(row, column) } }
    }
    repair(planes, isBad, phase: phase)
  }

  /// Replaces each bad sample by the mean of the nearest good ones of its color; those in the direction with the
  /// least difference have the most weight.
  private func repair(_ planes: LightPlanes, _ isBad: [Bool], phase: Int) {
    let (width, height) = (planes.width, planes.height)
    let isMosaic = isMosaic && planes.count == 1 && reduction == 1
    for plane in 0..<planes.count {
      let light = planes[plane]
      // Repairs use the original samples, and are stored afterwards.
      var repaired: [(place: Int, value: Float)] = []
      for place in isBad.indices where isBad[place] {
        let (row, column) = (place / width, place % width)
        // DNG's phase says which position in the cell is red: with 0 and 3, red and blue are on the diagonal of
        // even sums.
        let isGreen = isMosaic && (row + column + (phase == 0 || phase == 3 ? 0 : 1)) & 1 == 1
        let directions =
          !isMosaic
          ? [SIMD2(1, 0), SIMD2(0, 1), SIMD2(1, 1), SIMD2(1, -1)]
          : isGreen
            ? [SIMD2(2, 0), SIMD2(0, 2), SIMD2(1, 1), SIMD2(1, -1)]
            : [SIMD2(2, 0), SIMD2(0, 2), SIMD2(2, 2), SIMD2(2, -2)]
        func good(_ step: SIMD2<Int>) -> Float? {
          let (y, x) = (row + step.y, column + step.x)
          guard y >= 0, y < height, x >= 0, x < width, !isBad[y * width + x] else { return nil }
          return light[y * width + x]
        }
        var (sum, weights): (Float, Float) = (0, 0)
        for reach in 1...8 where weights == 0 {
          for direction in directions {
            switch (good(direction &* reach), good(direction &* -reach)) {
            case (let a?, let b?):
              let weight = 1 / ((a - b) * (a - b) + 1e-6)
              sum += weight * (a + b) / 2
              weights += weight
            case (let one?, nil), (nil, let one?):
              sum += one
              weights += 1
            default: break
            }
          }
        }
        if weights > 0 { repaired.append((place, sum / weights)) }
      }
      for (place, value) in repaired { light[place] = value }
    }
  }
}
