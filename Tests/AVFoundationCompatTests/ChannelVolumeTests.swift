import AVFoundationCompat
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct ChannelVolumeTests {
  @Test func channel_volume_and_enablement_are_applied() async throws {
    let session = AVCaptureSession()
    session.addInput(
      try AVCaptureDeviceInput(device: try #require(AVCaptureDevice(uniqueID: "tone"))))
    let output = AVCaptureAudioDataOutput()
    session.addOutput(output)
    let channels = try #require(output.connection(with: .audio)).audioChannels
    try #require(channels.count == 2)
    #expect(channels.allSatisfy { $0.isEnabled && $0.volume == 1 })
    channels[0].isEnabled = false
    channels[1].volume = 0.1
    #expect(!channels[0].isEnabled && channels[1].volume == 0.1)
    session.startRunning()
    // A sine with an RMS level of -23 dB; a volume of 0.1 lowers it by 20 dB.
    try await eventually("channels have the set levels") {
      channels[0].averagePowerLevel == -160 && abs(channels[1].averagePowerLevel + 43) < 0.3
    }
    channels[0].isEnabled = true
    channels[1].volume = 2
    #expect(channels[1].volume == 1)
    try await eventually("audio passes at full level") {
      channels.allSatisfy { abs($0.averagePowerLevel + 23) < 0.2 }
    }
    channels[1].volume = .nan
    #expect(channels[1].volume == 1)
    session.stopRunning()
  }
}
