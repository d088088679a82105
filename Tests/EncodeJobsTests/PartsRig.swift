import AssetReader
import AssetWriter
import EncodeJobs
import Foundation
import MediaCore
import MovieExport
import TestSupport
import Testing

/// Conversions in parts and in one piece.
struct PartsRig {
  let folder: TemporaryFolder

  /// Plans a conversion to ProRes 422 LT.
  func plan(
    _ input: String, _ name: String, parts: Int, restart: Int = 10,
    editing edit: (inout AssetExportSession) -> Void = { _ in }
  ) throws -> EncodeJob {
    let job = folder.path(name)
    let sources = try ExportSources(
      [input], folder: job + "/movies", name: "{name}", codec: "lt", reusesNames: false)
    var session = AssetExportSession(location: try AssetLocation(input), outputPath: "")
    session.codec = .proRes422LT
    edit(&session)
    var planner = EncodeJobPlanner(sources, as: session, folder: job)
    planner.division = .parts(parts)
    planner.restartInterval = restart
    return try planner.run()
  }

  /// Makes all parts in a shuffled order, and joins them.
  func complete(_ job: EncodeJob, seed: UInt64 = 1) async throws -> MovieJoiner.Outcome {
    var random = SeededGenerator(seed: seed)
    for number in job.plan.parts.indices.shuffled(using: &random) {
      var part = try PartEncoder(job, part: number)
      part.threads = 1 + number % 3
      guard case .made = try await part.run() else {
        Issue.record("part \(number) already existed")
        continue
      }
    }
    return try await MovieJoiner(job, source: 0).run()
  }

  /// Converts in one piece, to `whole.mov`.
  func encode(
    _ input: String, editing edit: (inout AssetExportSession) -> Void = { _ in }
  ) async throws -> AssetExportSession.Outcome {
    var session = AssetExportSession(
      location: try AssetLocation(input), outputPath: folder.path("whole.mov"))
    session.codec = .proRes422LT
    session.overwritePolicy = .replace
    edit(&session)
    return try await session.export()
  }

  /// Overwrites packets.
  ///
  /// - Parameter share: The fraction at the beginning of each packet that is left intact.
  func damage(
    _ path: String, _ stream: String, _ numbers: [Int], behind share: Double = 0,
    with byte: UInt8 = 0
  ) throws {
    let packets = try Judges.packets(path, stream: stream)
    var bytes = try Data(contentsOf: URL(filePath: path))
    for number in numbers {
      let start = try #require(packets[number].pos.flatMap { Int($0) })
      let size = try #require(Int(packets[number].size))
      let first = start + Int(Double(size) * share)
      let end = share > 0 ? first + size / 4 : start + size
      for place in first..<min(end, start + size) { bytes[place] = byte }
    }
    try bytes.write(to: URL(filePath: path))
  }

  /// The movie's notes, after checking that they are the same in one piece and in three parts.
  func reported(
    _ input: String, isRepaired: Bool, editing edit: (inout AssetExportSession) -> Void = { _ in },
    at location: SourceLocation = #_sourceLocation
  ) async throws -> [String] {
    let whole = try await encode(input, editing: edit)
    let job = try plan(input, UUID().uuidString, parts: 3, restart: 5, editing: edit)
    let joined = try await complete(job)
    #expect(joined.notes == whole.notes, sourceLocation: location)
    #expect(whole.wasRepaired == isRepaired, sourceLocation: location)
    #expect(joined.wasRepaired == isRepaired, sourceLocation: location)
    return joined.notes.map(\.message)
  }
}
