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

  @Test mutating func data_with_equal_times_is_delivered_together() {
    #expect(take("a1", 1, from: 0).isEmpty)
    #expect(take("b1", 1, from: 1) == [["a1", "b1"]])
    #expect(take("b2", 2, from: 1).isEmpty)
    #expect(take("a2", 2, from: 0) == [["a2", "b2"]])
  }

  @Test mutating func unmatched_data_is_delivered_alone_in_time_order() {
    #expect(take("a1", 1, from: 0).isEmpty)
    #expect(take("a4", 4, from: 0).isEmpty)
    #expect(take("b2", 2, from: 1) == [["a1"], ["b2"]])
    #expect(take("b3", 3, from: 1) == [["b3"]])
    #expect(take("b5", 5, from: 1) == [["a4"]])
    #expect(take("a6", 6, from: 0) == [["b5"]])
  }

  @Test mutating func an_inactive_source_is_not_awaited() {
    #expect(take("a1", 1, from: 0, flowing: [0]) == [["a1"]])
    #expect(take("a2", 2, from: 0).isEmpty)
    #expect(take("a3", 3, from: 0, flowing: [0]) == [["a2"], ["a3"]])
  }

  @Test mutating func held_data_is_limited_and_late_data_is_delivered_immediately() {
    for second in 1...4 as ClosedRange<Int64> {
      #expect(take("a\(second)", second, from: 0).isEmpty)
    }
    #expect(take("a5", 5, from: 0) == [["a1"]])
    #expect(take("b0", 0, from: 1) == [["b0"]])
    #expect(take("b1", 1, from: 1) == [["b1"]])
    #expect(take("b9", 9, from: 1) == [["a2"], ["a3"], ["a4"], ["a5"]])
  }

  @Test mutating func finishing_releases_held_data_and_alignment_restarts() {
    #expect(take("a8", 8, from: 0).isEmpty && take("b9", 9, from: 1) == [["a8"]])
    #expect(alignment.finish().map { Array($0.values) } == [["b9"]])
    #expect(alignment.finish().isEmpty)
    #expect(take("a1", 1, from: 0).isEmpty)
    #expect(take("b1", 1, from: 1) == [["a1", "b1"]])
  }
}
