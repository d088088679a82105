import Foundation
import Testing

/// `recordctl bench`, on frames small enough that it takes a second.
@Suite struct BenchTests {
  private static let sized = ["bench", "--size", "160x96", "--codec", "hq", "--seconds", "1"]

  @Test func json_lists_each_encoder_with_time_quality_and_size() throws {
    let run = try Recordctl(Self.sized + ["--json"])
    #expect(run.status == 0, "\(run.errors)")
    let report = try #require(try run.json() as? [String: Any])
    let machine = try #require(report["machine"] as? [String: Any])
    #expect((machine["processor"] as? String)?.isEmpty == false)
    let results = try #require(report["results"] as? [[String: Any]])
    #expect(
      results.map { $0["encoder"] as? String } == [
        "native", "libavcodec:prores_aw", "libavcodec:prores_ks",
      ])
    for result in results {
      for key in [
        "leastMilliseconds", "medianMilliseconds", "cores", "psnr", "bytesPerFrame",
      ] {
        #expect((result[key] as? Double ?? 0) > 0, "\(key) of \(result)")
      }
      // A machine that is too busy has no time for rounds; fewer than three rounds give no spread.
      let rounds = try #require(result["roundsInParallel"] as? Int)
      #expect((rounds > 0) == (result["framesPerSecond"] as? Double ?? 0 > 0), "\(result)")
      #expect((rounds < 3) == (result["framesPerSecondSpread"] == nil), "\(result)")
    }
  }

  @Test func the_table_lists_each_encoder_below_the_machine() throws {
    let run = try Recordctl(Self.sized)
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("machine") == true)
    let rows = lines.filter { $0.hasPrefix("160x96") }
    #expect(rows.count == 3)
    for encoder in ["native", "libavcodec:prores_aw", "libavcodec:prores_ks"] {
      #expect(rows.contains { $0.contains(encoder) })
    }
    let head = try #require(lines.first { $0.contains("CPU MS") })
    for column in ["FRAMES/S", "SPREAD", "USED", "CORES", "PSNR"] {
      #expect(head.contains(column))
    }
    let marked = rows.contains { $0.contains("~") }
    #expect(lines.contains { $0.hasPrefix("~ rounds differ") } == marked)
  }

  @Test func the_environment_forces_kernels_and_unknown_ones_are_refused() throws {
    let arguments = Self.sized + ["--encoder", "native", "--json"]
    let run = try Recordctl(arguments, environment: ["PRORES_KERNELS": "c"])
    let report = try #require(try run.json() as? [String: Any])
    #expect((report["machine"] as? [String: Any])?["kernels"] as? String == "c")
    let refused = try Recordctl(arguments, environment: ["PRORES_KERNELS": "mmx"])
    #expect(refused.status != 0 && refused.output.contains("prores-recorder/error"))
    #expect(refused.errors.contains("PRORES_KERNELS=mmx") && refused.errors.contains("c"))
  }

  @Test func unavailable_encoders_are_refused() throws {
    try Recordctl(["bench", "--encoder", "x264"]).expectRefusal(naming: "x264", "native")
    try Recordctl(["bench", "--seconds", "0"]).expectRefusal(naming: "--seconds")
  }
}
