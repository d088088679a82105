extension AVError {
  /// Errors of AVFoundation with Apple's numbers (AVError.h): those that happen here, and those that
  /// recorders look for. Each that does not happen here says so.
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    /// Something that has no number of its own.
    case unknown = -11800
    /// No memory, or no thread.
    case outOfMemory = -11801
    /// The session does not run, or was stopped before there was a photo.
    case sessionNotRunning = -11803
    /// Nothing came that could be recorded.
    case noDataCaptured = -11805
    /// The session was changed during a recording.
    case sessionConfigurationChanged = -11806
    /// The disk is full, or has less room than is to be left free.
    case diskFull = -11807
    /// The device went away.
    case deviceWasDisconnected = -11808
    /// The format of what comes changed.
    case mediaChanged = -11809
    /// The recording is as long as it was to be.
    case maximumDurationReached = -11810
    /// The file is as large as it was to be.
    case maximumFileSizeReached = -11811
    /// What comes was interrupted: the device stopped delivering, a photo's frame was damaged, or the disk did not
    /// keep up with a recording of sound.
    case mediaDiscontinuity = -11812
    /// The device is not there.
    case deviceNotConnected = -11814
    /// Somebody else streams from the device: another program, or another session of this one.
    case deviceInUseByAnotherApplication = -11815
    /// The source gives nothing of worth, as without a signal.
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
    /// A file of a kind that cannot be read here.
    case fileFormatNotRecognized = -11828
    /// A QuickTime file that is damaged beyond use.
    case fileFailedToParse = -11829
    /// More still images are being captured than may be at once.
    case maximumStillImageCaptureRequestsExceeded = -11830
    /// There is no picture at the time.
    case noImageAtTime = -11832
    /// No such encoder is here.
    case encoderNotFound = -11834
    /// The asset cannot be treated so, as a track whose transform does more than turn and mirror.
    case operationNotSupportedForAsset = -11838
    /// A video composition with a mistake, or of an asset without pictures.
    case invalidVideoComposition = -11841
    /// The system refused access to the device.
    case applicationIsNotAuthorizedToUseDevice = -11852
    /// Settings with a mistake, or that cannot be met.
    case unsupportedOutputSettings = -11861
    /// A call that the present state does not allow.
    case operationNotAllowed = -11862
    /// A format that is not supported.
    case formatUnsupported = -11864
    /// A format that the device does not have, or that does not fit.
    case unsupportedDeviceActiveFormat = -11873
    /// The operation was cancelled.
    case operationCancelled = -11878

    // What does not happen here.

    /// Another session of this program has the device. Does not happen here: it is told as
    /// ``deviceInUseByAnotherApplication``.
    case deviceAlreadyUsedByAnotherSession = -11804
    /// More samples than a kind of file can hold. Does not happen here.
    case maximumNumberOfSamplesForFileFormatReached = -11813
    /// Another program configures the device. Does not happen here.
    case deviceLockedForConfigurationByAnotherProcess = -11817
    /// The system's media services began anew. Does not happen here.
    case mediaServicesWereReset = -11819
    /// An export failed. Does not happen here.
    case exportFailed = -11820
    /// Segments of a composition track that leave gaps or overlap. Does not happen here: segments are never set.
    case compositionTrackSegmentsNotContiguous = -11824
    /// Media that may not be read. Does not happen here.
    case contentIsProtected = -11831
    /// No decoder is here for the media. Does not happen here.
    case decoderNotFound = -11833
    /// Media that the user may not see. Does not happen here.
    case contentIsNotAuthorized = -11835
    /// The program may not do it. Does not happen here.
    case applicationIsNotAuthorized = -11836
    /// Programs behind others have no camera. Does not happen here.
    case deviceIsNotAvailableInBackground = -11837
    /// All decoders are at work. Does not happen here.
    case decoderTemporarilyUnavailable = -11839
    /// All encoders are at work. Does not happen here.
    case encoderTemporarilyUnavailable = -11840
    /// A file name that does not fit the kind of file. Does not happen here.
    case invalidOutputURLPathExtension = -11843
    /// The screen could not be recorded. Does not happen here.
    case screenCaptureFailed = -11844
    /// The screen is off. Does not happen here.
    case displayWasDisabled = -11845
    /// The lamp is too hot. Does not happen here.
    case torchLevelUnavailable = -11846
    /// Something went before. Does not happen here.
    case operationInterrupted = -11847
    /// The asset does not fit the device. Does not happen here.
    case incompatibleAsset = -11848
    /// Media could not be loaded. Does not happen here.
    case failedToLoadMediaData = -11849
    /// A server that gives no parts of files. Does not happen here.
    case serverIncorrectlyConfigured = -11850
    /// What came makes no sense. Does not happen here.
    case failedToParse = -11853
    /// Media that nothing decodes. Does not happen here: see ``fileFormatNotRecognized`` and ``decodeFailed``.
    case undecodableMediaData = -11855
    /// A recording is under way. Does not happen here: a start during a recording switches the file, and what
    /// cannot be done meanwhile is an ``operationNotAllowed``.
    case recordingAlreadyInProgress = -11859
    /// Media that cannot be had at present. Does not happen here.
    case contentIsUnavailable = -11863
    /// Depth with a mistake. Does not happen here.
    case malformedDepth = -11865
    /// No track to read from. Does not happen here.
    case noSourceTrack = -11869
    /// The preset does not do it. Does not happen here.
    case operationNotSupportedForPreset = -11871
    /// More cameras than the hardware carries. Does not happen here.
    case sessionHardwareCostOverage = -11872
    /// A configuration that contradicts itself. Does not happen here.
    case incorrectlyConfigured = -11875
  }
}

extension AVError {
  /// Something that has no number of its own.
  public static var unknown: Code { .unknown }
  /// No memory, or no thread.
  public static var outOfMemory: Code { .outOfMemory }
  /// The session does not run, or was stopped before there was a photo.
  public static var sessionNotRunning: Code { .sessionNotRunning }
  /// Nothing came that could be recorded.
  public static var noDataCaptured: Code { .noDataCaptured }
  /// The session was changed during a recording.
  public static var sessionConfigurationChanged: Code { .sessionConfigurationChanged }
  /// The disk is full, or has less room than is to be left free.
  public static var diskFull: Code { .diskFull }
  /// The device went away.
  public static var deviceWasDisconnected: Code { .deviceWasDisconnected }
  /// The format of what comes changed.
  public static var mediaChanged: Code { .mediaChanged }
  /// The recording is as long as it was to be.
  public static var maximumDurationReached: Code { .maximumDurationReached }
  /// The file is as large as it was to be.
  public static var maximumFileSizeReached: Code { .maximumFileSizeReached }
  /// What comes was interrupted: the device stopped delivering, a photo's frame was damaged, or the disk did
  /// not keep up with a recording of sound.
  public static var mediaDiscontinuity: Code { .mediaDiscontinuity }
  /// The device is not there.
  public static var deviceNotConnected: Code { .deviceNotConnected }
  /// Somebody else streams from the device: another program, or another session of this one.
  public static var deviceInUseByAnotherApplication: Code { .deviceInUseByAnotherApplication }
  /// The source gives nothing of worth, as without a signal.
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
  /// A file of a kind that cannot be read here.
  public static var fileFormatNotRecognized: Code { .fileFormatNotRecognized }
  /// A QuickTime file that is damaged beyond use.
  public static var fileFailedToParse: Code { .fileFailedToParse }
  /// More still images are being captured than may be at once.
  public static var maximumStillImageCaptureRequestsExceeded: Code {
    .maximumStillImageCaptureRequestsExceeded
  }
  /// There is no picture at the time.
  public static var noImageAtTime: Code { .noImageAtTime }
  /// No such encoder is here.
  public static var encoderNotFound: Code { .encoderNotFound }
  /// The asset cannot be treated so, as a track whose transform does more than turn and mirror.
  public static var operationNotSupportedForAsset: Code { .operationNotSupportedForAsset }
  /// A video composition with a mistake, or of an asset without pictures.
  public static var invalidVideoComposition: Code { .invalidVideoComposition }
  /// The system refused access to the device.
  public static var applicationIsNotAuthorizedToUseDevice: Code {
    .applicationIsNotAuthorizedToUseDevice
  }
  /// Settings with a mistake, or that cannot be met.
  public static var unsupportedOutputSettings: Code { .unsupportedOutputSettings }
  /// A call that the present state does not allow.
  public static var operationNotAllowed: Code { .operationNotAllowed }
  /// A format that is not supported.
  public static var formatUnsupported: Code { .formatUnsupported }
  /// A format that the device does not have, or that does not fit.
  public static var unsupportedDeviceActiveFormat: Code { .unsupportedDeviceActiveFormat }
  /// The operation was cancelled.
  public static var operationCancelled: Code { .operationCancelled }
}

/// What does not happen here.
extension AVError {
  /// Another session of this program has the device.
  public static var deviceAlreadyUsedByAnotherSession: Code { .deviceAlreadyUsedByAnotherSession }
  /// More samples than a kind of file can hold.
  public static var maximumNumberOfSamplesForFileFormatReached: Code {
    .maximumNumberOfSamplesForFileFormatReached
  }
  /// Another program configures the device.
  public static var deviceLockedForConfigurationByAnotherProcess: Code {
    .deviceLockedForConfigurationByAnotherProcess
  }
  /// The system's media services began anew.
  public static var mediaServicesWereReset: Code { .mediaServicesWereReset }
  /// An export failed.
  public static var exportFailed: Code { .exportFailed }
  /// Segments of a composition track that leave gaps or overlap.
  public static var compositionTrackSegmentsNotContiguous: Code {
    .compositionTrackSegmentsNotContiguous
  }
  /// Media that may not be read.
  public static var contentIsProtected: Code { .contentIsProtected }
  /// No decoder is here for the media.
  public static var decoderNotFound: Code { .decoderNotFound }
  /// Media that the user may not see.
  public static var contentIsNotAuthorized: Code { .contentIsNotAuthorized }
  /// The program may not do it.
  public static var applicationIsNotAuthorized: Code { .applicationIsNotAuthorized }
  /// Programs behind others have no camera.
  public static var deviceIsNotAvailableInBackground: Code { .deviceIsNotAvailableInBackground }
  /// All decoders are at work.
  public static var decoderTemporarilyUnavailable: Code { .decoderTemporarilyUnavailable }
  /// All encoders are at work.
  public static var encoderTemporarilyUnavailable: Code { .encoderTemporarilyUnavailable }
  /// A file name that does not fit the kind of file.
  public static var invalidOutputURLPathExtension: Code { .invalidOutputURLPathExtension }
  /// The screen could not be recorded.
  public static var screenCaptureFailed: Code { .screenCaptureFailed }
  /// The screen is off.
  public static var displayWasDisabled: Code { .displayWasDisabled }
  /// The lamp is too hot.
  public static var torchLevelUnavailable: Code { .torchLevelUnavailable }
  /// Something went before.
  public static var operationInterrupted: Code { .operationInterrupted }
  /// The asset does not fit the device.
  public static var incompatibleAsset: Code { .incompatibleAsset }
  /// Media could not be loaded.
  public static var failedToLoadMediaData: Code { .failedToLoadMediaData }
  /// A server that gives no parts of files.
  public static var serverIncorrectlyConfigured: Code { .serverIncorrectlyConfigured }
  /// What came makes no sense.
  public static var failedToParse: Code { .failedToParse }
  /// Media that nothing decodes.
  public static var undecodableMediaData: Code { .undecodableMediaData }
  /// A recording is under way.
  public static var recordingAlreadyInProgress: Code { .recordingAlreadyInProgress }
  /// Media that cannot be had at present.
  public static var contentIsUnavailable: Code { .contentIsUnavailable }
  /// Depth with a mistake.
  public static var malformedDepth: Code { .malformedDepth }
  /// No track to read from.
  public static var noSourceTrack: Code { .noSourceTrack }
  /// The preset does not do it.
  public static var operationNotSupportedForPreset: Code { .operationNotSupportedForPreset }
  /// More cameras than the hardware carries.
  public static var sessionHardwareCostOverage: Code { .sessionHardwareCostOverage }
  /// A configuration that contradicts itself.
  public static var incorrectlyConfigured: Code { .incorrectlyConfigured }
}

extension AVError.Code {
  /// For `catch AVError.diskFull`: true for an error that has the number in Apple's terms, also
  /// where it is one of this package's own.
  public static func ~= (code: AVError.Code, error: any Error) -> Bool {
    AVError(error).code == code
  }
}
