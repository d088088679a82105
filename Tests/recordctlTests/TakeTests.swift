import Foundation
import TestSupport
import Testing

/// Segments, pre-roll and names on the command line, and what a kill leaves.
@Suite(.tags(.judges), .serialized, .enabled(if: Judges.arePresent, "needs ffmpeg and mediainfo"))
struct TakeTests {
  private let folder: TemporaryFolder
  private let source = [
    "--device", "pattern:bars?pace=none", "--size", "640x360", "--rate", "25", "--codec", "proxy",
  ]

  init() throws { folder = try TemporaryFolder() }

  /// Runs `record` in the folder; `meanwhile` may send signals to it.
  private func record(
    _ arguments: [String], shell: String = "", meanwhile: (Process) throws -> Void
  ) throws -> (status: Int32, report: [String: Any]) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments =
      ["-c", shell + "exec \"$0\" \"$@\"", Recordctl.binary.path, "record", "--json"] + source
      + arguments
    process.currentDirectoryURL = folder.url
    process.standardInput = FileHandle.nullDevice
    let output = try folder.emptyFile("report-\(UUID().uuidString).json")
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: folder.emptyFile("messages"))
    try process.run()
    try meanwhile(process)
    process.waitForExit()
    let data = try Data(contentsOf: output)
    let report = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
    return (process.terminationStatus, report ?? [:])
  }

  private func movies() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      .filter { $0.hasSuffix(".mov") }.sorted()
  }

  private func frames(_ name: String) throws -> Int {
    #expect(try Judges.strictDecode(path(name)) == "", "\(name)")
    return Int(try Judges.videoStream(path(name))["nb_frames"] ?? "") ?? 0
  }

  private func path(_ name: String) -> String { folder.path(name) }

  /// Waits until a recording reports that it stands by, and lets it fill the pre-roll.
  private func waitForStandby() throws {
    try waitUntil("the recorder is on standby") {
      try String(contentsOfFile: path("messages"), encoding: .utf8).contains("standing by")
    }
    Thread.sleep(forTimeInterval: 0.5)
  }

  @Test func a_take_is_split_by_duration_and_by_signal() throws {
    let (status, report) = try record(
      ["--segment", "40f", "--duration", "90f", "-o", "{reel}-{counter}.mov", "--reel", "A/1"]
    ) { process in
      try waitUntil("a movie is started") { try !movies().isEmpty }
      kill(process.processIdentifier, SIGUSR1)
    }
    #expect(status == 0)
    let segments = try #require(report["segments"] as? [[String: Any]])
    let counts = segments.compactMap { $0["frameCount"] as? Int }
    #expect(counts.reduce(0, +) == 90)
    #expect(try movies().first == "A-1-001-001.mov")
    #expect(try movies().map(frames) == counts)
  }

  @Test func a_recording_starts_from_standby_with_its_pre_roll() throws {
    let (status, report) = try record(
      ["--pre-roll", "10f", "--duration", "10f", "-o", "late.mov"]
    ) { process in
      try waitForStandby()
      #expect((try? movies())?.isEmpty == true)
      kill(process.processIdentifier, SIGUSR2)
    }
    #expect(status == 0)
    let count = try #require((report["movie"] as? [String: Any])?["frameCount"] as? Int)
    #expect((10...20).contains(count))
    #expect(try frames("late.mov") == count)
  }

  @Test func ending_standby_leaves_no_file() throws {
    let (status, _) = try record(["--pre-roll", "1s", "-o", "never.mov"]) { process in
      try waitForStandby()
      process.interrupt()
    }
    #expect(status == 1)
    #expect(try movies() == [])
  }

  @Test func the_system_file_size_limit_loses_no_frame() throws {
    // `ulimit` counts blocks of 512 bytes: a megabyte.
    let (status, report) = try record(
      ["--duration", "90f", "-o", "small.mov"], shell: "ulimit -f 2048; ", meanwhile: { _ in })
    #expect(status == 0)
    let segments = try #require(report["segments"] as? [[String: Any]])
    #expect(segments.count > 1)
    #expect(segments.first?["end"] as? String == "fileSizeLimitReached")
    #expect(try movies().map(frames).reduce(0, +) == 90)
    for name in try movies() {
      let size = try FileManager.default.attributesOfItem(atPath: path(name))[.size] as? Int
      #expect((size ?? .max) <= 1 << 20)
    }
  }

  @Test(.tags(.slow)) func a_kill_near_a_split_leaves_complete_or_recoverable_movies() throws {
    for round in 0..<(TestRun.isThorough ? 40 : 2) {
      for name in try movies() { try FileManager.default.removeItem(atPath: path(name)) }
      // In real time: a kill may cost half a second, that is four movies of three frames, or more on a slow disk.
      _ = try record(["--device", "pattern:bars", "--segment", "3f", "-o", "x.mov"]) { process in
        try waitUntil("there are enough movies") { try movies().count > 16 + round % 4 }
        Thread.sleep(forTimeInterval: Double.random(in: 0...0.1))
        kill(process.processIdentifier, SIGKILL)
      }
      let names = try movies()
      var unfinished = 0
      for (index, name) in names.enumerated() {
        let run = try Recordctl(["recover", path(name)])
        guard !run.output.contains("nothing to do") else {
          #expect(try frames(name) == 3)
          continue
        }
        unfinished += 1
        // A movie that has just begun may hold no frame yet; only the last movies can be like this.
        #expect(index >= names.count - 12, "\(names), \(run.output)\(run.errors)")
        if run.status == 0 { #expect(try frames(name) <= 3) }
      }
      #expect(unfinished <= 12)
    }
  }
}
