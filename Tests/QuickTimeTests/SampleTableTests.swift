import MediaCore
import TestSupport
import Testing

@testable import QuickTime

/// The compact table compared with a plain list of samples.
@Suite struct SampleTableTests {
  /// A random table and its expected content.
  private static func random(
    _ random: inout SeededGenerator
  ) -> (SampleTable, [SampleTable.Sample]) {
    var table = SampleTable()
    var model: [SampleTable.Sample] = []
    var offset: UInt64 = 100
    var time: Int64 = 0
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      let count = Int.random(in: 1...9, using: &random)
      let constant = Bool.random(using: &random)
      let sizes = (0..<count).map { _ in UInt32.random(in: 1...50, using: &random) }
      let duration = UInt32.random(in: 1...3, using: &random)
      var placed =
        constant
        ? table.appendChunk(offset: offset, count: count, size: sizes[0])
        : table.appendChunk(offset: offset, sizes: sizes)
      placed = placed && table.appendTimes(count: count, duration: duration)
      #expect(placed)
      for size in sizes {
        let actual = constant ? sizes[0] : size
        model.append(
          SampleTable.Sample(offset: offset, size: actual, time: time, duration: duration))
        offset += UInt64(actual)
        time += Int64(duration)
      }
      offset += UInt64.random(in: 0...10, using: &random)
    }
    return (table, model)
  }

  @Test func a_table_holds_the_appended_samples() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<300 {
      let (table, model) = Self.random(&random)
      #expect(Array(table) == model)
      #expect(table.byteCount == model.reduce(0) { $0 + UInt64($1.size) })
      #expect(table.duration == model.reduce(0) { $0 + Int64($1.duration) })
      #expect(table.endOffset == (model.last.map { $0.offset + UInt64($0.size) } ?? 0))
      for (number, sample) in model.enumerated() {
        #expect(table.index(at: sample.time) == number)
        #expect(table.index(at: sample.time + Int64(sample.duration) - 1) == number)
      }
      #expect(table.index(at: table.duration) == nil && table.index(at: -1) == nil)
    }
  }

  @Test func sample_numbers_out_of_range_give_no_sample() {
    var table = SampleTable()
    #expect(table.isEmpty && table.first == nil && table.last == nil && table[0] == nil)
    _ = table.appendChunk(offset: 8, count: 2, size: 4)
    _ = table.appendTimes(count: 2, duration: 1)
    #expect(table[1]?.offset == 12)
    for number in [-1, 2, .min, .max] { #expect(table[number] == nil) }
  }

  @Test func samples_are_found_by_their_offset() {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<50 {
      let (table, model) = Self.random(&generator)
      let places = SamplePlaces(table)
      for (number, sample) in model.enumerated() {
        #expect(places.sample(at: sample.offset) == number)
        if sample.size > 1 { #expect(places.sample(at: sample.offset + 1) == nil) }
      }
      #expect(places.sample(at: 0) == nil && places.sample(at: 1 << 40) == nil)
    }
  }

  @Test func samples_are_found_in_chunks_in_any_order() {
    var table = SampleTable()
    let isTaken = [
      table.appendChunk(offset: 500, sizes: [4, 0, 6]),
      table.appendChunk(offset: 100, count: 3, size: 10), table.appendTimes(count: 6, duration: 1),
    ]
    #expect(isTaken == [true, true, true])
    let places = SamplePlaces(table)
    // The empty sample has the same offset as the next one.
    #expect(
      [500, 504, 510, 100, 120, 130].map { places.sample(at: $0) } == [0, 2, nil, 3, 5, nil])
  }

  @Test func chunks_can_be_removed() {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<300 {
      let (table, model) = Self.random(&random)
      guard let chunk = table.chunks.randomElement(using: &random) else { continue }
      var shorter = table
      shorter.removeChunks(from: chunk.offset)
      #expect(Array(shorter) == Array(model[..<chunk.firstSample]))
      #expect(shorter.duration == model[..<chunk.firstSample].reduce(0) { $0 + Int64($1.duration) })
      // The table can grow from there.
      let grown =
        shorter.appendChunk(offset: 1 << 40, sizes: [7])
        && shorter.appendTimes(count: 1, duration: 9)
      #expect(grown)
      #expect(shorter.last?.size == 7 && shorter.last?.offset == 1 << 40)
    }
  }

  @Test func the_last_sample_can_be_extended() {
    var table = SampleTable()
    _ = table.appendChunk(offset: 0, count: 3, size: 1)
    _ = table.appendTimes(count: 3, duration: 10)
    table.extendLastSample(to: 50)
    #expect(table.map(\.duration) == [10, 10, 30] && table.duration == 50)
    table.extendLastSample(to: 40)
    #expect(table.duration == 50)
    table.extendLastSample(to: 1 << 40)
    #expect(table.duration == 50, "a duration has 32 bits")
  }

  @Test func numbers_that_overflow_are_refused() {
    var table = SampleTable()
    let refused = [
      table.appendChunk(offset: .max - 5, count: 6, size: 1),
      table.appendChunk(offset: .max - 5, sizes: [3, 4]),
      table.appendChunk(offset: 0, count: .max, size: .max),
      table.appendTimes(count: .max, duration: .max),
    ]
    #expect(refused == [false, false, false, false])
    #expect(table.isEmpty && table.duration == 0)
    let taken = table.appendChunk(offset: .max - 5, count: 5, size: 1)
    #expect(taken)
  }
}
