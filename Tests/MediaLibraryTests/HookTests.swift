import Foundation
import Glibc
import MediaLibrary
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct HookTests {
  private func hook(_ test: TestLibrary, _ name: String, _ script: String) throws -> String {
    try test.folder.writeProgram("#!/bin/sh\n" + script + "\n", "hooks/" + name).path
  }

  @Test func hooks_run_in_order_and_receive_the_asset() async throws {
    let test = try TestLibrary()
    _ = try hook(test, "20-second", #"echo "second $ASSET_NAME $ASSET_CODEC $ASSET_BADGES""#)
    _ = try hook(
      test, "10-first", #"cat > "$LIBRARY_PATH/../input.json"; echo first; echo err >&2"#)
    try test.folder.write([1], "hooks/30-no-executable")
    _ = try hook(test, "40-copy~", "echo no")
    test.library.hookSelection = .folder(test.folder.url.path + "/hooks")
    let movie = test.folder.url.appending(path: "a.mov")
    try TestMedia.movie(movie)
    let report = try await test.library.save(movies: [movie])
    #expect(report.hooks.map { $0.hook.split(separator: "/").last } == ["10-first", "20-second"])
    #expect(report.hooks.map(\.outcome) == [.succeeded, .succeeded])
    #expect(report.hooks.first?.output == "first\nerr\n")
    #expect(report.hooks.last?.output == "second a.mov apch ProRes\n")
    let input = try Data(contentsOf: test.folder.url.appending(path: "input.json"))
    #expect(String(decoding: input, as: UTF8.self).contains("\"prores-recorder/asset\""))
    let summary = try JSONDecoder().decode(AssetSummary.self, from: input)
    #expect(summary.identifier == report.createdAssets.first)
    #expect(FileManager.default.fileExists(atPath: summary.path))
  }

  @Test func failing_or_flooding_hooks_do_not_affect_the_asset() async throws {
    let test = try TestLibrary()
    test.library.hookSelection = .executables([
      try hook(test, "fails", "echo no; exit 7"),
      try hook(test, "dies", "kill -9 $$"),
      try hook(test, "floods", "head -c 1000000 /dev/zero | tr '\\0' x; echo why"),
      try hook(test, "deaf", "exec <&-; exit 0"),
    ])
    let report = try await test.add(try test.folder.write(TestMedia.png(), "a.png"))
    #expect(report.hooks.map(\.outcome) == [.failed, .failed, .succeeded, .succeeded])
    #expect(report.hooks.map(\.status).prefix(2) == [7, 137])
    #expect(report.hooks[2].output.utf8.count == 64 << 10)
    #expect(report.hooks[2].output.hasSuffix("xwhy\n"))
    #expect(report.hooks[2].isOutputCut)
    #expect(try test.library.fetchAssets().count == 1)
    try test.expectSound()
  }

  @Test func a_hanging_hook_is_killed_with_its_children() async throws {
    let test = try TestLibrary()
    var settings = try test.library.settings
    settings.hookTimeLimit = 1
    try test.library.setSettings(settings)
    // SIGTERM is sent to the process group, then SIGKILL.
    let script = "trap '' TERM; echo $$; sleep 3600 & wait; sleep 3600"
    test.library.hookSelection = .executables([try hook(test, "hangs", script)])
    let report = try await test.add(try test.folder.write(TestMedia.png(), "a.png"))
    #expect(report.hooks.map(\.outcome) == [.timedOut])
    #expect(try test.library.fetchAssets().count == 1)
    try test.expectSound()
  }

  /// True while a process runs: a zombie does not count.
  private func isAlive(_ process: Int32) -> Bool {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return false }
    return !text[end...].hasPrefix(") Z")
  }

  /// Waits until a hook has written a process number.
  private func number(in file: URL) async throws -> Int32 {
    var number: Int32?
    try await eventually("the hook writes its number") {
      let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      number = text.hasSuffix("\n") ? Int32(text.dropLast()) : nil
      return number != nil
    }
    return try #require(number)
  }

  /// A hook that hangs, with a child in its own session that ignores SIGTERM and hangs, too.
  private func hangingHook(_ test: TestLibrary, _ name: String) throws -> (hook: String, pid: URL) {
    let pid = test.folder.url.appending(path: name + ".pid")
    let child = "trap '' TERM; echo $$ > '\(pid.path)'; while :; do sleep 1; done"
    let file = try test.folder.write([UInt8](child.utf8), name + ".child")
    return (try hook(test, name, "setsid sh '\(file.path)' & sleep 3600"), pid)
  }

  @Test func a_timed_out_hook_is_killed_with_children_in_other_sessions() async throws {
    let test = try TestLibrary()
    var settings = try test.library.settings
    settings.hookTimeLimit = 2
    try test.library.setSettings(settings)
    let (hook, pid) = try hangingHook(test, "hangs")
    test.library.hookSelection = .executables([hook])
    let report = try await test.add(try test.folder.write(TestMedia.png(), "a.png"))
    #expect(report.hooks.map(\.outcome) == [.timedOut])
    #expect(!isAlive(try await number(in: pid)))
  }

  @Test func cancelling_ends_the_running_hook_and_skips_the_rest() async throws {
    let test = try TestLibrary()
    let (first, pid) = try hangingHook(test, "first")
    let second = try hook(test, "second", "exit 0")
    test.library.hookSelection = .executables([first, second])
    let file = try test.folder.write(TestMedia.png(), "a.png")
    let saving = Task { try await test.add(file) }
    let child = try await number(in: pid)
    saving.cancel()
    let report = try await saving.value
    #expect(report.hooks.map(\.outcome) == [.interrupted, .skipped])
    #expect(report.createdAssets.count == 1)
    #expect(!isAlive(child))
    try test.expectSound()
  }

  @Test func a_relative_hooks_folder_is_resolved_within_a_trusted_library() async throws {
    let test = try TestLibrary()
    _ = try hook(test, "10-hook", "echo seen")
    var settings = try test.library.settings
    settings.hooksFolder = "../hooks"
    try test.library.setSettings(settings)
    test.library.hookSelection = .settings
    let untrusted = try await test.add(try test.folder.write(TestMedia.png(seed: 1), "b.png"))
    #expect(untrusted.hooks.isEmpty && untrusted.createdAssets.count == 1)
    #expect(untrusted.warnings.contains { $0.contains("trusted") }, "\(untrusted.warnings)")
    try LibraryTrust(user: test.folder.user).add(test.library.url)
    let report = try await test.add(try test.folder.write(TestMedia.png(), "a.png"))
    #expect(report.hooks.map(\.output) == ["seen\n"])
  }

  @Test func a_missing_hooks_folder_in_the_settings_is_reported() async throws {
    let test = try TestLibrary()
    var settings = try test.library.settings
    settings.hooksFolder = "../hoks"
    try test.library.setSettings(settings)
    try LibraryTrust(user: test.folder.user).add(test.library.url)
    test.library.hookSelection = .settings
    let report = try await test.add(try test.folder.write(TestMedia.png(), "a.png"))
    #expect(report.createdAssets.count == 1 && report.hooks.isEmpty)
    #expect(report.warnings.count == 1, "\(report.warnings)")
    #expect(report.warnings.first?.contains("hoks") == true)
    // A missing user folder is normal, because it exists only for users with hooks.
    settings.hooksFolder = nil
    try test.library.setSettings(settings)
    let second = try await test.add(try test.folder.write(TestMedia.png(seed: 1), "b.png"))
    #expect(second.warnings.isEmpty)
  }

  @Test func a_missing_hook_is_reported_and_the_asset_is_saved() async throws {
    let test = try TestLibrary()
    test.library.hookSelection = .executables(["/nonexistent/hook"])
    let report = try await test.add(try test.folder.write(TestMedia.png(), "a.png"))
    #expect(report.createdAssets.count == 1)
    #expect(report.warnings.first?.contains("/nonexistent/hook") == true)
  }

  /// Two cards may have movies of the same name.
  @Test func the_proxy_example_makes_one_per_movie_and_overwrites_none() throws {
    let folder = try TemporaryFolder()
    try folder.writeProgram(
      "#!/bin/sh\nwhile [ $# -gt 1 ]; do shift; done\necho \"$ASSET_FILE\" > \"$1\"\n", "bin/ffmpeg"
    )
    func run(_ file: String) throws -> Int32 {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = [Self.example("proxy-transcode")]
      process.environment = [
        "PATH": folder.path("bin") + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? ""),
        "HOME": folder.path, "LIBRARY_PATH": "/library", "ASSET_TYPE": "video",
        "ASSET_NAME": "A001C003.mov", "ASSET_FILE": "/library/2026/11/" + file,
      ]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitForExit()
      return process.terminationStatus
    }
    func proxy(_ name: String) throws -> String {
      try String(contentsOfFile: folder.path("Videos/Proxies/2026/11/" + name), encoding: .utf8)
    }
    #expect(try run("A001C003.mov") == 0)
    #expect(try run("A001C003-2.mov") == 0)
    #expect(try run("A001C003.mp4") != 0, "its proxy's name is already taken")
    #expect(try proxy("A001C003.mp4") == "/library/2026/11/A001C003.mov\n")
    #expect(try proxy("A001C003-2.mp4") == "/library/2026/11/A001C003-2.mov\n")
  }

  private static func example(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "presets/hooks/" + name).path
  }

  /// Runs the S3 example with a client that logs its arguments; with or without python3.
  private func copyToStore(_ input: String, hasPython: Bool) throws -> (Int32, String) {
    let folder = try TemporaryFolder()
    let log = folder.url.appending(path: "log").path
    try folder.writeProgram("#!/bin/sh\ncat\necho \"$@\" >> '\(log)'\n", "bin/aws")
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.path + "/bin/cat", withDestinationPath: "/bin/cat")
    let more = hasPython ? ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "") : ""
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [Self.example("copy-to-s3")]
    process.environment = [
      "PATH": folder.url.path + "/bin" + more, "HOME": folder.url.path, "S3_BUCKET": "takes",
      "LIBRARY_PATH": "/library", "ASSET_ID": "A1",
    ]
    process.standardInput = try FileHandle(forReadingFrom: folder.write([UInt8](input.utf8), "in"))
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitForExit()
    return (process.terminationStatus, (try? String(contentsOfFile: log, encoding: .utf8)) ?? "")
  }

  @Test func the_s3_example_copies_every_file_or_fails() throws {
    let files =
      #"{"files": [{"path": "/library/2026/a b.mov", "xxHash64": "01"}, "#
      + #"{"path": "/library/2026/a b.json", "xxHash64": "02"}]}"#
    let (status, log) = try copyToStore(files, hasPython: true)
    #expect(status == 0)
    #expect(
      log.split(separator: "\n") == [
        "s3 cp --only-show-errors --metadata xxh64=01,asset=A1 /library/2026/a b.mov s3://takes/takes/2026/a b.mov",
        "s3 cp --only-show-errors --metadata xxh64=02,asset=A1 /library/2026/a b.json s3://takes/takes/2026/a b.json",
      ])
    #expect(try copyToStore("no JSON", hasPython: true).0 != 0)
    #expect(try copyToStore(files, hasPython: false).0 != 0)
  }
}
