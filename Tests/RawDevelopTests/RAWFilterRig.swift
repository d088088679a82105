import Foundation

@testable import RawDevelop

/// Shared by tests of `RAWFilter`: filters of example negatives, and a mosaic with gentle waves of light.
protocol RAWFilterRig {}

extension RAWFilterRig {
  func filter(
    _ negative: ExampleNegative = ExampleNegative()
  ) throws -> RAWFilter { try RAWFilter(data: try negative.bytes()) }

  var mosaic: ExampleNegative {
    var negative = ExampleNegative()
    (negative.components, negative.width, negative.height) = (1, 240, 200)
    negative.light = { row, column, color in
      let wave = sin(Double(column) / 23) * cos(Double(row) / 17)
      return (0.3 + 0.25 * wave) * [0.5, 1, 0.66][color]
    }
    return negative
  }
}
