import AVFoundationCompat

/// An assistant's settings, slightly changed, or the program's own.
enum SettingsAssistant {
  static func videoSettings(width: Int, height: Int) -> [String: Any] {
    if let assistant = AVOutputSettingsAssistant(preset: .preset1920x1080) {
      assistant.sourceVideoAverageFrameDuration = CMTime(value: 1, timescale: 25)
      if var settings = assistant.videoSettings {
        settings[AVVideoWidthKey] = width
        settings[AVVideoHeightKey] = height
        return settings
      }
    }
    return [
      AVVideoCodecKey: AVVideoCodecType.proRes422HQ, AVVideoWidthKey: width,
      AVVideoHeightKey: height,
    ]
  }

  static func layouts(of output: AVCaptureVideoDataOutput) -> [OSType] {
    let wanted = [
      kCVPixelFormatType_ARGB2101010LEPacked, kCVPixelFormatType_64ARGB,
      kCVPixelFormatType_422YpCbCr10, kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange,
    ]
    return wanted.filter { output.availableVideoPixelFormatTypes.contains($0) }
  }

  static func run() async throws {
    let writer = try AVAssetWriter(outputURL: scratchURL("assistant.mov"), fileType: .mov)
    let settings = videoSettings(width: 640, height: 360)
    guard writer.canApply(outputSettings: settings, forMediaType: .video) else {
      throw AVError(.unsupportedOutputSettings)
    }
    let session = AVCaptureSession()
    let output = AVCaptureVideoDataOutput()
    session.addInput(try AVCaptureDeviceInput(device: .testCamera()))
    session.addOutput(output)
    let layouts = layouts(of: output)
    expect(!layouts.isEmpty, "no 10-bit layout is available")
    let presets = AVOutputSettingsAssistant.availableOutputSettingsPresets()
    expect(
      !presets.contains(.hevc3840x2160)
        || writer.canApply(
          outputSettings: [
            AVVideoCodecKey: AVVideoCodecType.hevc, AVVideoWidthKey: 3840, AVVideoHeightKey: 2160,
          ], forMediaType: .video),
      "an assistant has settings that no writer takes")
    guard
      let recommended = output.recommendedVideoSettings(
        forVideoCodecType: .proRes422, assetWriterOutputFileType: .mov)
    else { throw AVError(.formatUnsupported) }
    let input = AVAssetWriterInput(
      mediaType: .video, outputSettings: recommended,
      sourceFormatHint: session.connections.first?.inputPorts.first?.formatDescription)
    expect(writer.canAdd(input), "recommended settings are refused")
  }
}
