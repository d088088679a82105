import Foundation
import TestSupport
import Testing

@Suite struct UsageTests {
  @Test func help_and_version_go_to_standard_output() throws {
    for arguments in [["--help"], ["devices", "--help"], ["--version"], ["presets", "--help"]] {
      let run = try Recordctl(arguments)
      #expect(run.status == 0 && !run.output.isEmpty && run.errors.isEmpty)
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completion_scripts_are_generated_for_each_shell(shell: String) throws {
    let run = try Recordctl(["--generate-completion-script", shell])
    #expect(run.status == 0 && run.output.contains("formats"))
  }

  @Test func incorrect_usage_prints_one_line_and_ends_with_2() throws {
    try Recordctl(["frobnicate"]).expectRefusal(naming: "frobnicate")
    try Recordctl(["devices", "--jsn"]).expectRefusal(naming: "--jsn", "--json")
    try Recordctl(["formats"]).expectRefusal(naming: "<device>")
  }

  @Test func an_unknown_device_is_refused() throws {
    try Recordctl(["formats", "nothing:0"]).expectRefusal(naming: "nothing:0")
  }

  @Test func presets_are_listed_and_shown() throws {
    let list = try #require(
      try Recordctl(["presets", "list", "--json"]).objects("presets"))
    #expect(list.contains { $0["name"] as? String == "1080p25-hq" })
    #expect(try Recordctl(["presets"]).output.contains("1080p25-hq"))
    let shown = try Recordctl(["presets", "show", "1080p25-hq"])
    #expect(shown.status == 0 && shown.output.contains("size = \"1920x1080\""))
    try Recordctl(["presets", "show", "none-such"]).expectRefusal(naming: "none-such")
  }

  @Test func an_invalid_user_preset_is_named_with_its_line() throws {
    let folder = try TemporaryFolder()
    let presets = folder.url.appending(path: "recordctl/presets")
    try FileManager.default.createDirectory(at: presets, withIntermediateDirectories: true)
    try "[video]\ncodec = \"h264\"".write(
      to: presets.appending(path: "mine.toml"), atomically: true, encoding: .utf8)
    let environment = ["XDG_CONFIG_HOME": folder.url.path]
    try Recordctl(["presets", "show", "mine"], environment: environment)
      .expectRefusal(naming: "mine.toml:2:1: video.codec", "h264", "proxy")
    let list = try Recordctl(["presets", "list"], environment: environment)
    #expect(list.status == 0 && list.output.contains("mine.toml:2:1: video.codec"))
  }
}
