/// Demosaicking of docs/raw.md, pixel by pixel: what the kernel must do.
struct PlainDemosaicking {
  let mosaic: [Float]
  let side: Int
  let redRow: Int
  let redColumn: Int

  private func isGreen(_ row: Int, _ column: Int) -> Bool {
    (row + column + redRow + redColumn) % 2 == 1
  }

  private func light(_ row: Int, _ column: Int) -> Float { mosaic[row * side + column] }

  /// Green minus the other color, guessed along rows or columns.
  private func difference(_ row: Int, _ column: Int, down: Bool) -> Float {
    func at(_ step: Int) -> Float {
      down ? light(row + step, column) : light(row, column + step)
    }
    let guess = (at(-1) + at(1)) / 2 + (2 * at(0) - at(-2) - at(2)) / 4
    return isGreen(row, column) ? at(0) - guess : guess - at(0)
  }

  /// One over the squared change of differences over five by five pixels.
  private func weight(_ row: Int, _ column: Int, down: Bool) -> Float {
    var sum: Float = 0
    for y in row - 2...row + 2 {
      for x in column - 2...column + 2 {
        sum +=
          down
          ? abs(difference(y - 1, x, down: true) - difference(y + 1, x, down: true))
          : abs(difference(y, x - 1, down: false) - difference(y, x + 1, down: false))
      }
    }
    let inverse = 1 / (sum + 1e-4)
    return inverse * inverse
  }

  private func mixed(_ row: Int, _ column: Int) -> Float {
    var (sum, weights): (Float, Float) = (0, 0)
    for (y, x) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
      let down = y != 0
      let guess =
        difference(row, column, down: down) / 2
        + (difference(row + y, column + x, down: down)
          + difference(row + 2 * y, column + 2 * x, down: down)) / 4
      let weight = weight(row + 2 * y, column + 2 * x, down: down)
      sum += weight * guess
      weights += weight
    }
    return sum / weights
  }

  /// Red, green and blue of a pixel.
  func color(_ row: Int, _ column: Int) -> [Float] {
    let isRedRow = row % 2 == redRow
    let here = light(row, column)
    guard isGreen(row, column) else {
      let green = here + mixed(row, column)
      var sum: Float = 0
      for (y, x) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
        sum += mixed(row + y, column + x) * 10 / 32
        sum -= (mixed(row + 3 * y, column + x) + mixed(row + y, column + 3 * x)) / 32
      }
      return isRedRow ? [here, green, green - sum] : [green - sum, green, here]
    }
    func mean(_ y: Int, _ x: Int) -> Float {
      let (a, b) = (
        weight(row - y, column - x, down: y != 0), weight(row + y, column + x, down: y != 0)
      )
      return (a * mixed(row - y, column - x) + b * mixed(row + y, column + x)) / (a + b)
    }
    let (beside, above) = (here - mean(0, 1), here - mean(1, 0))
    return isRedRow ? [beside, here, above] : [above, here, beside]
  }
}
