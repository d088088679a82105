import AVFoundationCompat

/// Sets up a connection as phone apps do: each property only if supported.
enum ConnectionSetup {
  static func configure(_ connection: AVCaptureConnection, mirrored: Bool) {
    if connection.isVideoOrientationSupported {
      connection.videoOrientation = .portrait
    }
    if connection.isVideoRotationAngleSupported(90) {
      connection.videoRotationAngle = 90
    }
    if connection.isVideoMirroringSupported {
      connection.automaticallyAdjustsVideoMirroring = false
      connection.isVideoMirrored = mirrored
    }
    if connection.isVideoStabilizationSupported {
      connection.preferredVideoStabilizationMode = .auto
    }
    if connection.isVideoMinFrameDurationSupported {
      connection.videoMinFrameDuration = CMTimeMake(value: 1, timescale: 30)
    }
    if connection.isVideoMaxFrameDurationSupported {
      connection.videoMaxFrameDuration = CMTimeMake(value: 1, timescale: 30)
    }
    connection.videoScaleAndCropFactor = min(2, connection.videoMaxScaleAndCropFactor)
  }

  static func run() async throws {
    let session = AVCaptureSession()
    let device = try AVCaptureDevice.testCamera()
    let output = AVCaptureVideoDataOutput()
    session.addInput(try AVCaptureDeviceInput(device: device))
    session.addOutput(output)
    guard let connection = output.connection(with: AVMediaType.video) else {
      throw AVError(.noDataCaptured)
    }
    configure(connection, mirrored: device.position == .front)
    session.startRunning()
    expect(connection.isActive && connection.isEnabled, "the connection is not active")
    session.stopRunning()
    switch connection.videoOrientation {
    case .portrait, .portraitUpsideDown: expect(false, "cameras are not rotated")
    case .landscapeLeft, .landscapeRight: break
    @unknown default: break
    }
    expect(!connection.isVideoMirrored, "frames are mirrored")
    expect(connection.activeVideoStabilizationMode == .off, "frames are stabilized")
    expect(connection.videoScaleAndCropFactor == 1, "frames are enlarged")
    expect(connection.audioChannels.isEmpty, "video has audio channels")
    let format = device.activeFormat
    expect(
      !format.isVideoStabilizationModeSupported(.cinematicExtendedEnhanced), "it is stabilized")
    let range = format.videoSupportedFrameRateRanges.first { range in
      range.minFrameRate <= 25 && range.maxFrameRate >= 25
    }
    expect(range != nil, "25 is not among the rates")
    if let range {
      expect(CMTimeGetSeconds(range.minFrameDuration) <= 0.04, "a frame's duration is too long")
    }
    connection.isEnabled = false
    expect(!connection.isEnabled, "the connection remains enabled")
  }
}
