import AVFoundationCompat
import Testing

/// Features of phone cameras, tape recorders and their systems: the answer is no, and a program
/// that asks first continues.
@Suite struct PhoneCameraTests {
  private let device: AVCaptureDevice

  init() throws { device = try AVCaptureDevice.device(identifier: "pattern:bars") }

  @Test func automatic_frame_rates_and_face_detection_stay_off() throws {
    #expect(!device.activeFormat.isAutoVideoFrameRateSupported)
    try device.lockForConfiguration()
    device.isAutoVideoFrameRateEnabled = true
    device.automaticallyAdjustsFaceDrivenAutoFocusEnabled = true
    device.isFaceDrivenAutoFocusEnabled = true
    device.automaticallyAdjustsFaceDrivenAutoExposureEnabled = true
    device.isFaceDrivenAutoExposureEnabled = true
    device.unlockForConfiguration()
    #expect(!device.isAutoVideoFrameRateEnabled)
    #expect(!device.automaticallyAdjustsFaceDrivenAutoFocusEnabled)
    #expect(!device.isFaceDrivenAutoFocusEnabled)
    #expect(!device.automaticallyAdjustsFaceDrivenAutoExposureEnabled)
    #expect(!device.isFaceDrivenAutoExposureEnabled)
  }

  @Test func exposure_and_focus_cover_the_whole_frame() throws {
    let whole = CGRect(x: 0, y: 0, width: 1, height: 1)
    let part = CGRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
    #expect(!device.isExposureRectOfInterestSupported && !device.isFocusRectOfInterestSupported)
    try device.lockForConfiguration()
    device.exposureRectOfInterest = part
    device.focusRectOfInterest = part
    device.unlockForConfiguration()
    #expect(device.exposureRectOfInterest == whole && device.focusRectOfInterest == whole)
    #expect(device.minExposureRectOfInterestSize == whole.size)
    #expect(device.minFocusRectOfInterestSize == whole.size)
    #expect(device.defaultRectForExposurePoint(ofInterest: .zero) == whole)
    #expect(device.defaultRectForFocusPoint(ofInterest: .zero) == whole)
  }

  @Test func no_device_has_constituent_devices() {
    typealias Behavior = AVCaptureDevice.PrimaryConstituentDeviceSwitchingBehavior
    typealias Conditions =
      AVCaptureDevice.PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
    let conditions: Conditions = [.videoZoomChanged, .focusModeChanged]
    device.setPrimaryConstituentDeviceSwitchingBehavior(
      Behavior.restricted, restrictedSwitchingBehaviorConditions: conditions)
    #expect(device.primaryConstituentDeviceSwitchingBehavior == .unsupported)
    #expect(device.activePrimaryConstituentDeviceSwitchingBehavior == .unsupported)
    #expect(device.primaryConstituentDeviceRestrictedSwitchingBehaviorConditions == [])
    #expect(device.activePrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions == [])
    device.fallbackPrimaryConstituentDevices = [device]
    #expect(device.fallbackPrimaryConstituentDevices == [])
    #expect(device.supportedFallbackPrimaryConstituentDevices == [])
    let output = AVCaptureMovieFileOutput()
    output.setPrimaryConstituentDeviceSwitchingBehaviorForRecording(
      .locked, restrictedSwitchingBehaviorConditions: .exposureModeChanged)
    #expect(output.primaryConstituentDeviceSwitchingBehaviorForRecording == .unsupported)
    #expect(output.primaryConstituentDeviceRestrictedSwitchingBehaviorConditionsForRecording == [])
  }

  @Test func a_format_recommends_nothing_and_supports_no_effects() {
    let format = device.activeFormat
    #expect(format.systemRecommendedVideoZoomRange == nil)
    #expect(format.systemRecommendedExposureBiasRange == nil)
    #expect(format.secondaryNativeResolutionZoomFactors.isEmpty)
    #expect(format.supportedVideoZoomRangesForDepthDataDelivery.isEmpty)
    #expect(format.supportedVideoZoomFactorsForDepthDataDelivery.isEmpty)
    #expect(!format.isStudioLightSupported && !format.isBackgroundReplacementSupported)
    #expect(!format.reactionEffectsSupported && !format.isSmartFramingSupported)
    let ranges = [
      format.videoFrameRateRangeForStudioLight, format.videoFrameRateRangeForBackgroundReplacement,
      format.videoFrameRateRangeForReactionEffectsInProgress,
      format.videoFrameRateRangeForCenterStage, format.videoFrameRateRangeForPortraitEffect,
    ]
    #expect(ranges.allSatisfy { $0 == nil })
    #expect(!format.isSpatialVideoCaptureSupported)
    #expect(format.geometricDistortionCorrectedVideoFieldOfView == 0)
    #expect(!format.isPortraitEffectsMatteStillImageDeliverySupported)
    #expect(format.unsupportedCaptureOutputClasses.isEmpty)
  }

  @Test func no_system_effects_are_applied() {
    AVCaptureDevice.centerStageControlMode = AVCaptureDevice.CenterStageControlMode.cooperative
    #expect(AVCaptureDevice.centerStageControlMode == .user)
    #expect(!AVCaptureDevice.isStudioLightEnabled && !device.isStudioLightActive)
    #expect(
      !AVCaptureDevice.isBackgroundReplacementEnabled && !device.isBackgroundReplacementActive)
    #expect(!AVCaptureDevice.reactionEffectsEnabled)
    #expect(!AVCaptureDevice.reactionEffectGesturesEnabled && !device.canPerformReactionEffects)
    device.performEffect(for: .confetti)
    let drawn: [AVCaptureReactionEffectState] = device.reactionEffectsInProgress
    let types: Set<AVCaptureReactionType> = device.availableReactionTypes
    #expect(drawn.isEmpty && types.isEmpty)
    let modes: [AVCaptureDevice.MicrophoneMode] = [
      AVCaptureDevice.preferredMicrophoneMode, AVCaptureDevice.activeMicrophoneMode,
    ]
    #expect(modes == [.standard, .standard])
    AVCaptureDevice.showSystemUserInterface(AVCaptureDevice.SystemUserInterface.microphoneModes)
  }

  @Test func no_device_has_transport_controls() {
    let speed: AVCaptureDevice.TransportControlsSpeed = 1
    device.setTransportControlsPlaybackMode(
      AVCaptureDevice.TransportControlsPlaybackMode.playing, speed: speed)
    #expect(!device.transportControlsSupported && device.transportControlsSpeed == 0)
    #expect(device.transportControlsPlaybackMode == .notPlaying)
    #expect(!device.isLockedForConfigurationByAnotherProcess)
    #expect(device.nominalFocalLengthIn35mmFilm == 0)
    #expect(AVCaptureDevice.extrinsicMatrix(from: device, to: device) == nil)
  }

  @Test func spatial_video_is_not_recorded() {
    let output = AVCaptureMovieFileOutput()
    output.isSpatialVideoCaptureEnabled = true
    #expect(!output.isSpatialVideoCaptureSupported && !output.isSpatialVideoCaptureEnabled)
    #expect(device.spatialCaptureDiscomfortReasons == Set<AVSpatialCaptureDiscomfortReason>())
  }

  @Test func multichannel_modes_and_wind_noise_removal_are_unsupported() throws {
    let input = try AVCaptureDeviceInput(device: device)
    #expect(!input.isMultichannelAudioModeSupported(.stereo))
    #expect(input.isMultichannelAudioModeSupported(.none))
    input.multichannelAudioMode = AVCaptureDeviceInput.MultichannelAudioMode.firstOrderAmbisonics
    input.isWindNoiseRemovalEnabled = true
    #expect(input.multichannelAudioMode == .none)
    #expect(!input.isWindNoiseRemovalSupported && !input.isWindNoiseRemovalEnabled)
  }

  @Test func deferred_start_and_system_pressure_are_unsupported() {
    let session = AVCaptureSession()
    session.automaticallyRunsDeferredStart = true
    #expect(!session.isManualDeferredStartSupported && !session.automaticallyRunsDeferredStart)
    let factors = device.systemPressureState.factors
    #expect(!factors.contains(.cameraTemperature) && !factors.contains(.systemTemperature))
    #expect(!factors.contains(.peakPower) && !factors.contains(.depthModuleTemperature))
    // The key that programs look up in a notification's user info.
    #expect(
      AVCaptureSessionInterruptionSystemPressureStateKey
        == "AVCaptureSessionInterruptionSystemPressureStateKey")
  }
}
