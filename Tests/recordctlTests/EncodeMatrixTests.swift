import Foundation
import TestSupport
import Testing

/// All kinds of sources made with FFmpeg, and what becomes of them: `scripts/encode-matrix`.
@Suite(
  .serialized, .tags(.judges, .slow),
  .enabled(if: Judges.arePresent, "ffmpeg, ffprobe and mediainfo are not installed"))
struct EncodeMatrixTests {
  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../scripts/encode-matrix").standardized.path

  /// Runs the script, which prints a line for each fault.
  private func run(_ arguments: [String]) throws -> Command.Result {
    try Command.run(
      "python3", [Self.script, Recordctl.binary.path] + arguments, limit: 3000)
  }

  @Test func a_sample_of_sources_is_preserved_or_changes_are_reported() throws {
    let result = try run(["--slice", "41"])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("sources, "))
  }

  @Test(.enabled(if: TestRun.isThorough, "set TEST_ALL=1 for all sources"))
  func all_sources_are_preserved_or_changes_are_reported() throws {
    let result = try run([])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let count = result.output.split(separator: "\n").last?.split(separator: " ").first
    #expect((count.flatMap { Int($0) } ?? 0) >= 150)
  }
}
