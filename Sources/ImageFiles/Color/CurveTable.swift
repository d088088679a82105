/// A function of numbers from 0 to 256, tabulated over their logarithm.
///
/// It interpolates between the entries, of which there are 512 for each power of two from 2^-40 up; the error is
/// below a millionth of the function's change over an octave.
struct CurveTable: Sendable {
  private static let shift: UInt32 = 14
  private static let least = Float(sign: .plus, exponent: -40, significand: 1)
  private static let first = least.bitPattern >> shift
  private static let last = Float(256).bitPattern >> shift
  private let values: [Float]
  private let zero: Float

  init(_ function: (Double) -> Double) {
    zero = Float(function(0))
    values = (Self.first...Self.last + 1).map {
      Float(function(Double(Float(bitPattern: $0 << Self.shift))))
    }
  }

  /// The function's value; numbers below 0 and NaN count as 0, numbers above 256 as 256.
  @inline(__always)
  subscript(number: Float) -> Float {
    guard number >= Self.least else {
      return number > 0 ? zero + (values[0] - zero) * (number / Self.least) : zero
    }
    let bits = min(number, 256).bitPattern
    let index = Int(bits >> Self.shift - Self.first)
    let part = Float(bits & (1 << Self.shift - 1)) * (1 / Float(1 << Self.shift))
    return values[index] + (values[index + 1] - values[index]) * part
  }
}
