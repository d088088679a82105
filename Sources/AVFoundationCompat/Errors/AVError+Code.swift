extension AVError {
  /// AVFoundation's error codes with Apple's numbers (AVError.h): those that occur here, and others that recorders
  /// check for. The latter say so.
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    /// An error without a more specific code.
    case unknown = -11800
    /// Out of memory or threads.
    case outOfMemory = -11801
    /// The session is not running, or was stopped before a photo was taken.
    case sessionNotRunning = -11803
    /// No data arrived to record.
    case noDataCaptured = -11805
    /// The session was changed during a recording.
    case sessionConfigurationChanged = -11806
    /// The disk is full, or has less free space than must be left.
    case diskFull = -11807
    /// The device was disconnected.
    case deviceWasDisconnected = -11808
    /// The format of the incoming media changed.
    case mediaChanged = -11809
    /// The recording reached its maximum duration.
    case maximumDurationReached = -11810
    /// The file reached its maximum size.
    case maximumFileSizeReached = -11811
    /// The stream was interrupted: the device stopped delivering, a photo's frame was damaged, or the disk did not keep
    /// up with a recording of audio.
    case mediaDiscontinuity = -11812
    /// The device is not connected.
    case deviceNotConnected = -11814
    /// Another program, or another session of this one, is streaming from the device.
    case deviceInUseByAnotherApplication = -11815
    /// The source delivers no usable media, for example without a signal.
    case sessionWasInterrupted = -11818
    /// Media could not be decoded.
    case decodeFailed = -11821
    /// A sample that cannot be written.
    case invalidSourceMedia = -11822
    case fileAlreadyExists = -11823
    /// A segment of a composition track with an invalid start time or duration.
    case invalidCompositionTrackSegmentDuration = -11825
    /// A segment whose source range has an invalid start time.
    case invalidCompositionTrackSegmentSourceStartTime = -11826
    /// A segment whose source range has an invalid duration.
    case invalidCompositionTrackSegmentSourceDuration = -11827
    /// An unsupported file type.
    case fileFormatNotRecognized = -11828
    /// A QuickTime file that is damaged beyond use.
    case fileFailedToParse = -11829
    /// Too many still image captures at the same time.
    case maximumStillImageCaptureRequestsExceeded = -11830
    /// There is no frame at the requested time.
    case noImageAtTime = -11832
    /// The encoder is not available.
    case encoderNotFound = -11834
    /// The asset does not support the operation, for example a track whose transform does more than rotate and mirror.
    case operationNotSupportedForAsset = -11838
    /// An invalid video composition, or one for an asset without video.
    case invalidVideoComposition = -11841
    /// The system refused access to the device.
    case applicationIsNotAuthorizedToUseDevice = -11852
    /// Invalid settings, or settings that cannot be met.
    case unsupportedOutputSettings = -11861
    /// The current state does not allow the call.
    case operationNotAllowed = -11862
    /// A format that is not supported.
    case formatUnsupported = -11864
    /// A format that the device does not have, or that is unsuitable.
    case unsupportedDeviceActiveFormat = -11873
    /// The operation was cancelled.
    case operationCancelled = -11878

    // Codes that do not occur here.

    /// Another session of this program uses the device. Does not occur here: it is reported as
    /// ``deviceInUseByAnotherApplication``.
    case deviceAlreadyUsedByAnotherSession = -11804
    /// More samples than the file type can hold. Does not occur here.
    case maximumNumberOfSamplesForFileFormatReached = -11813
    /// Another program is configuring the device. Does not occur here.
    case deviceLockedForConfigurationByAnotherProcess = -11817
    /// The system's media services restarted. Does not occur here.
    case mediaServicesWereReset = -11819
    /// An export failed. Does not occur here.
    case exportFailed = -11820
    /// Segments of a composition track that leave gaps or overlap. Does not occur here: segments are never set.
    case compositionTrackSegmentsNotContiguous = -11824
    /// Protected media. Does not occur here.
    case contentIsProtected = -11831
    /// No decoder for the media. Does not occur here.
    case decoderNotFound = -11833
    /// The user is not authorized to view the media. Does not occur here.
    case contentIsNotAuthorized = -11835
    /// The program is not authorized. Does not occur here.
    case applicationIsNotAuthorized = -11836
    /// Background programs cannot use the camera. Does not occur here.
    case deviceIsNotAvailableInBackground = -11837
    /// All decoders are in use. Does not occur here.
    case decoderTemporarilyUnavailable = -11839
    /// All encoders are in use. Does not occur here.
    case encoderTemporarilyUnavailable = -11840
    /// A file name extension that does not match the file type. Does not occur here.
    case invalidOutputURLPathExtension = -11843
    /// The screen could not be recorded. Does not occur here.
    case screenCaptureFailed = -11844
    /// The screen is off. Does not occur here.
    case displayWasDisabled = -11845
    /// The torch is too hot. Does not occur here.
    case torchLevelUnavailable = -11846
    /// The operation was interrupted. Does not occur here.
    case operationInterrupted = -11847
    /// The asset is not compatible with the device. Does not occur here.
    case incompatibleAsset = -11848
    /// Media could not be loaded. Does not occur here.
    case failedToLoadMediaData = -11849
    /// The server does not support byte ranges. Does not occur here.
    case serverIncorrectlyConfigured = -11850
    /// Data could not be parsed. Does not occur here.
    case failedToParse = -11853
    /// Media that cannot be decoded. Does not occur here: see ``fileFormatNotRecognized`` and ``decodeFailed``.
    case undecodableMediaData = -11855
    /// A recording is in progress. Does not occur here: a start during a recording switches the file, and other calls
    /// that are not possible then fail with ``operationNotAllowed``.
    case recordingAlreadyInProgress = -11859
    /// Media that is currently unavailable. Does not occur here.
    case contentIsUnavailable = -11863
    /// Invalid depth data. Does not occur here.
    case malformedDepth = -11865
    /// No track to read from. Does not occur here.
    case noSourceTrack = -11869
    /// The preset does not support the operation. Does not occur here.
    case operationNotSupportedForPreset = -11871
    /// More cameras than the hardware supports. Does not occur here.
    case sessionHardwareCostOverage = -11872
    /// An inconsistent configuration. Does not occur here.
    case incorrectlyConfigured = -11875
  }
}

extension AVError {
  /// An error without a more specific code.
  public static var unknown: Code { .unknown }
  /// Out of memory or threads.
  public static var outOfMemory: Code { .outOfMemory }
  /// The session is not running, or was stopped before a photo was taken.
  public static var sessionNotRunning: Code { .sessionNotRunning }
  /// No data arrived to record.
  public static var noDataCaptured: Code { .noDataCaptured }
  /// The session was changed during a recording.
  public static var sessionConfigurationChanged: Code { .sessionConfigurationChanged }
  /// The disk is full, or has less free space than must be left.
  public static var diskFull: Code { .diskFull }
  /// The device was disconnected.
  public static var deviceWasDisconnected: Code { .deviceWasDisconnected }
  /// The format of the incoming media changed.
  public static var mediaChanged: Code { .mediaChanged }
  /// The recording reached its maximum duration.
  public static var maximumDurationReached: Code { .maximumDurationReached }
  /// The file reached its maximum size.
  public static var maximumFileSizeReached: Code { .maximumFileSizeReached }
  /// The stream was interrupted: the device stopped delivering, a photo's frame was damaged, or the disk did not keep
  /// up with a recording of audio.
  public static var mediaDiscontinuity: Code { .mediaDiscontinuity }
  /// The device is not connected.
  public static var deviceNotConnected: Code { .deviceNotConnected }
  /// Another program, or another session of this one, is streaming from the device.
  public static var deviceInUseByAnotherApplication: Code { .deviceInUseByAnotherApplication }
  /// The source delivers no usable media, for example without a signal.
  public static var sessionWasInterrupted: Code { .sessionWasInterrupted }
  /// Media could not be decoded.
  public static var decodeFailed: Code { .decodeFailed }
  /// A sample that cannot be written.
  public static var invalidSourceMedia: Code { .invalidSourceMedia }
  public static var fileAlreadyExists: Code { .fileAlreadyExists }
  /// A segment of a composition track with an invalid start time or duration.
  public static var invalidCompositionTrackSegmentDuration: Code {
    .invalidCompositionTrackSegmentDuration
  }
  /// A segment whose source range has an invalid start time.
  public static var invalidCompositionTrackSegmentSourceStartTime: Code {
    .invalidCompositionTrackSegmentSourceStartTime
  }
  /// A segment whose source range has an invalid duration.
  public static var invalidCompositionTrackSegmentSourceDuration: Code {
    .invalidCompositionTrackSegmentSourceDuration
  }
  /// An unsupported file type.
  public static var fileFormatNotRecognized: Code { .fileFormatNotRecognized }
  /// A QuickTime file that is damaged beyond use.
  public static var fileFailedToParse: Code { .fileFailedToParse }
  /// Too many still image captures at the same time.
  public static var maximumStillImageCaptureRequestsExceeded: Code {
    .maximumStillImageCaptureRequestsExceeded
  }
  /// There is no frame at the requested time.
  public static var noImageAtTime: Code { .noImageAtTime }
  /// The encoder is not available.
  public static var encoderNotFound: Code { .encoderNotFound }
  /// The asset does not support the operation, for example a track whose transform does more than rotate and mirror.
  public static var operationNotSupportedForAsset: Code { .operationNotSupportedForAsset }
  /// An invalid video composition, or one for an asset without video.
  public static var invalidVideoComposition: Code { .invalidVideoComposition }
  /// The system refused access to the device.
  public static var applicationIsNotAuthorizedToUseDevice: Code {
    .applicationIsNotAuthorizedToUseDevice
  }
  /// Invalid settings, or settings that cannot be met.
  public static var unsupportedOutputSettings: Code { .unsupportedOutputSettings }
  /// The current state does not allow the call.
  public static var operationNotAllowed: Code { .operationNotAllowed }
  /// A format that is not supported.
  public static var formatUnsupported: Code { .formatUnsupported }
  /// A format that the device does not have, or that is unsuitable.
  public static var unsupportedDeviceActiveFormat: Code { .unsupportedDeviceActiveFormat }
  /// The operation was cancelled.
  public static var operationCancelled: Code { .operationCancelled }
}

/// Codes that do not occur here.
extension AVError {
  /// Another session of this program uses the device.
  public static var deviceAlreadyUsedByAnotherSession: Code { .deviceAlreadyUsedByAnotherSession }
  /// More samples than the file type can hold.
  public static var maximumNumberOfSamplesForFileFormatReached: Code {
    .maximumNumberOfSamplesForFileFormatReached
  }
  /// Another program is configuring the device.
  public static var deviceLockedForConfigurationByAnotherProcess: Code {
    .deviceLockedForConfigurationByAnotherProcess
  }
  /// The system's media services restarted.
  public static var mediaServicesWereReset: Code { .mediaServicesWereReset }
  /// An export failed.
  public static var exportFailed: Code { .exportFailed }
  /// Segments of a composition track that leave gaps or overlap.
  public static var compositionTrackSegmentsNotContiguous: Code {
    .compositionTrackSegmentsNotContiguous
  }
  /// Protected media.
  public static var contentIsProtected: Code { .contentIsProtected }
  /// No decoder for the media.
  public static var decoderNotFound: Code { .decoderNotFound }
  /// The user is not authorized to view the media.
  public static var contentIsNotAuthorized: Code { .contentIsNotAuthorized }
  /// The program is not authorized.
  public static var applicationIsNotAuthorized: Code { .applicationIsNotAuthorized }
  /// Background programs cannot use the camera.
  public static var deviceIsNotAvailableInBackground: Code { .deviceIsNotAvailableInBackground }
  /// All decoders are in use.
  public static var decoderTemporarilyUnavailable: Code { .decoderTemporarilyUnavailable }
  /// All encoders are in use.
  public static var encoderTemporarilyUnavailable: Code { .encoderTemporarilyUnavailable }
  /// A file name extension that does not match the file type.
  public static var invalidOutputURLPathExtension: Code { .invalidOutputURLPathExtension }
  /// The screen could not be recorded.
  public static var screenCaptureFailed: Code { .screenCaptureFailed }
  /// The screen is off.
  public static var displayWasDisabled: Code { .displayWasDisabled }
  /// The torch is too hot.
  public static var torchLevelUnavailable: Code { .torchLevelUnavailable }
  /// The operation was interrupted.
  public static var operationInterrupted: Code { .operationInterrupted }
  /// The asset is not compatible with the device.
  public static var incompatibleAsset: Code { .incompatibleAsset }
  /// Media could not be loaded.
  public static var failedToLoadMediaData: Code { .failedToLoadMediaData }
  /// The server does not support byte ranges.
  public static var serverIncorrectlyConfigured: Code { .serverIncorrectlyConfigured }
  /// Data could not be parsed.
  public static var failedToParse: Code { .failedToParse }
  /// Media that cannot be decoded.
  public static var undecodableMediaData: Code { .undecodableMediaData }
  /// A recording is in progress.
  public static var recordingAlreadyInProgress: Code { .recordingAlreadyInProgress }
  /// Media that is currently unavailable.
  public static var contentIsUnavailable: Code { .contentIsUnavailable }
  /// Invalid depth data.
  public static var malformedDepth: Code { .malformedDepth }
  /// No track to read from.
  public static var noSourceTrack: Code { .noSourceTrack }
  /// The preset does not support the operation.
  public static var operationNotSupportedForPreset: Code { .operationNotSupportedForPreset }
  /// More cameras than the hardware supports.
  public static var sessionHardwareCostOverage: Code { .sessionHardwareCostOverage }
  /// An inconsistent configuration.
  public static var incorrectlyConfigured: Code { .incorrectlyConfigured }
}

extension AVError.Code {
  /// Allows `catch AVError.diskFull`: true for an error with this code, also for an error of this package that maps to
  /// it.
  public static func ~= (code: AVError.Code, error: any Error) -> Bool {
    AVError(error).code == code
  }
}
