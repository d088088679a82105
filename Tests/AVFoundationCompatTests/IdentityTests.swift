import AVFoundationCompat
import TestSupport
import Testing

/// Outputs, inputs and devices are objects, as in AVFoundation.
@Suite(.timeLimit(.minutes(10)))
struct IdentityTests {
  /// Code that is generic over outputs.
  private func count<Output: AVCaptureOutput>(_ outputs: [AVCaptureOutput], of type: Output.Type)
    -> Int
  {
    outputs.compactMap { $0 as? Output }.count
  }

  @Test func outputs_are_compared_and_distinguished_by_class() throws {
    let rig = try PatternRig()
    let video = AVCaptureVideoDataOutput()
    let audio: AVCaptureAudioDataOutput? = AVCaptureAudioDataOutput()
    rig.session.addOutput(video)
    let output: AVCaptureOutput = video
    #expect(output == video && output != audio && rig.session.outputs.contains(video))
    switch output {
    case video: break
    default: Issue.record("an output does not equal itself")
    }
    #expect(Set<AVCaptureOutput>([output, video, rig.output]).count == 2)
    #expect(count(rig.session.outputs, of: AVCaptureMovieFileOutput.self) == 1)
    #expect(count(rig.session.outputs, of: AVCaptureFileOutput.self) == 1)
    let file: AVCaptureFileOutput = rig.output
    file.maxRecordedDuration = CMTime(value: 2, timescale: 1)
    #expect(rig.output.maxRecordedDuration.seconds == 2 && !file.isRecording)
    for output in rig.session.outputs { rig.session.removeOutput(output) }
    #expect(rig.session.outputs.isEmpty)
  }

  @Test func all_devices_are_the_video_and_audio_devices() {
    let all = AVCaptureDevice.devices()
    let some = AVCaptureDevice.devices(for: .video) + AVCaptureDevice.devices(for: .audio)
    #expect(!all.isEmpty && Set(all.map(\.uniqueID)) == Set(some.map(\.uniqueID)))
  }

  @Test func inputs_are_compared_and_distinguished_by_class() throws {
    let rig = try PatternRig()
    let inputs: [AVCaptureInput] = rig.session.inputs
    let input = try #require(inputs.first as? AVCaptureDeviceInput)
    #expect(input.device == rig.device && inputs.contains(input) && inputs.first == input)
    #expect(input.ports.first?.clock != nil && rig.session.synchronizationClock != nil)
    #expect(rig.session.masterClock != nil)
    for input in inputs { rig.session.removeInput(input) }
    #expect(rig.session.inputs.isEmpty && rig.session.canAddInput(input))
  }

  @Test func writers_and_inputs_compare_by_identity() throws {
    let folder = try TemporaryFolder()
    let settings: [String: Any] = [
      AVVideoCodecKey: AVVideoCodecType.proRes422, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
    ]
    let input = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
    let other = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
    let writer = try AVAssetWriter(outputURL: folder.url("a.mov"), fileType: .mov)
    writer.add(input)
    #expect(writer.inputs.contains(input) && !writer.inputs.contains(other) && input != other)
    #expect([writer: 1][writer] == 1)
  }

  @Test func looking_up_a_device_returns_the_same_object() throws {
    // Used by this test alone: another test's choice of format would show here.
    let name = "pattern:bars?seed=5501"
    let device = try #require(AVCaptureDevice(uniqueID: name))
    let again = try #require(AVCaptureDevice(uniqueID: name))
    #expect(device === again && device == again)
    try device.lockForConfiguration()
    device.activeFormat = try #require(device.findFormat())
    device.unlockForConfiguration()
    #expect(again.activeFormat == device.activeFormat)
    let found = AVCaptureDevice.DiscoverySession(
      deviceTypes: [], mediaType: .video, position: .unspecified
    )
    .devices
    for device in found where device.deviceType == .pattern {
      #expect(AVCaptureDevice(uniqueID: device.uniqueID) === device)
    }
    let best = try #require(AVCaptureDevice.default(for: .video))
    #expect(AVCaptureDevice.default(for: .video) === best)
    #expect(try AVCaptureDevice.device(identifier: name) !== device)
  }

  @Test func a_device_whose_file_is_deleted_is_disconnected() throws {
    let folder = try TemporaryFolder()
    let file = folder.url("camera.y4m")
    let frame = Data("FRAME\n".utf8) + Data(repeating: 128, count: 64 * 64 * 3 / 2)
    let movie = Data("YUV4MPEG2 W64 H64 F25:1 Ip C420\n".utf8) + frame
    try movie.write(to: file)
    let device = try #require(AVCaptureDevice(uniqueID: "file:\(file.path)"))
    try FileManager.default.removeItem(at: file)
    #expect(AVCaptureDevice(uniqueID: "file:\(file.path)") == nil)
    #expect(!device.isConnected)
  }

  @Test func preset_and_device_type_names_match_apples_strings() {
    let presets: [(AVCaptureSession.Preset, String)] = [
      (.high, "AVCaptureSessionPresetHigh"), (.photo, "AVCaptureSessionPresetPhoto"),
      (.hd1280x720, "AVCaptureSessionPreset1280x720"),
      (.hd1920x1080, "AVCaptureSessionPreset1920x1080"),
      (.hd4K3840x2160, "AVCaptureSessionPreset3840x2160"),
      (.inputPriority, "AVCaptureSessionPresetInputPriority"),
    ]
    #expect(presets.allSatisfy { $0.rawValue == $1 })
    #expect(AVCaptureDevice.DeviceType.external.rawValue == "AVCaptureDeviceTypeExternal")
    #expect(AVCaptureDevice.DeviceType.microphone.rawValue == "AVCaptureDeviceTypeMicrophone")
  }

  @Test func the_preset_is_high_until_a_format_is_chosen() throws {
    let session = AVCaptureSession()
    #expect(session.sessionPreset == .high)
    let device = try AVCaptureDevice.device(identifier: "pattern:bars?seed=5502")
    session.addInput(try AVCaptureDeviceInput(device: device))
    #expect(session.sessionPreset == .high)
    let rig = try PatternRig()
    #expect(rig.session.sessionPreset == .inputPriority)
    #expect(rig.device.activeFormat.formatDescription.dimensions.width == 640)
  }
}
