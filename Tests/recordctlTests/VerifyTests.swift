import Foundation
import TestSupport
import Testing

/// `verify` on other encoders' movies, and its quick mode.
@Suite(
  .serialized, .tags(.judges),
  .enabled(if: Judges.arePresent, "ffmpeg, ffprobe and mediainfo are not installed"))
struct VerifyTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    ("prores_ks", "2", "yuv422p10le"), ("prores_ks", "4", "yuva444p10le"),
    ("prores_aw", "3", "yuv422p10le"),
  ])
  func ffmpeg_movies_are_valid_though_unlike_apples(
    encoder: String, profile: String, layout: String
  ) throws {
    let path = folder.path("theirs.mov")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=0.4", "-pix_fmt", layout, "-c:v", encoder,
      "-profile:v", profile, path,
    ])
    let run = try Recordctl(["verify", path, "--json"])
    #expect(run.status == 0, "\(run.output)")
    let report = try #require(try run.json() as? [String: Any])
    #expect(report["isValid"] as? Bool == true && report["isAsApple"] as? Bool == false)
    let findings = report["findings"] as? [[String: Any]] ?? []
    let compressor = findings.first { "\($0["message"] ?? "")".contains("compressor") }
    #expect(compressor?["rule"] as? String == "apple")
    // FFmpeg 5.1 sets reserved bits and gives 4444 the wrong version; every FFmpeg version codes alpha for rows
    // below the picture.
    let breaches = findings.filter {
      $0["rule"] as? String == "standard" && $0["severity"] as? String != "note"
    }.map { "\($0["message"] ?? "")" }
    #expect(
      breaches.allSatisfy { breach in
        ["reserved bit", "bitstream_version", "rows below the picture"].contains {
          breach.contains($0)
        }
      }, "\(breaches)")
    #expect(report["followsStandard"] as? Bool == breaches.isEmpty)
    #expect(try Recordctl(["verify", path]).output.contains("\nvalid; "))
  }

  @Test func quick_verification_compares_checksums_without_decoding() throws {
    let path = folder.path("a.mov")
    let recorded = try Recordctl([
      "record", "--device", "pattern:noise?pace=none", "--size", "640x360", "--rate", "25",
      "--codec", "lt", "--duration", "12f", "-o", path,
    ])
    #expect(recorded.status == 0, "\(recorded.errors)")
    let whole = try Recordctl(["verify", "--quick", path, "--json"])
    #expect(whole.status == 0, "\(whole.output)")
    let report = try #require(try whole.json() as? [String: Any])
    #expect(report["depth"] as? String == "quick" && report["framesDecoded"] as? Int == 0)
    #expect((report["checksums"] as? [String: Any])?["framesDiffering"] as? Int == 0)
    var bytes = try Data(contentsOf: URL(filePath: path))
    let frame = try #require(bytes.range(of: Data("icpf".utf8)))
    bytes[frame.upperBound + 1500] ^= 1
    try bytes.write(to: URL(filePath: path))
    let damaged = try Recordctl(["verify", "--quick", path])
    #expect(damaged.status == 1 && damaged.output.contains("checksum"))
    try FileManager.default.removeItem(atPath: path + ".json")
    let alone = try Recordctl(["verify", "--quick", path])
    #expect(alone.status == 0 && alone.output.contains("no checksums"))
    #expect(alone.output.contains("12, not decoded"))
  }
}
