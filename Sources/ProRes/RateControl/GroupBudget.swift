/// The bytes that the slices of a group may use, one after another.
///
/// A slice may use what is left of the group's limit, minus 1.25 times what the slices after it are expected to use,
/// or minus their share if that is less. The needs of flat slices come first, because a coarser step saves them
/// nothing.
struct GroupBudget {
  /// A slice that has not been encoded yet.
  private struct Waiting {
    /// Bytes that it is expected to take.
    var expected: Int32 = 0
    /// The same and a little more, but no more than flat slices need.
    var flat: Int32 = 0
    var index: UInt8 = 0
  }

  private var left: Int
  private let leastSlice: Int
  /// ``FramePlan/groupSize`` of them.
  private var slices = InlineArray<4, Waiting>(repeating: Waiting())
  private var count = 0
  /// Of the slice that comes next.
  private var position = 0
  /// Sums over the slices that wait.
  private var expected = 0
  private var flat = 0

  /// - Parameters:
  ///   - limit: Most bytes that the group may take, alpha left out.
  ///   - leastSlice: Bytes that a slice takes at the least.
  init(limit: Int, leastSlice: Int) {
    left = limit
    self.leastSlice = leastSlice
  }

  /// Adds a slice, to be encoded after those added before; no more than ``FramePlan/groupSize``.
  mutating func add(expected bytes: Int, macroblocks: Int, index: UInt8) {
    let flatBytes = max(leastSlice, min(bytes + bytes / 4 + 16, 6 * macroblocks))
    let expectedBytes = max(bytes, leastSlice)
    slices[count] = Waiting(
      expected: Int32(expectedBytes), flat: Int32(flatBytes), index: index)
    expected += expectedBytes
    flat += flatBytes
    count += 1
  }

  /// The next slice's index to begin with, and the most bytes that it may take.
  mutating func next() -> (index: Int, limit: Int) {
    let slice = slices[position]
    let (own, ownFlat) = (Int(slice.expected), Int(slice.flat))
    position += 1
    expected -= own
    flat -= ownFlat
    let after = count - position
    let rest = left - flat - ownFlat
    // Products below 2^53 have the same quotients in floating point, and sooner.
    let share =
      if rest >= 0 {
        flat
          + Self.quotient(
            rest * (max(expected - flat, 0) + 1),
            max(expected - flat, 0) + max(own - ownFlat, 0) + 2)
      } else {
        Self.quotient(left * expected, expected + own)
      }
    let reserve = max(min(expected + expected / 4 + 16 * after, share), after * leastSlice)
    return (Int(slice.index), max(left - reserve, leastSlice))
  }

  /// Subtracts the size of an encoded slice.
  mutating func spend(_ bytes: Int) { left -= bytes }

  private static func quotient(_ dividend: Int, _ divisor: Int) -> Int {
    Int(Double(dividend) / Double(divisor))
  }
}
