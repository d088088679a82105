import ArgumentParser
import AssetWriter
import Foundation
import MediaCore
import MediaLibrary
import Takes
import Testing
import VideoRecorder

@testable import recordctl

@Suite struct PresetOverridesTests {
  /// Applies to `record` and `channel`.
  @Test func a_preset_sets_the_library_folder_and_hooks() throws {
    var wanted = Preset.Library()
    wanted.hooks = ["/usr/bin/true"]
    let arguments = try SavingArguments.parse([])
    #expect(try arguments.destination(for: wanted) == nil)
    wanted.saves = true
    wanted.folder = "/nonexistent/takes"
    let library = try #require(try arguments.destination(for: wanted))
    #expect(library.url.path == "/nonexistent/takes")
    #expect(library.hookSelection == .executables(["/usr/bin/true"]))
    let named = try SavingArguments.parse(["--library", "/nonexistent/other"])
    #expect(try named.destination(for: wanted)?.url.path == "/nonexistent/other")
  }

  @Test func command_line_options_override_every_preset() {
    let arguments = PresetOverrides(
      audio: "none", size: VideoDimensions(width: 1280, height: 720), rate: .fps50,
      codec: .proRes422LT, segment: .duration(.frames(300)), preRoll: .frames(100),
      timecode: "10:00:00:00", fillsGaps: false, writesSidecar: false)
    for name in ["one", "another"] {
      let preset = arguments.applied(to: Preset(name: name))
      #expect(preset.name == name && preset.audio.device == "none")
      #expect(preset.video.dimensions == VideoDimensions(width: 1280, height: 720))
      #expect(preset.video.frameRate == .fps50 && preset.video.codec == .proRes422LT)
      #expect(preset.segment == .duration(.frames(300)))
      #expect(preset.preRoll == .frames(100), "the device determines the rate")
      #expect(preset.timecode == .start("10:00:00:00"))
      #expect(!preset.video.fillsGaps && !preset.writesSidecar)
    }
    var preset = Preset(name: "own")
    preset.audio.device = "alsa:Loopback"
    preset.preRoll = .seconds(3)
    #expect(PresetOverrides().applied(to: preset) == preset)
  }
}
