import TestSupport
import Testing

@testable import ProRes

@Suite struct GroupBudgetTests {
  private static let leastSlice = 18

  @Test(.tags(.slow), arguments: 0..<(TestRun.isThorough ? 200 : 60))
  func slices_within_their_budgets_stay_within_the_group_limit(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let count = Int.random(in: 1...FramePlan.groupSize, using: &random)
      let limit =
        count * Self.leastSlice
        + Int.random(
          in: 0...[0, 40, 4_000, 60_000][Int.random(in: 0..<4, using: &random)], using: &random)
      var budget = GroupBudget(limit: limit, leastSlice: Self.leastSlice)
      for index in 0..<count {
        let expected = Int.random(
          in: 0...[10, 100, 2_000, 1_000_000][Int.random(in: 0..<4, using: &random)], using: &random
        )
        budget.add(expected: expected, macroblocks: [1, 2, 4, 8][index], index: UInt8(index + 1))
      }
      var spent = 0
      for index in 0..<count {
        let (first, most) = budget.next()
        #expect(first == index + 1)
        #expect(most >= Self.leastSlice)
        let bytes =
          Bool.random(using: &random)
          ? most : Int.random(in: Self.leastSlice...most, using: &random)
        budget.spend(bytes)
        spent += bytes
      }
      #expect(spent <= limit)
    }
  }

  @Test func a_single_slice_may_use_the_whole_limit() {
    var budget = GroupBudget(limit: 5_000, leastSlice: Self.leastSlice)
    budget.add(expected: 100, macroblocks: 8, index: 4)
    #expect(budget.next() == (4, 5_000))
  }

  @Test func bytes_are_reserved_for_flat_slices() {
    var budget = GroupBudget(limit: 1_000, leastSlice: Self.leastSlice)
    budget.add(expected: 4_000, macroblocks: 8, index: 4)
    for _ in 0..<3 { budget.add(expected: 28, macroblocks: 8, index: 4) }
    // Six bytes a macroblock.
    #expect(budget.next().limit <= 1_000 - 3 * 6 * 8)
  }
}
