import AssetWriter
import MediaCore
import Takes
import Testing
import VideoRecorder

@testable import recordctl

@Suite struct PresetOverridesTests {
  @Test func what_the_command_line_says_holds_for_each_preset() {
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
      // At the rate that was asked for.
      #expect(preset.preRollSeconds == 2)
      #expect(preset.timecode == .start("10:00:00:00"))
      #expect(!preset.video.fillsGaps && !preset.writesSidecar)
    }
    var preset = Preset(name: "own")
    preset.audio.device = "alsa:Loopback"
    preset.preRollSeconds = 3
    #expect(PresetOverrides().applied(to: preset) == preset)
  }
}
