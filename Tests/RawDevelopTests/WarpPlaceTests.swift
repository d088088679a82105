import DNG
import Foundation
import Testing

@testable import RawDevelop

/// The parts in which a warp is computed leave no seams.
@Suite struct WarpPlaceTests {
  private static let (width, height, border) = (301, 279, 37)

  /// Smooth light without a period; the image begins at 0, 0.
  private func light(_ row: Int, _ column: Int, _ plane: Int) -> Float {
    let (x, y) = (Double(column), Double(row) + 40 * Double(plane))
    return Float(0.5 + 0.2 * sin(x / 3.1 + y / 7) + 0.2 * sin(y / 2.7 - x / 11))
  }

  /// The image with a border, warped around its center: each plane by its own lens.
  ///
  /// - Parameter lens: Coefficients of the powers 0, 2, 4 and 6 of a radius that is 1 in the corner of the
  /// image without its border.
  private func warped(border: Int, _ lens: [[Double]]) throws -> [Float] {
    let (width, height) = (Self.width + 2 * border, Self.height + 2 * border)
    let planes = LightPlanes(width: width, height: height, count: 3)
    for plane in 0..<3 {
      for index in 0..<width * height {
        planes[plane][index] = light(index / width - border, index % width - border, plane)
      }
    }
    func radius(_ width: Int, _ height: Int) -> Double {
      Double(width * width + height * height).squareRoot()
    }
    let growth = radius(width, height) / radius(Self.width, Self.height)
    var numbers: [Double] = []
    for powers in lens {
      var factor = 1.0
      for power in powers {
        numbers.append(power * factor)
        factor *= growth * growth
      }
      numbers += [0, 0]
    }
    let opcode = (1, OpcodeBytes.long(3) + OpcodeBytes.doubles(numbers + [0.5, 0.5]))
    let result = try OpcodeRunner(stage: .demosaicked, isFloat: true)
      .apply(try OpcodeList(OpcodeBytes.list([opcode])), to: planes)
    // Some pixels at the edges come from outside the image.
    var inner: [Float] = []
    for plane in 0..<3 {
      for row in border + 8..<border + Self.height - 8 {
        for column in border + 8..<border + Self.width - 8 {
          inner.append(result[plane][row * width + column])
        }
      }
    }
    return inner
  }

  @Test func a_border_does_not_change_the_warp() throws {
    let lens = [[0.998, -0.003, 0.008, -0.006], [1, 0, 0, 0], [0.999, -0.002, 0.006, -0.004]]
    let alone = try warped(border: 0, lens)
    let bordered = try warped(border: Self.border, lens)
    let most = zip(alone, bordered).map { abs($0 - $1) }.max() ?? 1
    #expect(most < 2e-4, "\(most)")
  }
}
