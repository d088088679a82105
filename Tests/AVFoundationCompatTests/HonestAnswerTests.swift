import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// Questions for features missing here: the answer is no, and the program continues.
@Suite(.timeLimit(.minutes(10)))
struct HonestAnswerTests {
  let rig: PatternRig

  init() throws { rig = try PatternRig() }

  @Test func a_camera_without_controls_supports_and_changes_none() throws {
    let device = rig.device
    let exposure: [AVCaptureDevice.ExposureMode] = [
      .locked, .autoExpose, .continuousAutoExposure, .custom,
    ]
    #expect(!exposure.contains { device.isExposureModeSupported($0) })
    let focus: [AVCaptureDevice.FocusMode] = [.locked, .autoFocus, .continuousAutoFocus]
    #expect(!focus.contains { device.isFocusModeSupported($0) })
    let white: [AVCaptureDevice.WhiteBalanceMode] = [
      .locked, .autoWhiteBalance, .continuousAutoWhiteBalance,
    ]
    #expect(!white.contains { device.isWhiteBalanceModeSupported($0) })
    let torch: [AVCaptureDevice.TorchMode] = [.off, .on, .auto]
    #expect(torch.filter { device.isTorchModeSupported($0) } == [.off])
    #expect(!device.isExposurePointOfInterestSupported && !device.isFocusPointOfInterestSupported)
    #expect(!device.isAdjustingExposure && !device.isAdjustingFocus)
    #expect(!device.isSmoothAutoFocusSupported && !device.isLowLightBoostSupported)
    #expect(!device.hasTorch && !device.isTorchAvailable && !device.hasFlash)
    #expect(!device.isFlashActive)
    try device.lockForConfiguration()
    device.exposureMode = .custom
    device.focusMode = .autoFocus
    device.whiteBalanceMode = .autoWhiteBalance
    device.torchMode = .on
    device.videoZoomFactor = 3
    device.isSubjectAreaChangeMonitoringEnabled = true
    device.unlockForConfiguration()
    #expect(device.exposureMode == .locked && device.focusMode == .locked)
    #expect(device.whiteBalanceMode == .locked && device.torchMode == .off)
    #expect(device.videoZoomFactor == 1 && !device.isSubjectAreaChangeMonitoringEnabled)
    #expect(device.minAvailableVideoZoomFactor == 1 && device.maxAvailableVideoZoomFactor == 1)
    #expect(device.activeFormat.supportedColorSpaces == [AVCaptureColorSpace]())
  }

  @Test func a_connection_neither_rotates_nor_mirrors_frames() throws {
    let connection = try #require(rig.output.connection(with: .video))
    #expect(!connection.isVideoOrientationSupported && !connection.isVideoMirroringSupported)
    #expect(!connection.isVideoStabilizationSupported)
    #expect(!connection.isVideoMinFrameDurationSupported)
    #expect(!connection.isVideoMaxFrameDurationSupported)
    #expect(connection.isVideoRotationAngleSupported(0))
    #expect(!connection.isVideoRotationAngleSupported(90))
    connection.videoOrientation = AVCaptureVideoOrientation.portrait
    connection.videoRotationAngle = 90
    connection.isVideoMirrored = true
    connection.automaticallyAdjustsVideoMirroring = true
    connection.preferredVideoStabilizationMode = AVCaptureVideoStabilizationMode.cinematic
    #expect(connection.videoOrientation == .landscapeRight && connection.videoRotationAngle == 0)
    #expect(!connection.isVideoMirrored && !connection.automaticallyAdjustsVideoMirroring)
    #expect(connection.preferredVideoStabilizationMode == .off)
    #expect(connection.activeVideoStabilizationMode == .off)
    let format = rig.device.activeFormat
    #expect(
      AVCaptureVideoStabilizationMode.allCases.filter {
        format.isVideoStabilizationModeSupported($0)
      } == [.off])
  }

  @Test func unavailable_session_presets_cannot_be_set() {
    let presets: [AVCaptureSession.Preset] = [
      .medium, .low, .cif352x288, .vga640x480, .qHD960x540, .iFrame960x540, .iFrame1280x720,
    ]
    #expect(!presets.contains { rig.session.canSetSessionPreset($0) })
    #expect(rig.session.canSetSessionPreset(.high))
  }

  @Test func phone_cameras_are_not_discovered() {
    let types: [AVCaptureDevice.DeviceType] = [
      .builtInDualWideCamera, .builtInTrueDepthCamera, .builtInLiDARDepthCamera,
      .continuityCamera, .deskViewCamera,
    ]
    let found = AVCaptureDevice.DiscoverySession(
      deviceTypes: types, mediaType: .video, position: .back)
    #expect(found.devices.isEmpty)
  }

  @Test(arguments: [
    AVVideoCodecType.hevcWithAlpha, .jpeg, AVVideoCodecType(rawValue: AVVideoCodecJPEG),
  ])
  func unsupported_movie_codecs_are_refused_by_name(_ codec: AVVideoCodecType) throws {
    let folder = try TemporaryFolder()
    let settings: [String: Any] = [
      AVVideoCodecKey: codec, AVVideoWidthKey: 640, AVVideoHeightKey: 360,
    ]
    let writer = try AVAssetWriter(outputURL: folder.url("a.mov"), fileType: .mov)
    #expect(!writer.canApply(outputSettings: settings, forMediaType: .video))
    writer.add(AVAssetWriterInput(mediaType: .video, outputSettings: settings))
    let error = try #require(writer.error as? AVError)
    #expect(writer.status == .failed && error.code == .unsupportedOutputSettings)
    #expect(error.message.contains(codec.rawValue))
    #expect(!rig.output.availableVideoCodecTypes.contains(codec))
  }

  @Test(arguments: [
    kCVPixelFormatType_32RGBA,
    kCVPixelFormatType_ARGB2101010LEPacked, kCVPixelFormatType_64ARGB,
    kCVPixelFormatType_64RGBAHalf, kCVPixelFormatType_4444AYpCbCr16,
    kCVPixelFormatType_OneComponent8,
  ])
  func pixel_formats_of_no_device_are_refused(_ code: OSType) throws {
    var frame: CVPixelBuffer?
    #expect(
      CVPixelBufferCreate(kCFAllocatorDefault, 64, 64, code, nil, &frame)
        == kCVReturnInvalidPixelFormat)
    #expect(frame == nil)
    let output = AVCaptureVideoDataOutput()
    #expect(throws: AVError.self) {
      try output.setVideoSettings([kCVPixelBufferPixelFormatTypeKey: code])
    }
    #expect(!output.availableVideoPixelFormatTypes.contains(code))
  }

  @Test func the_media_services_reset_code_matches_apples() {
    #expect(AVError.mediaServicesWereReset.rawValue == -11819)
  }

  @Test(arguments: [CMTime.invalid, .positiveInfinity, CMTimeMake(value: 1, timescale: 4)])
  func a_movie_is_complete_with_any_fragment_interval(interval: CMTime) async throws {
    let folder = try TemporaryFolder()
    rig.output.movieFragmentInterval = interval
    rig.output.maxRecordedDuration = CMTimeMake(value: 5, timescale: 25)
    rig.session.startRunning()
    let error = await RecordingListener().record(rig.output, to: folder.url("take.mov"))
    rig.session.stopRunning()
    #expect((error as? AVError)?.recordingSuccessfullyFinished == true)
    #expect(rig.output.lastReport?.movie.frameCount == 5)
  }

  @Test(arguments: [
    AVFileType.mobile3GPP, .aifc, .mp3, .heic, .jpg, .tif, .dng,
  ])
  func non_movie_file_types_are_not_written(_ type: AVFileType) throws {
    let folder = try TemporaryFolder()
    do {
      _ = try AVAssetWriter(outputURL: folder.url("a.movie"), fileType: type)
      Issue.record("a writer of \(type.rawValue) was created")
    } catch let error as AVError {
      #expect(error.message.contains(type.rawValue))
    }
    let output = AVCaptureVideoDataOutput()
    #expect(output.recommendedVideoSettingsForAssetWriter(writingTo: type) == nil)
    #expect(output.availableVideoCodecTypesForAssetWriter(writingTo: type).isEmpty)
    let audio = AVCaptureAudioDataOutput()
    #expect(audio.recommendedAudioSettingsForAssetWriter(writingTo: type) == nil)
  }

  @Test func only_the_program_sets_the_preferred_camera() throws {
    let device = rig.device
    #expect(AVCaptureDevice.systemPreferredCamera != nil)
    AVCaptureDevice.userPreferredCamera = device
    #expect(AVCaptureDevice.userPreferredCamera == device)
    #expect(AVCaptureDevice.systemPreferredCamera == device)
    AVCaptureDevice.userPreferredCamera = nil
    #expect(AVCaptureDevice.userPreferredCamera == nil)
    let names: [Notification.Name] = [
      .AVCaptureDeviceWasConnected, .AVCaptureDeviceWasDisconnected,
      .AVCaptureDeviceSubjectAreaDidChange,
    ]
    #expect(
      names == [
        AVCaptureDevice.wasConnectedNotification, AVCaptureDevice.wasDisconnectedNotification,
        AVCaptureDevice.subjectAreaDidChangeNotification,
      ])
  }

  @Test func phone_camera_settings_are_ignored() throws {
    let device = rig.device
    let rotation = AVCaptureDevice.RotationCoordinator(device: device, previewLayer: nil)
    #expect(rotation.device == device && rotation.previewLayer == nil)
    #expect(
      rotation != AVCaptureDevice.RotationCoordinator(device: device, previewLayer: nil)
        && Set([rotation, rotation]).count == 1)
    #expect(rotation.videoRotationAngleForHorizonLevelCapture == 0)
    #expect(rotation.videoRotationAngleForHorizonLevelPreview == 0)
    device.activeColorSpace = .appleLog
    #expect(device.activeColorSpace == .sRGB)
    #expect(device.constituentDevices.isEmpty && !device.isVirtualDevice)
    #expect(!device.isFlashAvailable && !device.isInUseByAnotherApplication && !device.isSuspended)
    device.exposurePointOfInterest = CGPoint(x: 1, y: 1)
    device.focusPointOfInterest = CGPoint(x: 1, y: 1)
    #expect(device.exposurePointOfInterest.x == 0.5 && device.focusPointOfInterest.y == 0.5)
    let calls = Atomic<Int>(0)
    device.setExposureTargetBias(1) { _ in calls.add(1, ordering: .relaxed) }
    device.setFocusModeLocked(lensPosition: 0.5) { _ in calls.add(1, ordering: .relaxed) }
    #expect(calls.load(ordering: .relaxed) == 2)
    #expect(device.exposureTargetBias == 0 && device.lensPosition == 0)
    #expect(device.minExposureTargetBias == 0 && device.maxExposureTargetBias == 0)
    #expect(!device.isLockingFocusWithCustomLensPositionSupported)
    device.isSmoothAutoFocusEnabled = true
    device.ramp(toVideoZoomFactor: 2, withRate: 1)
    device.cancelVideoZoomRamp()
    #expect(!device.isSmoothAutoFocusEnabled && !device.isRampingVideoZoom)
    #expect(device.torchLevel == 0 && !device.isTorchActive)
    #expect(throws: AVError.self) { try device.setTorchModeOn(level: 1) }
    device.automaticallyEnablesLowLightBoostWhenAvailable = true
    device.automaticallyAdjustsVideoHDREnabled = true
    device.isVideoHDREnabled = true
    #expect(!device.automaticallyEnablesLowLightBoostWhenAvailable && !device.isVideoHDREnabled)
    #expect(!device.automaticallyAdjustsVideoHDREnabled && !device.isAdjustingWhiteBalance)
    let format = device.activeFormat
    #expect(format.videoMaxZoomFactor == 1 && format.videoFieldOfView == 0)
    #expect(!format.isVideoBinned && !format.isVideoHDRSupported && !format.isMultiCamSupported)
    let session = rig.session
    session.automaticallyConfiguresCaptureDeviceForWideColor = true
    session.automaticallyConfiguresApplicationAudioSession = true
    session.usesApplicationAudioSession = true
    session.isMultitaskingCameraAccessEnabled = true
    #expect(!session.automaticallyConfiguresCaptureDeviceForWideColor)
    #expect(!session.automaticallyConfiguresApplicationAudioSession)
    #expect(!session.usesApplicationAudioSession && !session.isMultitaskingCameraAccessEnabled)
    #expect(!session.isMultitaskingCameraAccessSupported)
  }

  @Test(arguments: [
    AVVideoMaxKeyFrameIntervalDurationKey, AVVideoH264EntropyModeKey,
    AVVideoAverageNonDroppableFrameRateKey,
  ])
  func keys_of_other_codecs_are_refused_by_name(_ key: String) throws {
    let folder = try TemporaryFolder()
    let writer = try AVAssetWriter(outputURL: folder.url("a.mov"), fileType: .mov)
    writer.add(
      AVAssetWriterInput(
        mediaType: .video,
        outputSettings: [
          AVVideoCodecKey: AVVideoCodecType.proRes422, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
          AVVideoCompressionPropertiesKey: [key: AVVideoH264EntropyModeCABAC],
        ]))
    #expect((writer.error as? AVError)?.message.contains(key) == true)
  }

  private final class Finder: AVCaptureMetadataOutputObjectsDelegate {}

  @Test func frames_are_not_searched_for_metadata_objects() throws {
    let session = AVCaptureSession()
    session.addInput(try AVCaptureDeviceInput(device: rig.device))
    let output = AVCaptureMetadataOutput()
    if session.canAddOutput(output) { session.addOutput(output) }
    let finder = Finder()
    output.setMetadataObjectsDelegate(finder, queue: .main)
    let wanted: [AVMetadataObject.ObjectType] = [.qr, .ean13, .face]
    output.metadataObjectTypes = wanted.filter(output.availableMetadataObjectTypes.contains)
    output.rectOfInterest = CGRect(x: 0, y: 0, width: 0.5, height: 0.5)
    #expect(output.metadataObjectTypes.isEmpty && output.rectOfInterest.width == 1)
    #expect(output.metadataObjectsDelegate == nil)
    let code: AVMetadataMachineReadableCodeObject? = nil
    #expect(code?.stringValue == nil)
    let input = try AVCaptureDeviceInput(device: rig.device)
    input.isCinematicVideoCaptureEnabled = input.isCinematicVideoCaptureSupported
    #expect(!input.isCinematicVideoCaptureEnabled)
    #expect(!rig.device.formats.contains { $0.isCinematicVideoCaptureSupported })
    #expect(!rig.device.activeFormat.supportedColorSpaces.contains(.appleLog2))
  }

  @Test func absolute_time_counts_seconds_from_2001() {
    let now: CFAbsoluteTime = CFAbsoluteTimeGetCurrent()
    let passed: CFTimeInterval = Date().timeIntervalSinceReferenceDate - now
    #expect(abs(passed) < 60)
    AVAsset(url: URL(filePath: "/nowhere.mov")).cancelLoading()
  }

  @Test(arguments: [
    kAudioFormatMPEG4AAC_HE, kAudioFormatOpus, kAudioFormatMPEGLayer3, kAudioFormatAPAC,
  ])
  func other_audio_codecs_and_their_settings_are_refused(_ codec: AudioFormatID) throws {
    let folder = try TemporaryFolder()
    let writer = try AVAssetWriter(outputURL: folder.url("a.mov"), fileType: .mov)
    #expect(
      !writer.canApply(
        outputSettings: [
          AVFormatIDKey: codec, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
          AVEncoderBitDepthHintKey: 16,
        ], forMediaType: .audio))
    for key in [
      AVEncoderBitRatePerChannelKey, AVEncoderBitRateStrategyKey,
      AVSampleRateConverterAudioQualityKey,
    ] {
      #expect(
        !writer.canApply(
          outputSettings: [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000,
            AVNumberOfChannelsKey: 2, key: AVAudioQuality.high.rawValue,
          ], forMediaType: .audio))
    }
  }

  @Test func audio_recording_is_always_permitted() async {
    let permission = AVAudioApplication.shared.recordPermission
    #expect(permission == .granted && permission.rawValue == 0x6772_6E74)
    #expect(AVAudioApplication.recordPermission(rawValue: 0x6465_6E79) == .denied)
    #expect(await AVAudioApplication.requestRecordPermission())
    var answers: [Bool] = []
    AVAudioApplication.requestRecordPermission { answers.append($0) }
    #expect(answers == [true])
  }
}
