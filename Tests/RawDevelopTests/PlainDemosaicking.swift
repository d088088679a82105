/// Demosaicking as in docs/raw.md, pixel by pixel: the reference for the kernel.
final class PlainDemosaicking {
  private let mosaic: [Float]
  private let side: Int
  private let redRow: Int
  private let redColumn: Int
  /// Green at red and blue pixels, computed on demand.
  private var greens: [Int: Float] = [:]

  init(mosaic: [Float], side: Int, redRow: Int, redColumn: Int) {
    self.mosaic = mosaic
    self.side = side
    self.redRow = redRow
    self.redColumn = redColumn
  }

  private func isGreen(_ row: Int, _ column: Int) -> Bool {
    (row + column + redRow + redColumn) % 2 == 1
  }

  private func light(_ row: Int, _ column: Int) -> Float { mosaic[row * side + column] }

  /// Green minus the other color, estimated along rows or columns.
  private func difference(_ row: Int, _ column: Int, down: Bool) -> Float {
    func at(_ step: Int) -> Float {
      down ? light(row + step, column) : light(row, column + step)
    }
    let guess = (at(-1) + at(1)) / 2 + (2 * at(0) - at(-2) - at(2)) / 4
    return isGreen(row, column) ? at(0) - guess : guess - at(0)
  }

  /// How much differences vary over five by five pixels.
  private func change(_ row: Int, _ column: Int, down: Bool) -> Float {
    var sum: Float = 0
    for y in row - 2...row + 2 {
      for x in column - 2...column + 2 {
        sum +=
          down
          ? abs(difference(y - 1, x, down: true) - difference(y + 1, x, down: true))
          : abs(difference(y, x - 1, down: false) - difference(y, x + 1, down: false))
      }
    }
    return sum
  }

  /// The inverse square of that variation.
  private func weight(_ row: Int, _ column: Int, down: Bool) -> Float {
    let inverse = 1 / (change(row, column, down: down) + 1e-4)
    return inverse * inverse
  }

  /// The second difference of one color.
  private func bend(_ row: Int, _ column: Int, down: Bool) -> Float {
    let (y, x) = down ? (2, 0) : (0, 2)
    return 2 * light(row, column) - light(row - y, column - x) - light(row + y, column + x)
  }

  /// Distrust of the differences: how much of the light's bending they contain, 0 to 1.
  private func doubt(_ row: Int, _ column: Int) -> Float {
    var sum: Float = 0
    for y in row - 2...row + 2 {
      for x in column - 2...column + 2 {
        sum += abs(bend(y, x, down: false)) + abs(bend(y, x, down: true))
      }
    }
    let change = change(row, column, down: false) + change(row, column, down: true)
    return min(max((change / (sum + 0.04) - 0.3) * 2.5, 0), 1)
  }

  /// The pixel and its nearest neighbors of the same color.
  private func cell(_ row: Int, _ column: Int) -> [(Int, Int)] {
    [-2, 0, 2].flatMap { y in [-2, 0, 2].map { (row + y, column + $0) } }
  }

  /// How much green bends per bend of the other color.
  private func greenSlope(_ row: Int, _ column: Int) -> Float {
    var (product, square): (Float, Float) = (2e-3, 2e-3)
    for (row, column) in cell(row, column) {
      for down in [false, true] {
        func at(_ step: Int) -> Float {
          down ? light(row + step, column) : light(row, column + step)
        }
        let own = bend(row, column, down: down)
        product += own * (at(-1) + at(1) - at(-3) - at(3))
        square += own * own
      }
    }
    return min(max(product / square, 0), 1.5)
  }

  private func green(_ row: Int, _ column: Int) -> Float {
    let place = row * side + column
    if let green = greens[place] { return green }
    let green = light(row, column) + mixed(row, column)
    greens[place] = green
    return green
  }

  /// Red or blue at a pixel of that color, as a line over green: slope and intercept.
  private func line(_ row: Int, _ column: Int) -> (slope: Float, start: Float) {
    var (product, square): (Float, Float) = (5e-3, 5e-3)
    for (row, column) in cell(row, column) {
      var bent = 4 * green(row, column)
      for (y, x) in [(-2, 0), (2, 0), (0, -2), (0, 2)] { bent -= green(row + y, column + x) }
      product += bent * (bend(row, column, down: false) + bend(row, column, down: true))
      square += bent * bent
    }
    let slope = min(max(product / square, 0), 1.2)
    let counted = 1 + min(doubt(row, column) + 0.2, 1) * (slope - 1)
    return (counted, light(row, column) - counted * green(row, column))
  }

  /// Green minus the pixel's own color.
  private func mixed(_ row: Int, _ column: Int) -> Float {
    var (even, sloped, weights): (Float, Float, Float) = (0, 0, 0)
    let part = (greenSlope(row, column) - 1) / 4
    for (y, x) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
      let down = y != 0
      let here = difference(row, column, down: down)
      let near = difference(row + y, column + x, down: down)
      let beyond = difference(row + 2 * y, column + 2 * x, down: down)
      let weight = weight(row + 2 * y, column + 2 * x, down: down)
      even += weight * (here / 2 + (near + beyond) / 4)
      sloped += weight * (here + part * bend(row, column, down: down))
      weights += weight
    }
    return (even + doubt(row, column) * (sloped - even)) / weights
  }

  /// Red, green and blue of a pixel.
  func color(_ row: Int, _ column: Int) -> [Float] {
    let isRedRow = row % 2 == redRow
    let here = light(row, column)
    guard isGreen(row, column) else {
      let green = green(row, column)
      var (slope, start): (Float, Float) = (0, 0)
      for (y, x) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
        for (y, x, weight) in [(y, x, 10), (3 * y, x, -1), (y, 3 * x, -1)] as [(Int, Int, Float)] {
          let line = line(row + y, column + x)
          slope += line.slope * weight / 32
          start += line.start * weight / 32
        }
      }
      let other = slope * green + start
      return isRedRow ? [here, green, other] : [other, green, here]
    }
    func mean(_ y: Int, _ x: Int) -> Float {
      let (a, b) = (
        weight(row - y, column - x, down: y != 0), weight(row + y, column + x, down: y != 0)
      )
      let (before, after) = (line(row - y, column - x), line(row + y, column + x))
      let slope = (a * before.slope + b * after.slope) / (a + b)
      return slope * here + (a * before.start + b * after.start) / (a + b)
    }
    let (beside, above) = (mean(0, 1), mean(1, 0))
    return isRedRow ? [beside, here, above] : [above, here, beside]
  }
}
