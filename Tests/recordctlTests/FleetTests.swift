import Foundation
import TestSupport
import Testing

/// Eight recorders in network namespaces whose clocks differ by known offsets: `Lab/fleet`.
@Suite(.timeLimit(.minutes(10))) struct FleetTests {
  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Lab/fleet").standardized.path

  /// The largest difference between a clock and chronyd's account of it, in seconds.
  private static let tolerance = 0.002

  @Test(
    .tags(.slow, .judges),
    .enabled(if: TestRun.isThorough, "several minutes: with TEST_ALL=1"))
  func first_frames_agree_despite_clock_offsets_and_failures() throws {
    let folder = try TemporaryFolder()
    let result = try Command.run(
      Self.script,
      [
        "--recordctl", Recordctl.binary.path, "--folder", folder.path,
        "--json", folder.path("figures.json"),
      ])
    if result.status == 77 { try Test.cancel("\(result.errors)") }
    try #require(result.status == 0, "\(result.output)\(result.errors)")
    let figures = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: folder.url("figures.json")))
        as? [String: Any])
    let takes = try #require(figures["takes"] as? [[String: Any]])
    #expect(takes.count == 2)
    for take in takes {
      let rows = try #require(take["rows"] as? [[String: Any]])
      #expect(rows.count == 8)
      #expect(Set(rows.map { $0["startTimecode"] as? String }).count == 1, "\(rows)")
      for row in rows {
        guard let reported = row["reported"] as? Double, let clock = row["clock"] as? Double else {
          #expect(row["fate"] as? String == "recorder killed", "\(row)")
          continue
        }
        #expect(abs(reported - clock) < Self.tolerance, "\(row)")
      }
    }
  }
}
