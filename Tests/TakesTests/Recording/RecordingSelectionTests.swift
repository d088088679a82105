import AssetWriter
import CaptureDevices
import MediaCore
import Testing
import VideoRecorder

@testable import Takes

/// The devices that a request selects.
@Suite struct RecordingSelectionTests {
  @Test func audio_matches_every_video_node_of_its_device() {
    let audio = identity("alsa:usb-0000:00:14.0-2,1", at: "usb-0000:00:14.0-2", .audio)
    let place = "usb-0000:00:14.0-2"
    #expect(audio.isBeside(identity("v4l2:usb-0000:00:14.0-2#2", at: place, .video)))
    #expect(audio.isBeside(identity("v4l2:usb-0000:00:14.0-2", at: place, .video)))
    #expect(!audio.isBeside(identity("v4l2:x", at: "usb-0000:00:14.0-22", .video)))
    // A device moved to another port keeps its old identifier.
    #expect(audio.isBeside(identity("v4l2:usb-0000:00:14.0-7", at: place, .video)))
    #expect(!audio.isBeside(identity("v4l2:usb-0000:00:14.0-2", at: nil, .video)))
  }

  private func identity(
    _ id: String, at place: String?, _ type: MediaType
  ) -> CaptureDevice.Identity {
    CaptureDevice.Identity(uniqueID: id, localizedName: "", busPath: place, mediaType: type)
  }

  @Test func audio_matches_the_video_of_its_card() {
    let audio = identity("alsa:CX23885", at: "PCI:0000:03:00.1", .audio)
    for place in ["PCI:0000:03:00.0", "PCIe:0000:03:00.0", "PCI:0000:03:00.1"] {
      #expect(audio.isBeside(identity("v4l2:\(place)", at: place, .video)))
    }
    for place in ["PCI:0000:03:01.0", "PCI:0000:00:1f.3", "platform:0000:03:00.0", nil] {
      #expect(!audio.isBeside(identity("v4l2:card", at: place, .video)))
    }
    #expect(!identity("alsa:x", at: nil, .audio).isBeside(identity("v4l2:x", at: nil, .video)))
  }

  @Test func a_test_pattern_gives_its_reason_unless_requested_by_name() throws {
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.preset.audio.device = "none"
    let chosen = try RecordingSelection(request)
    #expect((chosen.device.deviceType == .pattern) == (chosen.standInReason != nil))
    request.deviceID = "pattern:bars"
    #expect(try RecordingSelection(request).standInReason == nil)
  }

  @Test func the_space_for_a_take_includes_audio() throws {
    func rate(_ audio: String) throws -> (all: Double, audio: Double) {
      var request = RecordingRequest(preset: Preset(name: "test"))
      request.deviceID = "pattern"
      request.preset.audio.device = audio
      let setup = try RecordingSetup(request)
      let format = setup.output.connections.first { $0.mediaType == .audio }
        .flatMap { setup.output.audioOutputSettings(for: $0)?.format }
      let bytes = format.map { Double($0.bytesPerFrame) * Double($0.sampleRate) }
      return (setup.targetBytesPerSecond, bytes ?? 0)
    }
    let (silent, recorded) = (try rate("none"), try rate("auto"))
    #expect(silent.audio == 0 && recorded.audio >= 48_000 * 2)
    #expect(abs(recorded.all - silent.all - recorded.audio) < 0.01)
  }
}
