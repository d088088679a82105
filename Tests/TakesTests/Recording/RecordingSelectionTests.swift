import CaptureDevices
import MediaCore
import Testing

@testable import Takes

/// Which devices a request comes to.
@Suite struct RecordingSelectionTests {
  @Test func sound_belongs_to_a_further_node_of_its_device_too() {
    func identity(_ id: String, _ type: MediaType) -> CaptureDevice.Identity {
      CaptureDevice.Identity(uniqueID: id, localizedName: "", mediaType: type)
    }
    let sound = identity("alsa:usb-0000:00:14.0-2,1", .audio)
    #expect(sound.isBeside(identity("v4l2:usb-0000:00:14.0-2#2", .video)))
    #expect(sound.isBeside(identity("v4l2:usb-0000:00:14.0-2", .video)))
    #expect(!sound.isBeside(identity("v4l2:usb-0000:00:14.0-22", .video)))
  }

  @Test func the_test_pattern_says_why_it_is_recorded_unless_somebody_named_it() throws {
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.preset.audio.device = "none"
    let chosen = try RecordingSelection(request)
    #expect((chosen.device.deviceType == .pattern) == (chosen.standInReason != nil))
    request.deviceID = "pattern:bars"
    #expect(try RecordingSelection(request).standInReason == nil)
  }
}
