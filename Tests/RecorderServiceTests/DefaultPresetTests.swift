import Foundation
import Logging
import TestSupport
import Testing

@testable import RecorderService

/// Reloads that apply changes to the user's defaults, which are not in the gateway's configuration.
struct DefaultPresetTests {
  private let folder: TemporaryFolder
  private let gateway: Gateway
  private var configuration: ServiceConfiguration

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("[video]\nsize = \"640x360\"\n", "mine.toml")
    try folder.makeFolder("recordctl")
    try folder.write("preset = \"\(folder.path("mine.toml"))\"\n", "recordctl/config.toml")
    configuration = ServiceConfiguration(channels: [.init(name: "a")])
    configuration.tokens = [.init(name: "o", role: .operate, secret: "operate-0123456789")]
    gateway = try Gateway(
      configuration, folder: RuntimeFolder(path: folder.path("runtime")),
      logger: Logger(label: "test"), environment: ["XDG_CONFIG_HOME": folder.path]
    ) { channel, _ in ["recorder", channel.device ?? ""] }
  }

  private static let unchanged = ["the configuration is unchanged"]
  private static let anew = "channel a: its preset has changed: its recorder restarts"

  @Test func an_edited_default_preset_takes_effect_on_reload() async throws {
    #expect(try await gateway.reload(configuration) == Self.unchanged)
    try folder.write("[video]\nsize = \"1280x720\"\n", "mine.toml")
    #expect(try await gateway.reload(configuration) == [Self.anew])
    #expect(try await gateway.reload(configuration) == Self.unchanged)
  }

  @Test func choosing_or_removing_the_default_preset_takes_effect_on_reload() async throws {
    try folder.write("", "recordctl/config.toml")
    #expect(try await gateway.reload(configuration) == [Self.anew])
    try folder.write("preset = \"1080p25-hq\"\n", "recordctl/config.toml")
    #expect(try await gateway.reload(configuration) == [Self.anew])
    try folder.write(
      "preset = \"1080p25-hq\"\ndevice = \"pattern\"\n", "recordctl/config.toml")
    #expect(
      try await gateway.reload(configuration)
        == ["channel a: the default device has changed: its recorder restarts"])
    #expect(try await gateway.reload(configuration) == Self.unchanged)
  }

  /// A recorder could not start with such a preset.
  @Test(arguments: [true, false])
  func an_unreadable_default_preset_leaves_the_recorder_unchanged(isOtherwiseTheSame: Bool)
    async throws
  {
    try folder.write("[video]\nsise = 1\n", "mine.toml")
    var wanted = configuration
    if !isOtherwiseTheSame { wanted.channels[0].device = "pattern:bars" }
    let lines = try await gateway.reload(wanted)
    #expect(lines.count == (isOtherwiseTheSame ? 1 : 2), "\(lines)")
    let line = try #require(lines.last)
    #expect(line.hasPrefix("channel a: its recorder is unchanged: the default preset, by "))
    #expect(line.contains("config.toml:1: ") && line.contains("mine.toml:2:1: "), "\(line)")
    let note = try #require(gateway.channels.first?.status.notes.first)
    #expect(line == "channel a: \(note)")
    // Once the preset is readable, all changes requested in the meantime apply.
    try folder.write("[video]\nsize = \"640x360\"\n", "mine.toml")
    #expect(
      try await gateway.reload(wanted)
        == (isOtherwiseTheSame
          ? Self.unchanged : ["channel a: its recorder restarts with its settings"]))
    #expect(gateway.channels.first?.status.notes == [])
  }

  @Test func unreadable_defaults_leave_the_recorder_unchanged() async throws {
    try folder.write("presets = 1\n", "recordctl/config.toml")
    let warnings = configuration.defaultsWarnings(environment: ["XDG_CONFIG_HOME": folder.path])
    #expect(warnings.count == 1)
    #expect(warnings.first?.hasPrefix("channel a: no recorder can start: ") == true, "\(warnings)")
    let lines = try await gateway.reload(configuration)
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("channel a: its recorder is unchanged: ") == true, "\(lines)")
    #expect(lines.first?.contains("config.toml:1:1: ") == true, "\(lines)")
  }
}
