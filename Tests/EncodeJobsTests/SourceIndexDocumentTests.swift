import Foundation
import Testing

@testable import EncodeJobs

/// The size of a source's index file, which every part reads.
@Suite struct SourceIndexDocumentTests {
  private func index(_ times: [Int64], syncs: [Int]) -> SourceIndex {
    var index = SourceIndex(timescale: 25, times: times, durations: [1], syncs: syncs)
    index.setSchedule(times.indices.map { Int64($0) })
    return index
  }

  private func text(_ index: SourceIndex) throws -> String {
    String(decoding: try JSONEncoder().encode(index), as: UTF8.self)
  }

  private func read(_ text: String) throws -> SourceIndex {
    try JSONDecoder().decode(SourceIndex.self, from: Data(text.utf8))
  }

  @Test func an_index_of_a_steady_rate_stays_small_for_an_hour() throws {
    let hour = index(
      (0..<90_000).map { $0 * 512 + 7 }, syncs: Array(stride(from: 0, to: 90_000, by: 50)))
    let text = try text(hour)
    #expect(text.utf8.count < 300, "\(text)")
    #expect(try read(text) == hour)
  }

  @Test(arguments: [
    [0], [3, 4], [0, 42, 83, 125, 167, 208, 250], [0, 1, 2, 3, 10, 20, 30, 40, 41],
  ])
  func any_times_survive_writing_and_reading(times: [Int64]) throws {
    let index = index(times, syncs: [0])
    #expect(try read(text(index)) == index)
    let runs = EvenRuns(times)
    #expect(runs.numbers(limit: times.count) == times)
    #expect(runs.numbers(limit: times.count - 1) == nil)
  }

  /// Times of a rate that changes with each frame would be longer as runs.
  @Test func times_without_a_pattern_are_written_as_a_list() throws {
    let text = try text(index([0, 1, 3, 4, 6, 9, 11], syncs: [0]))
    #expect(text.contains("\"times\":[0,1,3,4,6,9,11]") && !text.contains("timeRuns"))
  }

  @Test func an_index_with_only_lists_is_read() throws {
    let text =
      #"{"timescale":25,"times":[0,1],"durations":[1],"syncs":[0],"openSyncs":[],"encoded":[[0,2]]}"#
    #expect(try read(text) == index([0, 1], syncs: [0]))
  }

  @Test(
    arguments: [
      [0], [0, 1], [0, 1, 0], [0, 1, -1], [0, 1, .max], [0, .max, 3], [.max, 1, 2], [0, 1, 2, 5],
      [0, 1, 1_000_000_000],
    ] as [[Int64]])
  func nonsensical_runs_are_refused(values: [Int64]) throws {
    #expect(EvenRuns(values: values).numbers(limit: 1_000_000) == nil)
    let text =
      #"{"timescale":25,"timeRuns":\#(values),"durations":[1],"syncs":[],"openSyncs":[],"encoded":[]}"#
    #expect(throws: DecodingError.self) { try read(text) }
  }
}
