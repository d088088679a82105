public import Foundation
public import MediaCore
public import VideoRecorder

/// What phones' photos can have and photos here have not: the answer is no, and setting one changes nothing.
extension AVCapturePhotoOutput {
  /// False.
  public var isLivePhotoCaptureSupported: Bool { false }
  /// False.
  public var isLivePhotoCaptureEnabled: Bool {
    get { false }
    set {}
  }
  /// False.
  public var isDepthDataDeliverySupported: Bool { false }
  /// False.
  public var isDepthDataDeliveryEnabled: Bool {
    get { false }
    set {}
  }
  /// False.
  public var isPortraitEffectsMatteDeliverySupported: Bool { false }
  /// False.
  public var isPortraitEffectsMatteDeliveryEnabled: Bool {
    get { false }
    set {}
  }
  /// False.
  public var isStillImageStabilizationSupported: Bool { false }
  /// False.
  public var isLensStabilizationDuringBracketedCaptureSupported: Bool { false }
  /// False.
  public var isFastCapturePrioritizationSupported: Bool { false }
  /// False.
  public var isFastCapturePrioritizationEnabled: Bool {
    get { false }
    set {}
  }
  /// False.
  public var isResponsiveCaptureSupported: Bool { false }
  /// False.
  public var isResponsiveCaptureEnabled: Bool {
    get { false }
    set {}
  }
  /// False.
  public var isZeroShutterLagSupported: Bool { false }
  /// False.
  public var isZeroShutterLagEnabled: Bool {
    get { false }
    set {}
  }
  /// Nil: nothing is watched before a photo. Setting it has no effect.
  public var photoSettingsForSceneMonitoring: AVCapturePhotoSettings? {
    get { nil }
    set {}
  }
  /// False: a photo is made at once.
  public var isAutoDeferredPhotoDeliverySupported: Bool { false }
  /// False. Setting it has no effect.
  public var isAutoDeferredPhotoDeliveryEnabled: Bool {
    get { false }
    set {}
  }
  /// False.
  public var isAutoRedEyeReductionSupported: Bool { false }
  /// False.
  public var isContentAwareDistortionCorrectionSupported: Bool { false }
  /// False. Setting it has no effect.
  public var isContentAwareDistortionCorrectionEnabled: Bool {
    get { false }
    set {}
  }
  /// False.
  public var isVirtualDeviceFusionSupported: Bool { false }
  /// False.
  public var isCameraCalibrationDataDeliverySupported: Bool { false }
  /// False.
  public var isShutterSoundSuppressionSupported: Bool { false }
  /// False.
  public var isConstantColorSupported: Bool { false }
  /// False. Setting it has no effect.
  public var isConstantColorEnabled: Bool {
    get { false }
    set {}
  }
  /// As ``supportedFlashModes``, by a name that older programs use.
  public var __supportedFlashModes: [NSNumber] {
    supportedFlashModes.map { NSNumber(value: $0.rawValue) }
  }
  /// Off alone.
  public var supportedFlashModes: [AVCaptureDevice.FlashMode] { [.off] }
  /// None: nothing has to be prepared.
  public var preparedPhotoSettingsArray: [AVCapturePhotoSettings] { [] }
  /// Prepares nothing; `completionHandler` is called with true at once.
  public func setPreparedPhotoSettingsArray(
    _ preparedPhotoSettingsArray: [AVCapturePhotoSettings],
    completionHandler: ((Bool, (any Error)?) -> Void)? = nil
  ) {
    completionHandler?(true, nil)
  }
  /// None: a photo's pixels are a RAW file's, or compressed.
  public var availablePhotoPixelFormatTypes: [OSType] { [] }
  /// The kinds of files for processed photos, by ``availablePhotoCodecTypes``.
  public var availablePhotoFileTypes: [AVFileType] {
    availablePhotoCodecTypes.compactMap { codec in
      switch codec {
      case .jpeg: .jpg
      case .hevc: .heic
      default: nil
      }
    }
  }
  /// DNG where there are RAW photos.
  public var availableRawPhotoFileTypes: [AVFileType] {
    availableRawPhotoPixelFormatTypes.isEmpty ? [] : [.dng]
  }
}

extension AVCapturePhotoSettings {
  /// As ``availablePreviewPhotoPixelFormatTypes``, by a name that older programs use.
  public var __availablePreviewPhotoPixelFormatTypes: [NSNumber] {
    availablePreviewPhotoPixelFormatTypes.map { NSNumber(value: $0) }
  }
  /// Off: no device here has a flash. Setting it has no effect.
  public var flashMode: AVCaptureDevice.FlashMode {
    get { .off }
    set {}
  }
  /// False. Setting it has no effect.
  public var isAutoRedEyeReductionEnabled: Bool {
    get { false }
    set {}
  }
  /// False. Setting it has no effect.
  public var isPortraitEffectsMatteDeliveryEnabled: Bool {
    get { false }
    set {}
  }
  /// False. Setting it has no effect.
  public var isDepthDataDeliveryEnabled: Bool {
    get { false }
    set {}
  }
  /// False. Setting it has no effect.
  public var isConstantColorEnabled: Bool {
    get { false }
    set {}
  }
  /// False. Setting it has no effect.
  public var isConstantColorFallbackPhotoDeliveryEnabled: Bool {
    get { false }
    set {}
  }
  /// False. Setting it has no effect.
  public var isShutterSoundSuppressionEnabled: Bool {
    get { false }
    set {}
  }
  /// False. Setting it has no effect.
  public var isAutoContentAwareDistortionCorrectionEnabled: Bool {
    get { false }
    set {}
  }
  /// Nil: there are no Live Photos. Setting it has no effect.
  public var livePhotoMovieFileURL: URL? {
    get { nil }
    set {}
  }
  /// DNG where there is a RAW photo; nil else.
  public var rawFileType: AVFileType? { rawPhotoPixelFormatType == 0 ? nil : .dng }
  /// Nil: that of the codec.
  public var processedFileType: AVFileType? { nil }
  /// None: RAW photos alone have thumbnails, see ``availableRawEmbeddedThumbnailPhotoCodecTypes``.
  public var availableEmbeddedThumbnailPhotoCodecTypes: [AVVideoCodecType] { [] }
  /// Nil, as ``availableEmbeddedThumbnailPhotoCodecTypes`` says. Setting it has no effect.
  public var embeddedThumbnailPhotoFormat: [String: Any]? {
    get { nil }
    set {}
  }
}

extension AVCaptureResolvedPhotoSettings {
  /// False.
  public var isFlashEnabled: Bool { false }
  /// From nothing to forever: how long a photo takes is not known before.
  public var photoProcessingTimeRange: CMTimeRange {
    CMTimeRange(start: .zero, duration: .positiveInfinity)
  }
  /// 0x0: there are no Live Photos.
  public var livePhotoMovieDimensions: CMVideoDimensions { CMVideoDimensions() }
  /// 0x0: there are no stand-ins for photos.
  public var deferredPhotoProxyDimensions: CMVideoDimensions { CMVideoDimensions() }
}

/// A mask of people beside a photo. Never used here.
public final class AVPortraitEffectsMatte: Sendable {
  private init() {}
  /// None: a file's matte is read by ``CIImage``.
  ///
  /// - Throws: An ``AVError`` of the code `operationNotAllowed`.
  public convenience init(
    fromDictionaryRepresentation imageSourceAuxDataInfoDictionary: [AnyHashable: Any]
  ) throws { throw AVError(.operationNotAllowed, "mattes are read by CIImage here") }
}

/// How a phone's lens bends light. Nothing here tells it.
public final class AVCameraCalibrationData: Sendable {
  private init() {}
}

/// What stands for a photo that is developed later. Photos here are made at once: there is none.
///
/// Unchecked because the compiler accepts `Sendable` of no class with a superclass: it adds no stored property.
public final class AVCaptureDeferredPhotoProxy: AVCapturePhoto, @unchecked Sendable {}

extension AVCapturePhoto {
  /// False.
  public var isConstantColorFallbackPhoto: Bool { false }
  /// Nil.
  public var depthData: AVDepthData? { nil }
  /// Nil.
  public var portraitEffectsMatte: AVPortraitEffectsMatte? { nil }
  /// Nil: what is known of a sensor is its output's `base.calibration`.
  public var cameraCalibrationData: AVCameraCalibrationData? { nil }
}
