import Foundation
import Glibc
import MediaLibrary
import Testing

@Suite(.timeLimit(.minutes(10))) struct HookTests {
  private func hook(_ test: TestLibrary, _ name: String, _ script: String) throws -> String {
    let file = try test.folder.write([UInt8](("#!/bin/sh\n" + script + "\n").utf8), "hooks/" + name)
    chmod(file.path, 0o755)
    return file.path
  }

  @Test func hooks_run_in_order_with_the_asset_on_their_input_and_in_their_environment()
    async throws
  {
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
    let summary = try JSONDecoder().decode(AssetSummary.self, from: input)
    #expect(summary.identifier == report.createdAssets.first)
    #expect(FileManager.default.fileExists(atPath: summary.path))
  }

  @Test func a_hook_that_fails_or_floods_costs_nothing() async throws {
    let test = try TestLibrary()
    test.library.hookSelection = .executables([
      try hook(test, "fails", "echo no; exit 7"),
      try hook(test, "dies", "kill -9 $$"),
      try hook(test, "floods", "head -c 1000000 /dev/zero | tr '\\0' x"),
      try hook(test, "deaf", "exec <&-; exit 0"),
    ])
    let report = try await test.add(try test.folder.write(TestMedia.png(), "a.png"))
    #expect(report.hooks.map(\.outcome) == [.failed, .failed, .succeeded, .succeeded])
    #expect(report.hooks.map(\.status).prefix(2) == [7, 137])
    #expect(report.hooks[2].output.utf8.count == 64 << 10)
    #expect(report.hooks[2].isOutputCut)
    #expect(try test.library.fetchAssets().count == 1)
    try test.expectSound()
  }

  @Test func a_hook_that_hangs_is_ended_with_what_it_started() async throws {
    let test = try TestLibrary()
    var settings = try test.library.settings
    settings.hookTimeLimit = 1
    try test.library.setSettings(settings)
    // Its process group is told to end, and then ended.
    let script = "trap '' TERM; echo $$; sleep 3600 & wait; sleep 3600"
    test.library.hookSelection = .executables([try hook(test, "hangs", script)])
    let report = try await test.add(try test.folder.write(TestMedia.png(), "a.png"))
    #expect(report.hooks.map(\.outcome) == [.timedOut])
    #expect(try test.library.fetchAssets().count == 1)
    try test.expectSound()
  }

  @Test func a_hook_that_is_not_there_is_told_and_the_asset_is_saved() async throws {
    let test = try TestLibrary()
    test.library.hookSelection = .executables(["/nonexistent/hook"])
    let report = try await test.add(try test.folder.write(TestMedia.png(), "a.png"))
    #expect(report.createdAssets.count == 1)
    #expect(report.warnings.first?.contains("/nonexistent/hook") == true)
  }
}
