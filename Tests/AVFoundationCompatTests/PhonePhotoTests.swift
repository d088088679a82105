import AVFoundationCompat
import TestSupport
import Testing

/// What phones add to their photos: there is none here, and a program that wants it takes its photo
/// without.
@Suite(.timeLimit(.minutes(2)))
struct PhonePhotoTests {
  @Test func mattes_and_live_photos_are_unsupported() {
    let output = AVCapturePhotoOutput()
    let mattes: [AVSemanticSegmentationMatte.MatteType] = [.skin, .hair, .teeth, .glasses]
    #expect(output.availableSemanticSegmentationMatteTypes.isEmpty)
    output.enabledSemanticSegmentationMatteTypes = mattes
    #expect(output.enabledSemanticSegmentationMatteTypes.isEmpty)
    #expect(output.availableLivePhotoVideoCodecTypes.isEmpty)
    output.isLivePhotoAutoTrimmingEnabled = true
    output.isLivePhotoCaptureSuspended = true
    output.preservesLivePhotoCaptureSuspendedOnSessionStop = true
    #expect(!output.isLivePhotoAutoTrimmingEnabled && !output.isLivePhotoCaptureSuspended)
    #expect(!output.preservesLivePhotoCaptureSuspendedOnSessionStop)
    output.isVirtualDeviceConstituentPhotoDeliveryEnabled = true
    output.isDualCameraDualPhotoDeliveryEnabled = true
    #expect(!output.isVirtualDeviceConstituentPhotoDeliverySupported)
    #expect(!output.isVirtualDeviceConstituentPhotoDeliveryEnabled)
    #expect(!output.isDualCameraDualPhotoDeliverySupported)
    #expect(!output.isDualCameraDualPhotoDeliveryEnabled && !output.isDualCameraFusionSupported)
    #expect(!output.isFlashScene && !output.isStillImageStabilizationScene)
  }

  @Test func settings_of_unsupported_photo_features_stay_off() {
    let settings = AVCapturePhotoSettings()
    settings.embedsDepthDataInPhoto = true
    settings.isDepthDataFiltered = true
    settings.embedsPortraitEffectsMatteInPhoto = true
    settings.embedsSemanticSegmentationMattesInPhoto = true
    settings.enabledSemanticSegmentationMatteTypes = [.hair]
    #expect(!settings.embedsDepthDataInPhoto && !settings.isDepthDataFiltered)
    #expect(!settings.embedsPortraitEffectsMatteInPhoto)
    #expect(!settings.embedsSemanticSegmentationMattesInPhoto)
    #expect(settings.enabledSemanticSegmentationMatteTypes.isEmpty)
    settings.livePhotoVideoCodecType = .hevc
    settings.livePhotoMovieMetadata = []
    #expect(settings.livePhotoVideoCodecType == .h264 && settings.livePhotoMovieMetadata == nil)
    settings.isCameraCalibrationDataDeliveryEnabled = true
    settings.isAutoVirtualDeviceFusionEnabled = true
    settings.isAutoDualCameraFusionEnabled = true
    settings.isDualCameraDualPhotoDeliveryEnabled = true
    #expect(!settings.isCameraCalibrationDataDeliveryEnabled)
    #expect(!settings.isAutoVirtualDeviceFusionEnabled && !settings.isAutoDualCameraFusionEnabled)
    #expect(!settings.isDualCameraDualPhotoDeliveryEnabled)
    settings.virtualDeviceConstituentPhotoDeliveryEnabledDevices = []
    #expect(settings.virtualDeviceConstituentPhotoDeliveryEnabledDevices.isEmpty)
  }

  @Test func a_photo_reports_absent_features_and_its_thumbnail_format() async throws {
    let folder = try TemporaryFolder()
    let camera = try PhotoCamera(proRAW: false)
    camera.session.startRunning()
    let bayer = try #require(camera.output.availableRawPhotoPixelFormatTypes.first)
    let settings = AVCapturePhotoSettings(
      rawPixelFormatType: bayer, processedFormat: [AVVideoCodecKey: AVVideoCodecType.jpeg])
    settings.rawEmbeddedThumbnailPhotoFormat = [
      AVVideoCodecKey: AVVideoCodecType.jpeg, AVVideoWidthKey: 320, AVVideoHeightKey: 240,
    ]
    let processor = PhotoProcessor(folder: folder.url)
    let error = await processor.capture(settings, camera.output)
    camera.session.stopRunning()
    #expect(error == nil)
    let raw = try #require(processor.photos.first { $0.isRawPhoto })
    let processed = try #require(processor.photos.first { !$0.isRawPhoto })
    let thumbnail = try #require(raw.embeddedThumbnailPhotoFormat)
    let resolved = raw.resolvedSettings
    #expect(thumbnail[AVVideoCodecKey] as? AVVideoCodecType == .jpeg)
    #expect(
      thumbnail[AVVideoWidthKey] as? Int == Int(resolved.rawEmbeddedThumbnailDimensions.width))
    #expect(
      thumbnail[AVVideoHeightKey] as? Int == Int(resolved.rawEmbeddedThumbnailDimensions.height))
    #expect(processed.embeddedThumbnailPhotoFormat == nil)
    #expect(raw.lensStabilizationStatus == AVCaptureDevice.LensStabilizationStatus.unsupported)
    #expect(processed.semanticSegmentationMatte(for: .skin) == nil)
    #expect(processed.constantColorConfidenceMap == nil)
    #expect(processed.constantColorCenterWeightedMeanConfidenceLevel == 0)
    let none = CMVideoDimensions()
    #expect(resolved.embeddedThumbnailDimensions == none)
    #expect(resolved.portraitEffectsMatteDimensions == none)
    #expect(resolved.dimensionsForSemanticSegmentationMatte(ofType: .glasses) == none)
    #expect(!resolved.isRedEyeReductionEnabled && !resolved.isStillImageStabilizationEnabled)
    #expect(!resolved.isVirtualDeviceFusionEnabled && !resolved.isDualCameraFusionEnabled)
    #expect(!resolved.isContentAwareDistortionCorrectionEnabled)
    #expect(!resolved.isFastCapturePrioritizationEnabled)
  }
}
