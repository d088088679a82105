import AVFoundationCompat

/// Takes the session's best preset from a list.
final class PresetLadder {
  static let ladder: [AVCaptureSession.Preset] = [
    .vga640x480, .cif352x288, .medium, .low, .iFrame960x540, .iFrame1280x720, .qHD960x540,
    .hd1280x720, .hd1920x1080, .hd4K3840x2160, .high,
  ]
  private let session = AVCaptureSession()

  func choose(from presets: [AVCaptureSession.Preset]) -> AVCaptureSession.Preset? {
    guard let preset = presets.first(where: { session.canSetSessionPreset($0) }) else { return nil }
    session.beginConfiguration()
    session.sessionPreset = preset
    session.commitConfiguration()
    return session.sessionPreset
  }

  static func height(of preset: AVCaptureSession.Preset) -> Int? {
    switch preset {
    case .hd1280x720, .iFrame1280x720: 720
    case .hd1920x1080: 1080
    case .hd4K3840x2160: 2160
    case .vga640x480: 480
    case .qHD960x540, .iFrame960x540: 540
    case .cif352x288: 288
    case .high, .medium, .low, .photo, .inputPriority: nil
    default: nil
    }
  }

  static func run() async throws {
    let program = PresetLadder()
    expect(program.session.sessionPreset == .high, "a new session has another preset")
    guard let device = AVCaptureDevice(uniqueID: "pattern:bars") else {
      throw AVError(.deviceNotConnected)
    }
    let input = try AVCaptureDeviceInput(device: device)
    guard program.session.canAddInput(input) else { throw AVError(.operationNotAllowed) }
    program.session.addInput(input)
    let output = AVCaptureVideoDataOutput()
    program.session.addOutput(output)
    guard let preset = program.choose(from: ladder) else { throw AVError(.formatUnsupported) }
    expect(device.supportsSessionPreset(preset), "the device does not support \(preset.rawValue)")
    let size = CMVideoFormatDescriptionGetDimensions(device.activeFormat.formatDescription)
    if let height = height(of: preset) {
      expect(Int(size.height) == height, "\(preset.rawValue) gives \(size.height) rows")
    }
    expect(!program.session.canSetSessionPreset(.init(rawValue: "unheard of")), "any preset fits")
  }
}
