import Foundation
import MediaCore
import QuickTime
import TestSupport
import Testing

/// `kill -9` while the command records: what is left and what is lost.
@Suite(.tags(.judges), .serialized, .enabled(if: Judges.arePresent, "needs ffmpeg and mediainfo"))
struct KillTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The local time of day, in seconds.
  ///
  /// The pattern's timecode is the time of day, so the movie's end can be compared with it.
  private func secondOfDay() -> Double {
    let now = Date().timeIntervalSince1970
    var whole = time_t(now)
    var parts = tm()
    localtime_r(&whole, &parts)
    return Double(Int(parts.tm_hour) * 3600 + Int(parts.tm_min) * 60 + Int(parts.tm_sec))
      + now - now.rounded(.down)
  }

  @Test(.tags(.slow)) func a_movie_killed_at_any_moment_plays_and_is_recovered() throws {
    var losses: [Double] = []
    let rounds = TestRun.isThorough ? 30 : 3
    for round in 0..<rounds {
      let name = "take-\(round).mov"
      let file = folder.path(name)
      // Small and large frames, because they are written to the file in different ways.
      let isLarge = TestRun.isThorough && round % 2 == 1
      let process = try Recordctl.start([
        "record", "--device", "pattern:noise", "--size",
        isLarge ? "1920x1080" : "640x360", "--rate", "25", "--codec", isLarge ? "hq" : "proxy",
        "-o", file,
      ])
      try waitUntil("the movie grows") { Recordctl.size(file) >= 30_000 }
      Thread.sleep(forTimeInterval: 0.6 + Double.random(in: 0...1))
      let killed = secondOfDay()
      kill(process.processIdentifier, SIGKILL)
      process.waitForExit()

      // It plays before it is recovered.
      #expect(try Judges.strictDecode(file) == "")
      let before = try MovieIndex(path: file)
      #expect(before.completion == .unfinished)
      let start = try #require(before.timecodeTrack?.timecode?.start)
      let frames = try #require(before.videoTrack).samples.count
      #expect(frames > 0)
      let held = Double(start.frameNumber + Int64(frames)) / 25
      losses.append(killed - held)

      let run = try Recordctl(["recover", file, "--json"])
      #expect(run.status == 0, "\(run.errors)")
      #expect((try run.json() as? [String: Any])?["frameCount"] as? Int == frames)
      #expect(try MovieIndex(path: file).completion == .finished)
      #expect(try Judges.strictDecode(file) == "")
      let sidecar = try JSONSerialization.jsonObject(
        with: try Data(contentsOf: URL(filePath: file + ".json")))
      let reported = try #require(sidecar as? [String: Any])
      #expect(reported["state"] as? String == "recovered" && reported["checksums"] == nil)
      #expect((reported["request"] as? [String: Any])?["codec"] as? String != nil)
    }
    let worst = try #require(losses.max())
    print(
      "seconds lost to \(rounds) kills: largest \(worst), mean "
        + "\(losses.reduce(0, +) / Double(rounds))")
    // A fragment is at most half a second long, but the clock runs on while the machine is busy: the limit is
    // checked only when all tests run, and Benchmarks/TakeLoss measures the loss.
    if TestRun.isThorough { #expect(worst < 3) }
  }

  @Test func the_next_recording_names_unfinished_movies() throws {
    let file = folder.path("lost.mov")
    let process = try Recordctl.start([
      "record", "--device", "pattern", "--size", "640x360", "--rate", "25", "-o", file,
    ])
    try waitUntil("the movie grows") { Recordctl.size(file) >= 100_000 }
    kill(process.processIdentifier, SIGKILL)
    process.waitForExit()
    let verified = try Recordctl(["verify", file])
    #expect(verified.status == 1)
    #expect(verified.output.contains("warning: checksum: \(file).json was written while"))
    let next = try Recordctl([
      "record", "--device", "pattern?pace=none", "--size", "640x360", "--duration", "5f", "-o",
      folder.path("next.mov"),
    ])
    #expect(next.status == 0)
    #expect(next.errors.contains("lost.mov in \(folder.url.path) was never finished"))
    #expect(next.errors.contains("recordctl recover"))
  }
}
