import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// Whether a capture can begin, and photo features missing here.
@Suite(.timeLimit(.minutes(10))) struct PhotoReadinessTests {
  private final class Shutter: AVCapturePhotoOutputReadinessCoordinatorDelegate,
    AVCapturePhotoCaptureDelegate, Sendable
  {
    let reported = Mutex<[AVCapturePhotoOutput.CaptureReadiness]>([])
    let answers = Mutex<[Bool]>([])

    func readinessCoordinator(
      _ coordinator: AVCapturePhotoOutputReadinessCoordinator,
      captureReadinessDidChange captureReadiness: AVCapturePhotoOutput.CaptureReadiness
    ) { reported.withLock { $0.append(captureReadiness) } }

    func photoOutput(
      _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto,
      error: (any Error)?
    ) {
      let depth: AVDepthData? = photo.depthData
      let matte: AVPortraitEffectsMatte? = photo.portraitEffectsMatte
      let calibration: AVCameraCalibrationData? = photo.cameraCalibrationData
      let isNone = depth == nil && matte == nil && calibration == nil
      answers.withLock { $0.append(isNone && !photo.isConstantColorFallbackPhoto) }
    }
  }

  @Test func readiness_follows_a_capture_from_tracking_to_completion() async throws {
    let device = try AVCaptureDevice.device(identifier: "pattern:raw?pace=none")
    try device.lockForConfiguration()
    device.activeFormat = try #require(
      device.formats.first {
        $0.isHighestPhotoQualitySupported && $0.highResolutionStillImageDimensions.width == 640
      })
    device.unlockForConfiguration()
    let (session, output) = (AVCaptureSession(), AVCapturePhotoOutput())
    session.addInput(try AVCaptureDeviceInput(device: device))
    session.addOutput(output)
    let shutter = Shutter()
    let coordinator = AVCapturePhotoOutputReadinessCoordinator(photoOutput: output)
    coordinator.delegate = shutter
    #expect(coordinator.delegate === shutter)
    #expect(output.captureReadiness == .sessionNotRunning)
    try await eventually("the delegate receives the readiness") {
      shutter.reported.withLock { $0 } == [.sessionNotRunning]
    }
    session.startRunning()
    try await eventually("frames arrive") { coordinator.captureReadiness == .ready }
    let raw = try #require(output.availableRawPhotoPixelFormatTypes.first)
    let dropped = AVCapturePhotoSettings(rawPixelFormatType: raw)
    coordinator.startTrackingCaptureRequest(using: dropped)
    #expect(coordinator.captureReadiness == .notReadyMomentarily)
    #expect(output.captureReadiness == .ready)
    coordinator.stopTrackingCaptureRequest(using: dropped.uniqueID)
    #expect(coordinator.captureReadiness == .ready)
    let settings = AVCapturePhotoSettings(rawPixelFormatType: raw)
    coordinator.startTrackingCaptureRequest(using: settings)
    output.capturePhoto(with: settings, delegate: shutter)
    coordinator.stopTrackingCaptureRequest(using: settings.uniqueID)
    try await eventually("the capture ends") { coordinator.captureReadiness == .ready }
    try await eventually("the delegate receives the change") {
      shutter.reported.withLock { $0.contains(.notReadyWaitingForCapture) && $0.last == .ready }
    }
    try await eventually("the photo is complete") { shutter.answers.withLock { $0 } == [true] }
    session.stopRunning()
    try await eventually("the end is reported") {
      shutter.reported.withLock { $0.last } == .sessionNotRunning
    }
    #expect(AVCapturePhotoOutput.CaptureReadiness.notReadyWaitingForProcessing.rawValue == 4)
  }

  @Test func phone_photo_processing_is_unsupported() {
    let output = AVCapturePhotoOutput()
    output.isConstantColorEnabled = true
    output.isContentAwareDistortionCorrectionEnabled = true
    #expect(!output.isConstantColorEnabled && !output.isConstantColorSupported)
    #expect(!output.isContentAwareDistortionCorrectionEnabled)
    #expect(!output.isAutoRedEyeReductionSupported && !output.isVirtualDeviceFusionSupported)
    #expect(!output.isContentAwareDistortionCorrectionSupported)
    #expect(!output.isCameraCalibrationDataDeliverySupported)
    #expect(!output.isShutterSoundSuppressionSupported)
    let settings = AVCapturePhotoSettings()
    settings.isConstantColorEnabled = true
    settings.isConstantColorFallbackPhotoDeliveryEnabled = true
    settings.isShutterSoundSuppressionEnabled = true
    settings.isAutoContentAwareDistortionCorrectionEnabled = true
    #expect(!settings.isConstantColorEnabled && !settings.isShutterSoundSuppressionEnabled)
    #expect(!settings.isConstantColorFallbackPhotoDeliveryEnabled)
    #expect(!settings.isAutoContentAwareDistortionCorrectionEnabled)
  }
}
