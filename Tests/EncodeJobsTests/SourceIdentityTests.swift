import Foundation
import MediaCore
import TestSupport
import Testing

@testable import EncodeJobs

/// How a job recognizes that a source is still the one in its plan.
@Suite struct SourceIdentityTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func planned(_ path: String) throws -> EncodeJobPlan.Source {
    let identity = try SourceIdentity(path: path)
    return EncodeJobPlan.Source(
      input: path, fileSize: identity.fileSize, modifiedNanoseconds: identity.modified,
      edges: identity.edges, samples: identity.samples, codec: "hq", frameRate: "25",
      pictureCount: 1, frameCount: 1, restartInterval: 1, movie: "movies/a.mov",
      creationUnixTime: 0, index: "index/0.json", indexChecksum: "", notes: [])
  }

  private func write(_ content: Data) throws -> String {
    let path = folder.path("source")
    try content.write(to: URL(filePath: path))
    return path
  }

  /// A re-encoded file has the same first and last MiB only if someone made sure of that.
  @Test func a_source_changed_only_between_its_ends_is_refused() throws {
    let content = Data(count: 8 << 20)
    let path = try write(content)
    let source = try planned(path)
    try SourceIdentity.check(source, path: path)
    var other = content
    other.replaceSubrange((1 << 20)..<(7 << 20), with: Data(repeating: 1, count: 6 << 20))
    _ = try write(other)
    let error = #expect(throws: EncodeJobError.self) {
      try SourceIdentity.check(source, path: path)
    }
    #expect(error?.code == .sourceChanged && error?.isWorthRetrying == false)
    #expect(error?.message.contains("still \(8 << 20) bytes, but other ones") == true)
    // A plan without samples of the middle is accepted.
    var old = source
    old.samples = nil
    try SourceIdentity.check(old, path: path)
  }

  @Test func a_missing_source_is_worth_retrying_but_a_folder_is_not() throws {
    let path = try write(Data(count: 9))
    let source = try planned(path)
    try FileManager.default.removeItem(atPath: path)
    let away = #expect(throws: EncodeJobError.self) {
      try SourceIdentity.check(source, path: path)
    }
    #expect(away?.isWorthRetrying == true)
    try folder.makeFolder("source")
    let other = #expect(throws: EncodeJobError.self) {
      try SourceIdentity.check(source, path: path)
    }
    #expect(other?.isWorthRetrying == false && other?.message.contains("not a file") == true)
  }

  @Test func every_byte_of_a_three_megabyte_source_is_checked() throws {
    let content = Data(count: 3 << 20)
    let path = try write(content)
    let source = try planned(path)
    for place in [0, 1 << 20, 3 << 19, (2 << 20) - 1, (3 << 20) - 1] {
      var other = content
      other[place] = 1
      _ = try write(other)
      #expect(throws: EncodeJobError.self) { try SourceIdentity.check(source, path: path) }
    }
  }

  @Test(arguments: [0, 1, 1 << 20, 2 << 20, (2 << 20) + 1, (3 << 20) + 1, 5 << 30, 1 << 50])
  func sampled_ranges_lie_between_the_ends_without_overlap(size: Int) {
    let ranges = SourceIdentity.sampleRanges(of: UInt64(size))
    #expect(ranges.isEmpty == (size <= 2 << 20))
    #expect(ranges.reduce(0) { $0 + $1.count } <= 1 << 20)
    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
    guard let first = ranges.first, let last = ranges.last else { return }
    #expect(first.lowerBound == 1 << 20)
    #expect(last.upperBound <= UInt64(size) - 1 << 20)
  }
}
