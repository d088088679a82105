public import Foundation
public import MediaCore
public import VideoRecorder

/// Features of phones' cameras that are unavailable here. Setting a property has no effect.
extension AVCapturePhotoOutput {
  public var isLivePhotoCaptureSupported: Bool { false }
  public var isLivePhotoCaptureEnabled: Bool {
    get { false }
    set {}
  }
  public var isDepthDataDeliverySupported: Bool { false }
  public var isDepthDataDeliveryEnabled: Bool {
    get { false }
    set {}
  }
  public var isPortraitEffectsMatteDeliverySupported: Bool { false }
  public var isPortraitEffectsMatteDeliveryEnabled: Bool {
    get { false }
    set {}
  }
  public var isStillImageStabilizationSupported: Bool { false }
  public var isLensStabilizationDuringBracketedCaptureSupported: Bool { false }
  public var isFastCapturePrioritizationSupported: Bool { false }
  public var isFastCapturePrioritizationEnabled: Bool {
    get { false }
    set {}
  }
  public var isResponsiveCaptureSupported: Bool { false }
  public var isResponsiveCaptureEnabled: Bool {
    get { false }
    set {}
  }
  public var isZeroShutterLagSupported: Bool { false }
  public var isZeroShutterLagEnabled: Bool {
    get { false }
    set {}
  }
  /// Nil: scenes are not monitored.
  public var photoSettingsForSceneMonitoring: AVCapturePhotoSettings? {
    get { nil }
    set {}
  }
  /// False: photos are processed immediately.
  public var isAutoDeferredPhotoDeliverySupported: Bool { false }
  public var isAutoDeferredPhotoDeliveryEnabled: Bool {
    get { false }
    set {}
  }
  public var isAutoRedEyeReductionSupported: Bool { false }
  public var isContentAwareDistortionCorrectionSupported: Bool { false }
  public var isContentAwareDistortionCorrectionEnabled: Bool {
    get { false }
    set {}
  }
  public var isVirtualDeviceFusionSupported: Bool { false }
  public var isCameraCalibrationDataDeliverySupported: Bool { false }
  public var isShutterSoundSuppressionSupported: Bool { false }
  public var isConstantColorSupported: Bool { false }
  public var isConstantColorEnabled: Bool {
    get { false }
    set {}
  }
  /// Name of ``supportedFlashModes`` used by older programs.
  public var __supportedFlashModes: [NSNumber] {
    supportedFlashModes.map { NSNumber(value: $0.rawValue) }
  }
  /// Only `off`.
  public var supportedFlashModes: [AVCaptureDevice.FlashMode] { [.off] }
  /// None: no settings need preparation.
  public var preparedPhotoSettingsArray: [AVCapturePhotoSettings] { [] }
  /// Prepares nothing; `completionHandler` is called immediately with true.
  public func setPreparedPhotoSettingsArray(
    _ preparedPhotoSettingsArray: [AVCapturePhotoSettings],
    completionHandler: ((Bool, (any Error)?) -> Void)? = nil
  ) {
    completionHandler?(true, nil)
  }
  /// None: photos are RAW files or compressed.
  public var availablePhotoPixelFormatTypes: [OSType] { [] }
  /// The file types of processed photos, one for each of ``availablePhotoCodecTypes``.
  public var availablePhotoFileTypes: [AVFileType] {
    availablePhotoCodecTypes.compactMap { codec in
      switch codec {
      case .jpeg: .jpg
      case .hevc: .heic
      default: nil
      }
    }
  }
  /// DNG if RAW photos are available.
  public var availableRawPhotoFileTypes: [AVFileType] {
    availableRawPhotoPixelFormatTypes.isEmpty ? [] : [.dng]
  }
}

extension AVCapturePhotoSettings {
  /// Name of ``availablePreviewPhotoPixelFormatTypes`` used by older programs.
  public var __availablePreviewPhotoPixelFormatTypes: [NSNumber] {
    availablePreviewPhotoPixelFormatTypes.map { NSNumber(value: $0) }
  }
  /// Off: no device here has a flash. Setting it has no effect.
  public var flashMode: AVCaptureDevice.FlashMode {
    get { .off }
    set {}
  }
  /// False: unsupported. Setting it has no effect.
  public var isAutoRedEyeReductionEnabled: Bool {
    get { false }
    set {}
  }
  /// False: unsupported. Setting it has no effect.
  public var isPortraitEffectsMatteDeliveryEnabled: Bool {
    get { false }
    set {}
  }
  /// False: unsupported. Setting it has no effect.
  public var isDepthDataDeliveryEnabled: Bool {
    get { false }
    set {}
  }
  /// False: unsupported. Setting it has no effect.
  public var isConstantColorEnabled: Bool {
    get { false }
    set {}
  }
  /// False: unsupported. Setting it has no effect.
  public var isConstantColorFallbackPhotoDeliveryEnabled: Bool {
    get { false }
    set {}
  }
  /// False: unsupported. Setting it has no effect.
  public var isShutterSoundSuppressionEnabled: Bool {
    get { false }
    set {}
  }
  /// False: unsupported. Setting it has no effect.
  public var isAutoContentAwareDistortionCorrectionEnabled: Bool {
    get { false }
    set {}
  }
  /// Nil: Live Photos are not supported. Setting it has no effect.
  public var livePhotoMovieFileURL: URL? {
    get { nil }
    set {}
  }
  /// DNG if a RAW photo is requested; otherwise nil.
  public var rawFileType: AVFileType? { rawPhotoPixelFormatType == 0 ? nil : .dng }
  /// Nil: the codec determines the file type.
  public var processedFileType: AVFileType? { nil }
  /// None: only RAW photos have thumbnails, see ``availableRawEmbeddedThumbnailPhotoCodecTypes``.
  public var availableEmbeddedThumbnailPhotoCodecTypes: [AVVideoCodecType] { [] }
  /// Nil, see ``availableEmbeddedThumbnailPhotoCodecTypes``. Setting it has no effect.
  public var embeddedThumbnailPhotoFormat: [String: Any]? {
    get { nil }
    set {}
  }
}

extension AVCaptureResolvedPhotoSettings {
  public var isFlashEnabled: Bool { false }
  /// From zero to infinity: the processing time is not known in advance.
  public var photoProcessingTimeRange: CMTimeRange {
    CMTimeRange(start: .zero, duration: .positiveInfinity)
  }
  /// 0x0: Live Photos are not supported.
  public var livePhotoMovieDimensions: CMVideoDimensions { CMVideoDimensions() }
  /// 0x0: there are no proxies of deferred photos.
  public var deferredPhotoProxyDimensions: CMVideoDimensions { CMVideoDimensions() }
}

/// A portrait matte beside a photo. Never made here.
public final class AVPortraitEffectsMatte: Sendable {
  private init() {}
  /// Always fails: a file's mattes are read with ``CIImage``.
  ///
  /// - Throws: ``AVError/Code/operationNotAllowed``.
  public convenience init(
    fromDictionaryRepresentation imageSourceAuxDataInfoDictionary: [AnyHashable: Any]
  ) throws { throw AVError(.operationNotAllowed, "mattes are read by CIImage here") }
}

/// A lens's calibration data. Unavailable here.
public final class AVCameraCalibrationData: Sendable {
  private init() {}
}

/// The proxy of a photo that is processed later. Photos are processed immediately here, so there is none.
///
/// Unchecked: the compiler does not verify subclasses. This one adds no stored property.
public final class AVCaptureDeferredPhotoProxy: AVCapturePhoto, @unchecked Sendable {}

extension AVCapturePhoto {
  public var isConstantColorFallbackPhoto: Bool { false }
  public var depthData: AVDepthData? { nil }
  public var portraitEffectsMatte: AVPortraitEffectsMatte? { nil }
  /// Nil: see the output's `base.calibration` for the sensor's calibration.
  public var cameraCalibrationData: AVCameraCalibrationData? { nil }
}
