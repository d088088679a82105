import Foundation
import TestSupport
import Testing

/// `record --takes`, slates and defaults on the command line.
@Suite(.tags(.judges), .serialized, .enabled(if: Judges.arePresent, "needs ffmpeg and mediainfo"))
struct TakesCommandTests {
  private let folder: TemporaryFolder
  private let source = [
    "--device", "pattern:bars", "--size", "640x360", "--rate", "25", "--codec", "proxy",
  ]

  init() throws { folder = try TemporaryFolder() }

  private var messages: String {
    (try? String(contentsOfFile: folder.path("messages"), encoding: .utf8)) ?? ""
  }

  private func wait(for text: String, count: Int = 1) throws {
    try waitUntil("\(text)") { messages.components(separatedBy: text).count > count }
  }

  /// Waits for the take's first frame, which creates the file: from then on the take can be paused, cut and ended
  /// with a movie.
  private func waitForFrame(of movie: String) throws {
    try waitUntil("a frame of \(movie)") { isBegun(movie) }
  }

  /// Starts a take with a signal and waits for its first frame.
  private func startTake(_ number: Int, of process: pid_t) throws {
    let before = Set(folder.contents)
    kill(process, SIGUSR2)
    try wait(for: "take \(number): recording")
    try waitUntil("a frame of take \(number)") {
      Set(folder.contents).subtracting(before).contains { $0.hasSuffix(".mov") && isBegun($0) }
    }
  }

  private func isBegun(_ movie: String) -> Bool {
    var status = stat()
    return stat(folder.path(movie), &status) == 0 && status.st_size > 0
  }

  /// Runs `record --takes --json`; `meanwhile` presses keys and sends signals.
  private func takes(
    _ arguments: [String], on terminal: PseudoTerminal?,
    environment: [String: String] = ["XDG_CONFIG_HOME": "/nonexistent"],
    meanwhile: (Process) throws -> Void
  ) throws -> (status: Int32, takes: [[String: Any]]) {
    let process = Process()
    process.executableURL = Recordctl.binary
    process.arguments = ["record", "--takes", "--json"] + source + arguments
    process.currentDirectoryURL = folder.url
    process.environment = ProcessInfo.processInfo.environment
      .merging(environment) { $1 }
    process.standardInput = try terminal?.makeStandardInput() ?? FileHandle.nullDevice
    let output = try folder.emptyFile("output")
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: folder.emptyFile("messages"))
    try process.run()
    do { try meanwhile(process) } catch {
      process.terminate()
      throw error
    }
    process.waitForExit()
    let lines = try String(contentsOf: output, encoding: .utf8).split(separator: "\n")
    let takes = try lines.map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
    return (process.terminationStatus, takes)
  }

  private func expect(
    _ takes: [[String: Any]], _ status: Int32, numbers: [Int]
  ) throws {
    #expect(takes.map { $0["number"] as? Int } == numbers.indices.map { $0 + 1 })
    #expect(takes.map { ($0["label"] as? [String: Any])?["take"] as? Int } == numbers)
    // A busy machine may lose frames; the exit status is then that of the worst take.
    let all = takes.compactMap { $0["outcome"] as? String }
    #expect(Set(all).isSubset(of: ["complete", "imperfect"]))
    #expect(status == (all.contains("imperfect") ? 3 : 0))
    for take in takes {
      let movie = try #require(take["movie"] as? [String: Any])
      let path = try #require(movie["path"] as? String)
      #expect(try Judges.videoStream(path)["nb_frames"] == "\(movie["frameCount"] as? Int ?? -1)")
      #expect(try Recordctl.isValid(path))
    }
  }

  @Test func keys_control_takes_and_the_terminal_is_restored() throws {
    let terminal = try PseudoTerminal()
    let (status, takes) = try takes(
      ["-o", "{scene}-{take}.mov", "--scene", "12", "--reel", "A001", "--take", "4"], on: terminal
    ) { _ in
      try wait(for: "standing by for take 1")
      #expect(!terminal.isInLineMode)
      terminal.type("\n")
      try wait(for: "take 1: recording 12-004.mov")
      try waitForFrame(of: "12-004.mov")
      terminal.type("p")
      try wait(for: "paused")
      terminal.type("p")
      try wait(for: "recording again")
      terminal.type("\r")
      try wait(for: "standing by for take 2")
      terminal.type("\n")
      try wait(for: "take 2: recording 12-005.mov")
      try waitForFrame(of: "12-005.mov")
      // Quitting during a take ends the take properly.
      terminal.type("q")
    }
    #expect(terminal.isInLineMode)
    try expect(takes, status, numbers: [4, 5])
    let tags = try Judges.run(
      "ffprobe", ["-v", "error", "-show_entries", "format_tags", folder.path("12-005.mov")]
    ).output
    for tag in [
      "com.apple.proapps.reel=A001", "com.apple.proapps.scene=12", "com.apple.proapps.take=5",
      "com.prores-recorder.take=5",
    ] { #expect(tags.contains("TAG:" + tag), "\(tags)") }
  }

  @Test func signals_control_takes_and_takes_are_saved_meanwhile() throws {
    let library = folder.path("Library")
    let (status, takes) = try takes(
      ["-o", "t.mov", "--segment", "20f", "--scene", "7", "--library", library], on: nil
    ) { process in
      let id = process.processIdentifier
      try wait(for: "standing by for take 1")
      for take in 1...2 {
        let before = Set(folder.contents)
        try startTake(take, of: id)
        kill(id, SIGTSTP)
        try wait(for: "paused", count: take)
        kill(id, SIGTSTP)
        try wait(for: "recording again", count: take)
        // A new movie begins at the next frame, so there is nothing to cut before it.
        try waitUntil("the take has a second movie") {
          kill(id, SIGUSR1)
          Thread.sleep(forTimeInterval: 0.1)
          return Set(folder.contents).subtracting(before).count { $0.hasSuffix(".mov") } >= 2
        }
        kill(id, SIGUSR2)
        try wait(for: "standing by for take \(take + 1)")
      }
      try wait(for: "saved as", count: 2)
      process.interrupt()
    }
    #expect([0, 3].contains(status))
    #expect(takes.map { ($0["label"] as? [String: Any])?["take"] as? Int } == [1, 2])
    let found = try Recordctl(["library", "search", "scene", "7", "--library", library, "--json"])
    let assets = try #require(try found.objects("assets"))
    #expect(assets.count == 2)
    for asset in assets {
      let files = try #require(asset["files"] as? [[String: Any]])
      let types = files.compactMap { $0["type"] as? String }
      #expect(types.first == "video" && types.contains("segment"), "\(types)")
      #expect((asset["facts"] as? [String: Any])?["scene"] as? String == "7")
    }
    let show = try Recordctl(
      ["library", "show", assets[0]["identifier"] as? String ?? "", "--library", library])
    #expect(show.output.contains("scene") && show.output.contains("segment"))
    #expect(!folder.contents.contains { $0.hasSuffix(".mov") })
  }

  @Test(.timeLimit(.minutes(3)), arguments: [SIGINT, SIGTERM])
  func a_signal_ends_a_takes_hook_and_all_takes_are_saved(number: Int32) throws {
    // Hangs only for the first take, with a child in its own session.
    let script = """
      #!/bin/sh
      mkdir '\(folder.path("seen"))' || exit 0
      setsid sleep 3600 &
      echo $$ $! > '\(folder.path("ids"))'
      wait
      """
    try folder.writeProgram(script, "configuration/recordctl/hooks/hook")
    let library = folder.path("Library")
    let (status, takes) = try takes(
      ["-o", "t.mov", "--library", library], on: nil,
      environment: ["XDG_CONFIG_HOME": folder.path("configuration")]
    ) { process in
      let id = process.processIdentifier
      try wait(for: "standing by for take 1")
      try startTake(1, of: id)
      kill(id, SIGUSR2)
      try wait(for: "standing by for take 2")
      try waitUntil("the hook writes its number") {
        FileManager.default.fileExists(atPath: folder.path("ids"))
      }
      try startTake(2, of: id)
      kill(id, number)
    }
    #expect([3, 4].contains(status))
    let outcomes = takes.map { take in
      ((take["library"] as? [String: Any])?["hooks"] as? [[String: Any]])?
        .map { $0["outcome"] as? String }
    }
    #expect(outcomes == [["interrupted"], ["succeeded"]], "\(messages)")
    let ids = try String(contentsOfFile: folder.path("ids"), encoding: .utf8)
      .split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
    #expect(ids.count == 2)
    // A process whose parent does not reap it remains as a zombie.
    for id in ids {
      let state = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)) ?? ") Z"
      #expect(state.contains(") Z"), "\(state)")
    }
    let found = try Recordctl(["library", "list", "--library", library, "--json"])
    let assets = try #require(try found.objects("assets"))
    #expect(assets.count == 2)
    for asset in assets {
      let types = (asset["files"] as? [[String: Any]])?.compactMap { $0["type"] as? String }
      #expect(types == ["video", "companion"])
    }
  }

  @Test func a_session_without_a_take_is_reported_and_leaves_no_file() throws {
    let terminal = try PseudoTerminal()
    let (status, takes) = try takes(["-o", "t.mov"], on: terminal) { _ in
      try wait(for: "standing by for take 1")
      terminal.type("q")
    }
    #expect(status == 1)
    #expect(takes.map { $0["schema"] as? String } == ["prores-recorder/error"])
    #expect(messages.contains("before a take was recorded"))
    #expect(!folder.contents.contains { $0.hasPrefix("t") })
  }

  @Test(arguments: ["25", "29.97"])
  func a_recording_starts_at_the_requested_timecode(rate: String) throws {
    var start = time_t(Date().timeIntervalSince1970 + 5)
    var local = tm()
    localtime_r(&start, &local)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let text = "\(two(local.tm_hour)):\(two(local.tm_min)):\(two(local.tm_sec))"
    let run = try Recordctl(
      ["record", "--json"] + source + [
        "--rate", rate, "--start-at", text + ":05", "--duration", "10f", "--scene", "3",
        "-o", folder.path("{scene}-{take}.mov"),
      ])
    #expect([0, 3].contains(run.status), "\(run.errors)")
    let report = try #require(try run.json() as? [String: Any])
    let movie = try #require(report["movie"] as? [String: Any])
    #expect(movie["frameCount"] as? Int == 10)
    #expect(movie["startTimecode"] as? String == text + (rate == "25" ? ":05" : ";05"))
    let sidecar = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(filePath: folder.path("3-001.mov.json"))))
    let request = (sidecar as? [String: Any])?["request"] as? [String: Any]
    #expect(request?["take"] as? Int == 1 && request?["scene"] as? String == "3")
  }

  @Test func a_start_frame_beyond_the_rate_is_refused() throws {
    try Recordctl(["record"] + source + ["--start-at", "10:00:00:25", "-o", folder.path("x.mov")])
      .expectRefusal(naming: "25 frames per second", "0 to 24")
  }

  @Test func defaults_from_environment_and_file_are_used_and_reported() throws {
    let configuration = folder.path("config")
    try FileManager.default.createDirectory(
      atPath: configuration + "/recordctl", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: folder.path("takes"), withIntermediateDirectories: true)
    try """
    device = "pattern:ramp"
    preset = "1080p25-hq"
    output-folder = "\(folder.path("takes"))"
    """.write(
      toFile: configuration + "/recordctl/config.toml", atomically: true, encoding: .utf8)
    let environment = [
      "XDG_CONFIG_HOME": configuration, "RECORDCTL_DEVICE": "pattern:bars?pace=none",
    ]
    let run = try Recordctl(
      [
        "record", "--json", "--size", "640x360", "--duration", "3f", "--preset",
        "offline-1080p25-proxy",
      ],
      environment: environment)
    #expect(run.status == 0, "\(run.errors)")
    let report = try #require(try run.json() as? [String: Any])
    let path = try #require((report["movie"] as? [String: Any])?["path"] as? String)
    #expect(path.hasPrefix(folder.path("takes") + "/"))
    let device = (report["source"] as? [String: Any])?["deviceID"] as? String
    #expect(device == "pattern:bars?pace=none")
    let line = try #require(run.errors.split(separator: "\n").first)
    #expect(line.contains("device pattern:bars?pace=none (RECORDCTL_DEVICE)"))
    #expect(line.contains("output-folder \(folder.path("takes")) (\(configuration)/"))
    #expect(line.contains("config.toml:3)"))
    #expect(!line.contains("preset"), "an option overrides a default")
  }

  @Test func a_configuration_error_is_refused_with_its_location() throws {
    let configuration = folder.path("config")
    try FileManager.default.createDirectory(
      atPath: configuration + "/recordctl", withIntermediateDirectories: true)
    try "\npreste = \"a\"\n".write(
      toFile: configuration + "/recordctl/config.toml", atomically: true, encoding: .utf8)
    try Recordctl(
      ["record", "--duration", "3f", "-o", folder.path("x.mov")],
      environment: ["XDG_CONFIG_HOME": configuration]
    ).expectRefusal(naming: "config.toml:2:1", "preste", "did you mean 'preset'?")
  }
}
