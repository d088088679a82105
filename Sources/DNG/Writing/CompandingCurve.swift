import MediaCore

/// A curve that reduces linear light to fewer bits, and its inverse, DNG's LinearizationTable.
///
/// Codes are spaced in proportion to the noise at their level, so that no step shows more than another. Some light
/// below black is kept, because noise extends there.
struct CompandingCurve: Sendable {
  /// Bits per code.
  let bitDepth: Int
  /// Black, in the table's output.
  let blackLevel: Int
  /// The output of each code, 0 to 65535.
  let table: [UInt16]
  private let codes: CodeTable

  /// A curve for light from black to 1 with known noise.
  ///
  /// - Parameter bitDepth: 8 to 16.
  init(noise: NoiseFigures, bitDepth: Int) {
    let count = 1 << bitDepth
    let sigma = noise.dark
    // Four standard deviations below black, up to a thirtieth of the range.
    let pedestal = min(max((4 * sigma * 65_535).rounded(.up), 16), 2048)
    let black = pedestal
    let span = 65_535 - black
    self.bitDepth = bitDepth
    self.blackLevel = Int(black)
    // Steps are proportional to the noise: a code's light is the inverse of the integral of one over the noise,
    // which has a closed form. Below black the noise is that in the dark.
    let slope = max(noise.slope, 1e-9)
    let floor = max(sigma * sigma, 1e-12)
    func steps(_ light: Double) -> Double {
      light <= 0
        ? light / floor.squareRoot()
        : 2 / slope * ((slope * light + floor).squareRoot() - floor.squareRoot())
    }
    func light(_ steps: Double) -> Double {
      guard steps > 0 else { return steps * floor.squareRoot() }
      let root = steps * slope / 2 + floor.squareRoot()
      return (root * root - floor) / slope
    }
    let (least, most) = (steps(-black / span), steps(1))
    var table: [UInt16] = []
    table.reserveCapacity(count)
    for code in 0..<count {
      let value = light(least + (most - least) * Double(code) / Double(count - 1))
      let output = (black + value * span).rounded()
      // Each code gets a different output as long as there is room.
      let next = table.last.map { Int($0) + 1 } ?? 0
      let room = 65_535 - (count - 1 - code)
      table.append(UInt16(min(max(Int(output), next), room)))
    }
    self.table = table
    codes = CodeTable(black: Int(black), codes: Self.invert(table))
  }

  /// The noise that a curve is based on.
  struct NoiseFigures: Hashable, Sendable {
    /// Variance per unit of light.
    var slope: Double
    /// The standard deviation in the dark.
    var dark: Double
  }

  /// The code nearest to each output.
  private static func invert(_ table: [UInt16]) -> [UInt16] {
    var code = 0
    return (0..<65_536).map { output in
      while code < table.count - 1,
        abs(Int(table[code + 1]) - output) <= abs(Int(table[code]) - output)
      {
        code += 1
      }
      return UInt16(code)
    }
  }

  /// The code for a table output.
  func code(_ output: Int) -> UInt16 { codes[output] }

  /// The codes of an image, with a factor applied to each of its three colors.
  func encode(_ image: LinearImage, factors: [Float]) -> [UInt16] {
    codes.encode(image, factors: factors)
  }
}
