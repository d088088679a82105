import AssetReader
import AssetWriter
import MediaCore
import MovieTools
import TestSupport
import Testing

/// Conversions in parts, and the same in one piece.
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

  /// Makes all parts in an order, and joins them.
  func complete(_ job: EncodeJob, seed: UInt64 = 1) async throws -> MovieJoiner.Outcome {
    var random = SeededGenerator(seed: seed)
    for number in job.plan.parts.indices.shuffled(using: &random) {
      var part = try PartEncoder(job, part: number)
      part.threads = 1 + number % 3
      guard case .made = try await part.run() else {
        Issue.record("part \(number) was there")
        continue
      }
    }
    return try await MovieJoiner(job, source: 0).run()
  }

  /// The conversion in one piece, to `whole.mov`.
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
}
