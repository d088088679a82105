import Testing

@testable import AVFoundationCompat

/// Merges the data of several outputs into one order of time.
@Suite struct DataAlignmentTests {
  private var alignment = DataAlignment<String>(capacities: [4, 4])

  /// Takes data at a whole second.
  private mutating func take(
    _ name: String, _ second: Int64, from source: Int, flowing: Set<Int> = [0, 1]
  ) -> [[String]] {
    alignment.take(name, at: CMTime(value: second, timescale: 1), from: source) {
      flowing.contains($0)
    }.map { $0.sorted { $0.key < $1.key }.map(\.value) }
  }

  @Test mutating func what_has_one_time_comes_together() {
    #expect(take("a1", 1, from: 0).isEmpty)
    #expect(take("b1", 1, from: 1) == [["a1", "b1"]])
    #expect(take("b2", 2, from: 1).isEmpty)
    #expect(take("a2", 2, from: 0) == [["a2", "b2"]])
  }

  @Test mutating func the_rest_comes_by_itself_in_order_of_time() {
    #expect(take("a1", 1, from: 0).isEmpty)
    #expect(take("a4", 4, from: 0).isEmpty)
    #expect(take("b2", 2, from: 1) == [["a1"], ["b2"]])
    #expect(take("b3", 3, from: 1) == [["b3"]])
    #expect(take("b5", 5, from: 1) == [["a4"]])
    #expect(take("a6", 6, from: 0) == [["b5"]])
  }

  @Test mutating func a_source_that_does_not_flow_is_not_waited_for() {
    #expect(take("a1", 1, from: 0, flowing: [0]) == [["a1"]])
    #expect(take("a2", 2, from: 0).isEmpty)
    #expect(take("a3", 3, from: 0, flowing: [0]) == [["a2"], ["a3"]])
  }

  @Test mutating func no_more_is_held_than_may_be_and_what_is_late_comes_at_once() {
    for second in 1...4 as ClosedRange<Int64> {
      #expect(take("a\(second)", second, from: 0).isEmpty)
    }
    #expect(take("a5", 5, from: 0) == [["a1"]])
    #expect(take("b0", 0, from: 1) == [["b0"]])
    #expect(take("b1", 1, from: 1) == [["b1"]])
    #expect(take("b9", 9, from: 1) == [["a2"], ["a3"], ["a4"], ["a5"]])
  }

  @Test mutating func the_end_gives_what_is_held_and_what_comes_then_begins_anew() {
    #expect(take("a8", 8, from: 0).isEmpty && take("b9", 9, from: 1) == [["a8"]])
    #expect(alignment.finish().map { Array($0.values) } == [["b9"]])
    #expect(alignment.finish().isEmpty)
    #expect(take("a1", 1, from: 0).isEmpty)
    #expect(take("b1", 1, from: 1) == [["a1", "b1"]])
  }
}
