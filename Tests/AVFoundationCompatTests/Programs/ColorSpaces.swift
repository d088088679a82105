import AVFoundationCompat

/// Chooses wide color if a camera has it; otherwise tags what is written.
enum ColorSpaces {
  @discardableResult
  static func chooseWideColor(_ device: AVCaptureDevice, in session: AVCaptureSession) throws
    -> AVCaptureColorSpace
  {
    session.automaticallyConfiguresCaptureDeviceForWideColor = false
    let spaces = device.activeFormat.supportedColorSpaces
    let order: [AVCaptureColorSpace] = [.appleLog, .HLG_BT2020, .P3_D65]
    try device.lockForConfiguration()
    defer { device.unlockForConfiguration() }
    if let best = order.first(where: { spaces.contains($0) }) {
      device.activeColorSpace = best
    }
    return device.activeColorSpace
  }

  static func colorProperties(of space: AVCaptureColorSpace) -> [String: String] {
    switch space {
    case .HLG_BT2020:
      [
        AVVideoColorPrimariesKey: AVVideoColorPrimaries_ITU_R_2020,
        AVVideoTransferFunctionKey: AVVideoTransferFunction_ITU_R_2100_HLG,
        AVVideoYCbCrMatrixKey: AVVideoYCbCrMatrix_ITU_R_2020,
      ]
    case .sRGB, .P3_D65, .appleLog, .appleLog2:
      [
        AVVideoColorPrimariesKey: AVVideoColorPrimaries_ITU_R_709_2,
        AVVideoTransferFunctionKey: AVVideoTransferFunction_ITU_R_709_2,
        AVVideoYCbCrMatrixKey: AVVideoYCbCrMatrix_ITU_R_709_2,
      ]
    @unknown default: [:]
    }
  }

  static func run() async throws {
    let session = AVCaptureSession()
    let device = try AVCaptureDevice.testCamera()
    session.addInput(try AVCaptureDeviceInput(device: device))
    let space = try chooseWideColor(device, in: session)
    expect(space == .sRGB, "a pattern has the color space \(space)")
    let settings: [String: Any] = [
      AVVideoCodecKey: AVVideoCodecType.proRes422HQ, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
      AVVideoColorPropertiesKey: colorProperties(of: .HLG_BT2020),
    ]
    let writer = try AVAssetWriter(outputURL: scratchURL("hlg.mov"), fileType: .mov)
    guard writer.canApply(outputSettings: settings, forMediaType: .video) else {
      throw AVError(.unsupportedOutputSettings)
    }
    let sample = try RetimedSamples.frame(at: 0)
    guard let frame = sample.imageBuffer else { throw AVError(.invalidSourceMedia) }
    CVBufferSetAttachment(
      frame, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_ITU_R_2020,
      .shouldPropagate)
    let primaries = CVBufferCopyAttachment(frame, kCVImageBufferColorPrimariesKey, nil)
    expect(
      primaries as? String == kCVImageBufferColorPrimaries_ITU_R_2020 as String,
      "the primaries are not on the picture")
    let input = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
    writer.add(input)
    writer.startWriting()
    writer.startSession(atSourceTime: .zero)
    expect(input.append(sample), "the frame is refused: \(String(describing: writer.error))")
    await writer.finishWriting()
    if let error = writer.error { throw error }
  }
}
