import CaptureTestSupport
import MediaCore

@testable import CaptureDevices
@testable import VideoRecorder

/// A session with a camera, a microphone and an output for each.
struct Rig {
  let cameraDriver = ScriptedDriver(formats: [.frames(.v210), .frames(.uyvy)])
  let microphoneDriver = ScriptedDriver("alsa:test", mediaType: .audio, formats: [.audio()])
  let camera: CaptureDevice
  let microphone: CaptureDevice
  let cameraInput: CaptureDeviceInput
  let microphoneInput: CaptureDeviceInput
  let video = RecordingOutput(.video)
  let audio = RecordingOutput(.audio)
  let session = CaptureSession()

  init(connected: Bool = true) throws {
    camera = CaptureDevice(driver: cameraDriver)
    microphone = CaptureDevice(driver: microphoneDriver)
    cameraInput = try CaptureDeviceInput(device: camera)
    microphoneInput = try CaptureDeviceInput(device: microphone)
    guard connected else { return }
    try session.configure { [self] session throws(CaptureError) in
      try session.add(cameraInput)
      try session.add(microphoneInput)
      try session.add(video)
      try session.add(audio)
    }
  }
}
