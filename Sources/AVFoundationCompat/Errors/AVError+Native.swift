public import AssetReader
public import AssetWriter
public import MediaCore
import QuickTime
public import RawPhoto
import SystemPackage
public import VideoRecorder

extension AVError {
  /// Converts an error of this package; ``Code/unknown`` for any other error.
  public init(_ error: any Error) {
    switch error {
    case let error as AVError: self = error
    case let error as CaptureError: self.init(error)
    case let error as AssetWriterError: self.init(error)
    case let error as RawPhotoError: self.init(error)
    case let error as AssetReaderError: self.init(error)
    case let error as MediaCoreError: self.init(error)
    case let error as QuickTimeError: self.init(error)
    default: self.init(.unknown, "\(error)", underlyingError: error)
    }
  }

  /// Converts a capture error.
  public init(_ error: CaptureError) {
    let code: Code =
      switch error.code {
      case .deviceNotFound: .deviceNotConnected
      case .deviceBusy: .deviceInUseByAnotherApplication
      case .deviceDisconnected: .deviceWasDisconnected
      case .permissionDenied: .applicationIsNotAuthorizedToUseDevice
      case .formatUnavailable: .unsupportedDeviceActiveFormat
      case .codecUnavailable, .invalidArgument: .unsupportedOutputSettings
      case .signalLost: .sessionWasInterrupted
      case .formatChanged: .mediaChanged
      case .deviceStalled: .mediaDiscontinuity
      case .invalidState: .operationNotAllowed
      case .nothingRecorded: .noDataCaptured
      case .sessionChanged: .sessionConfigurationChanged
      case .maximumDurationReached: .maximumDurationReached
      case .maximumFileSizeReached: .maximumFileSizeReached
      case .diskFull: .diskFull
      case .fileAlreadyExists: .fileAlreadyExists
      default: .unknown
      }
    self.init(
      code, error.message, recordingSuccessfullyFinished: error.recordingSuccessfullyFinished,
      errno: error.errno?.rawValue, underlyingError: error)
  }

  /// Converts a writer error.
  public init(_ error: AssetWriterError) {
    let code: Code =
      switch error.code {
      case .invalidStatus, .sessionNotStarted, .inputNotAdded, .inputFinished, .notReady,
        .trackTooFarAhead:
        .operationNotAllowed
      case .timeNotIncreasing, .invalidTime: .invalidSourceMedia
      case .formatMismatch: .mediaChanged
      case .invalidSettings, .codecUnavailable: .unsupportedOutputSettings
      case .encoderUnavailable: .encoderNotFound
      case .fileExists: .fileAlreadyExists
      case .diskFull: .diskFull
      case .outOfResources: .outOfMemory
      case .cancelled: .operationCancelled
      case .fileFailed where error.errno == .fileTooLarge: .maximumFileSizeReached
      default: .unknown
      }
    self.init(
      code, error.message, recordingSuccessfullyFinished: error.recordingSuccessfullyFinished,
      errno: error.errno?.rawValue, underlyingError: error)
  }

  /// Converts a photo error.
  public init(_ error: RawPhotoError) {
    let code: Code =
      switch error.code {
      case .notRunning: .sessionNotRunning
      case .invalidArgument, .qualityUnavailable, .invalidBracket: .unsupportedOutputSettings
      case .invalidState, .settingsReused: .operationNotAllowed
      case .formatUnavailable, .unsupported: .formatUnsupported
      case .formatChanged: .mediaChanged
      case .damagedFrame: .mediaDiscontinuity
      case .outOfResources: .outOfMemory
      case .invalidFile: .decodeFailed
      default: .unknown
      }
    self.init(code, error.message, errno: error.errno?.rawValue, underlyingError: error)
  }

  /// Converts a buffer error.
  public init(_ error: MediaCoreError) {
    let code: Code =
      switch error.code {
      case .outOfMemory, .poolExhausted, .outOfResources: .outOfMemory
      default: .formatUnsupported
      }
    self.init(code, error.message, underlyingError: error)
  }

  /// Converts a reader error.
  public init(_ error: AssetReaderError) {
    let code: Code =
      switch error.code {
      case .notAMovie, .unsupported: .fileFormatNotRecognized
      case .truncated, .corrupt, .noSuchTrack: .invalidSourceMedia
      case .decodeFailed: .decodeFailed
      case .invalidArgument: .unsupportedOutputSettings
      case .invalidState: .operationNotAllowed
      case .outOfMemory: .outOfMemory
      case .cancelled: .operationCancelled
      default: .unknown
      }
    self.init(code, error.message, errno: error.errno?.rawValue, underlyingError: error)
  }

  /// Converts a movie file error.
  init(_ error: QuickTimeError) {
    let code: Code =
      switch error.code {
      case .fileExists: .fileAlreadyExists
      case .diskFull: .diskFull
      case .fileTooLarge: .maximumFileSizeReached
      case .outOfMemory: .outOfMemory
      case .notAMovie, .unsupported: .fileFormatNotRecognized
      case .damaged: .fileFailedToParse
      case .nothingRecorded: .noDataCaptured
      default: .unknown
      }
    self.init(code, error.message, errno: error.errno?.rawValue, underlyingError: error)
  }
}
