public import MediaCore
public import MediaLibrary

/// A class whose objects are equal only to themselves, like Apple's classes that inherit equality from `NSObject`. Its
/// objects can be stored in sets and in structures that are compared.
public protocol ComparedByIdentity: AnyObject, Hashable {}

extension ComparedByIdentity {
  /// True for the same object.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs === rhs }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension AVAssetExportSession: ComparedByIdentity {}
extension AVAssetImageGenerator: ComparedByIdentity {}
extension AVAssetReader: ComparedByIdentity {}
extension AVAssetSegmentReport: ComparedByIdentity {}
extension AVAssetSegmentReportSampleInformation: ComparedByIdentity {}
extension AVAssetSegmentTrackReport: ComparedByIdentity {}
extension AVAssetTrackSegment: ComparedByIdentity {}
extension AVAsynchronousCIImageFilteringRequest: ComparedByIdentity {}
extension AVAsynchronousVideoCompositionRequest: ComparedByIdentity {}
extension AVAudioApplication: ComparedByIdentity {}
extension AVAudioBuffer: ComparedByIdentity {}
extension AVAudioConverter: ComparedByIdentity {}
extension AVAudioEngine: ComparedByIdentity {}
extension AVAudioFile: ComparedByIdentity {}
extension AVAudioInputNode: ComparedByIdentity {}
extension AVAudioMix: ComparedByIdentity {}
extension AVAudioMixInputParameters: ComparedByIdentity {}
extension AVAudioRecorder: ComparedByIdentity {}
extension AVAudioSessionChannelDescription: ComparedByIdentity {}
extension AVCameraCalibrationData: ComparedByIdentity {}
extension AVCaptureBracketedStillImageSettings: ComparedByIdentity {}
extension AVCaptureDataOutputSynchronizer: ComparedByIdentity {}
extension AVCapturePhoto: ComparedByIdentity {}
extension AVCapturePhotoOutputReadinessCoordinator: ComparedByIdentity {}
extension AVCapturePhotoSettings: ComparedByIdentity {}
extension AVCaptureReactionEffectState: ComparedByIdentity {}
extension AVCaptureResolvedPhotoSettings: ComparedByIdentity {}
extension AVCaptureSynchronizedData: ComparedByIdentity {}
extension AVCaptureSynchronizedDataCollection: ComparedByIdentity {}
extension AVDepthData: ComparedByIdentity {}
extension AVMediaDataStorage: ComparedByIdentity {}
extension AVMetadataItemFilter: ComparedByIdentity {}
extension AVMetadataObject: ComparedByIdentity {}
extension AVOutputSettingsAssistant: ComparedByIdentity {}
extension AVPortraitEffectsMatte: ComparedByIdentity {}
extension AVSampleCursor: ComparedByIdentity {}
extension AVSemanticSegmentationMatte: ComparedByIdentity {}
extension AVVideoComposition: ComparedByIdentity {}
extension AVVideoCompositionInstruction: ComparedByIdentity {}
extension AVVideoCompositionLayerInstruction: ComparedByIdentity {}
extension AVVideoCompositionRenderContext: ComparedByIdentity {}
extension CGContext: ComparedByIdentity {}
extension CGImage: ComparedByIdentity {}
extension CGImageDestination: ComparedByIdentity {}
extension CGImageSource: ComparedByIdentity {}
extension CIContext: ComparedByIdentity {}
extension CIFilter: ComparedByIdentity {}
extension CIImage: ComparedByIdentity {}
extension CIRenderDestination: ComparedByIdentity {}
extension CIRenderTask: ComparedByIdentity {}
extension CMBlockBuffer: ComparedByIdentity {}
extension CMMemoryPool: ComparedByIdentity {}
extension CMTimebase: ComparedByIdentity {}
extension CaptureDevice.RotationCoordinator: ComparedByIdentity {}
extension MTAudioProcessingTap: ComparedByIdentity {}
extension PHAdjustmentData: ComparedByIdentity {}
extension PHAssetCollectionChangeRequest: ComparedByIdentity {}
extension PHAssetResourceCreationOptions: ComparedByIdentity {}
extension PHAssetResourceRequestOptions: ComparedByIdentity {}
extension PHCollectionList: ComparedByIdentity {}
extension PHContentEditingInput: ComparedByIdentity {}
extension PHContentEditingInputRequestOptions: ComparedByIdentity {}
extension PHContentEditingOutput: ComparedByIdentity {}
extension PHFetchOptions: ComparedByIdentity {}
extension PHFetchResult: ComparedByIdentity {}
extension PHImageManager: ComparedByIdentity {}
extension PHImageRequestOptions: ComparedByIdentity {}
extension PHVideoRequestOptions: ComparedByIdentity {}
extension PhotoLibrary: ComparedByIdentity {}
extension PixelBuffer: ComparedByIdentity {}
extension PixelBufferPool: ComparedByIdentity {}
extension VTCompressionSession: ComparedByIdentity {}
extension VTDecompressionSession: ComparedByIdentity {}
extension VTPixelTransferSession: ComparedByIdentity {}
