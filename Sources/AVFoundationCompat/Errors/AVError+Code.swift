extension AVError {
  /// The errors of AVFoundation that happen here, with Apple's numbers (AVError.h).
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    /// Something that has no number of its own.
    case unknown = -11800
    /// No memory, or no thread.
    case outOfMemory = -11801
    /// The session does not run.
    case sessionNotRunning = -11803
    /// Another session of this program has the device.
    case deviceAlreadyUsedByAnotherSession = -11804
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
    /// What comes was interrupted.
    case mediaDiscontinuity = -11812
    /// The device is not there.
    case deviceNotConnected = -11814
    /// Another program has the device.
    case deviceInUseByAnotherApplication = -11815
    /// The source gives nothing of worth, as without a signal.
    case sessionWasInterrupted = -11818
    /// The system's media services began anew. Does not happen here.
    case mediaServicesWereReset = -11819
    /// Media could not be decoded.
    case decodeFailed = -11821
    /// A sample that cannot be written.
    case invalidSourceMedia = -11822
    case fileAlreadyExists = -11823
    /// A file of a kind that cannot be read here.
    case fileFormatNotRecognized = -11828
    /// No such encoder is here.
    case encoderNotFound = -11834
    /// The system refused access to the device.
    case applicationIsNotAuthorizedToUseDevice = -11852
    /// A recording is under way.
    case recordingAlreadyInProgress = -11859
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
  }
}

extension AVError {
  /// Something that has no number of its own.
  public static var unknown: Code { .unknown }
  /// No memory, or no thread.
  public static var outOfMemory: Code { .outOfMemory }
  /// The session does not run.
  public static var sessionNotRunning: Code { .sessionNotRunning }
  /// Another session of this program has the device.
  public static var deviceAlreadyUsedByAnotherSession: Code { .deviceAlreadyUsedByAnotherSession }
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
  /// What comes was interrupted.
  public static var mediaDiscontinuity: Code { .mediaDiscontinuity }
  /// The device is not there.
  public static var deviceNotConnected: Code { .deviceNotConnected }
  /// Another program has the device.
  public static var deviceInUseByAnotherApplication: Code { .deviceInUseByAnotherApplication }
  /// The source gives nothing of worth, as without a signal.
  public static var sessionWasInterrupted: Code { .sessionWasInterrupted }
  /// The system's media services began anew. Does not happen here.
  public static var mediaServicesWereReset: Code { .mediaServicesWereReset }
  /// Media could not be decoded.
  public static var decodeFailed: Code { .decodeFailed }
  /// A sample that cannot be written.
  public static var invalidSourceMedia: Code { .invalidSourceMedia }
  public static var fileAlreadyExists: Code { .fileAlreadyExists }
  /// A file of a kind that cannot be read here.
  public static var fileFormatNotRecognized: Code { .fileFormatNotRecognized }
  /// No such encoder is here.
  public static var encoderNotFound: Code { .encoderNotFound }
  /// The system refused access to the device.
  public static var applicationIsNotAuthorizedToUseDevice: Code {
    .applicationIsNotAuthorizedToUseDevice
  }
  /// A recording is under way.
  public static var recordingAlreadyInProgress: Code { .recordingAlreadyInProgress }
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

extension AVError.Code {
  /// For `catch AVError.diskFull`: true for an error that has the number in Apple's terms, also
  /// where it is one of this package's own.
  public static func ~= (code: AVError.Code, error: any Error) -> Bool {
    AVError(error).code == code
  }
}
