import ASCMHL
import ArgumentParser
import AssetReader
import AssetWriter
import DNG
import EncodeJobs
import ImageFiles
import MediaCore
import MediaLibrary
import ObjectStorage
import PhotoDevelopment
import QuickTime
import RawPhoto
import RecorderControl
import VideoRecorder

/// How the command ends, for scripts.
enum ExitStatus: Int32 {
  /// All well.
  case success = 0
  /// It failed.
  case failure = 1
  /// The command line is invalid, or an input cannot be used.
  case badInput = 2
  /// The file is valid, but frames were dropped, repeated or damaged; or all was copied, and an asset that
  /// was to be deleted stays.
  case imperfect = 3
  /// The file is valid, but ends early.
  case endedEarly = 4
  /// All well, but the result could not be written to standard output.
  case resultNotPrinted = 5
  /// The same call may succeed later without any change. The number is that of
  /// `EX_TEMPFAIL` in sysexits.h.
  case tryAgain = 75

  /// The status of a recording.
  init(_ outcome: RecordingReport.Outcome) {
    self =
      switch outcome {
      case .complete: .success
      case .imperfect: .imperfect
      case .endedEarly: .endedEarly
      case .failed: .failure
      }
  }

  /// The status of an error.
  init(of error: any Error) {
    switch error {
    case let exit as ExitCode: self = ExitStatus(rawValue: exit.rawValue) ?? .failure
    case let error as CaptureError: self = ExitStatus(error)
    case let error as AssetReaderError: self = ExitStatus(error)
    case let error as AssetWriterError: self = ExitStatus(error)
    case let error as QuickTimeError: self = ExitStatus(error)
    case let error as RawPhotoError: self = ExitStatus(error)
    case let error as DNGError: self = ExitStatus(RawPhotoError(error))
    case let error as MediaLibraryError: self = ExitStatus(error)
    case let error as EncodeJobError: self = ExitStatus(error)
    case is PhotoDevelopmentError, is ImageFileError: self = .badInput
    case let error as ControlError: self = ExitStatus(error)
    case let error as ASCMHLError: self = ExitStatus(error)
    case let error as ObjectStorageError: self = ExitStatus(error)
    case is MediaCoreError: self = .failure
    default:
      // The parser has its own exit status for bad usage, and 0 for --help.
      self = Recordctl.exitCode(for: error).isSuccess ? .success : .badInput
    }
  }

  private init(_ error: CaptureError) {
    self =
      switch error.code {
      case _ where error.recordingSuccessfullyFinished: .endedEarly
      case .deviceNotFound, .deviceBusy, .permissionDenied, .formatUnavailable, .codecUnavailable,
        .invalidArgument, .invalidPreset, .outputFailed, .nothingRecorded, .diskFull,
        .fileAlreadyExists, .maximumDurationReached, .maximumFileSizeReached:
        .badInput
      default: .failure
      }
  }

  private init(_ error: AssetReaderError) {
    self =
      switch error.code {
      case .fileNotFound, .permissionDenied, .notAMovie, .noSuchTrack, .unsupported, .truncated,
        .corrupt, .decodeFailed, .invalidArgument:
        .badInput
      default: .failure
      }
  }

  private init(_ error: AssetWriterError) {
    self =
      switch error.code {
      case _ where error.recordingSuccessfullyFinished: .endedEarly
      case .fileExists, .fileFailed, .diskFull, .invalidSettings, .encoderUnavailable,
        .codecUnavailable, .formatMismatch:
        .badInput
      default: .failure
      }
  }

  private init(_ error: QuickTimeError) {
    self =
      switch error.code {
      case .fileExists, .notFound, .permissionDenied, .busy, .diskFull, .fileTooLarge,
        .invalidArgument, .notAMovie, .damaged, .unsupported, .nothingRecorded:
        .badInput
      default: .failure
      }
  }

  private init(_ error: EncodeJobError) {
    self =
      switch error.code {
      case _ where error.isWorthRetrying: .tryAgain
      case .pictureMissing, .partDamaged, .partsDiffer, .joinFailed: .failure
      default: .badInput
      }
  }

  private init(_ error: ControlError) {
    self =
      switch error.code {
      case .socketFailed, .socketInUse, .notPermitted, .messageTooLong: .badInput
      default: .failure
      }
  }

  private init(_ error: RawPhotoError) {
    self =
      switch error.code {
      case .invalidArgument, .invalidFile, .unsupported, .formatUnavailable, .qualityUnavailable,
        .invalidBracket, .fileFailed, .invalidCalibration:
        .badInput
      default: .failure
      }
  }

  private init(_ error: MediaLibraryError) {
    self =
      switch error.code {
      case .fileNotFound, .accessDenied, .untrusted, .invalidResource, .unsupportedResourceTypes,
        .fileInUse,
        .invalidPath, .assetNotFound, .diskFull, .catalogueTooNew, .invalidManifest,
        .invalidArgument, .bucketNotFound:
        .badInput
      case .interrupted: .endedEarly
      case .unreachable: .tryAgain
      default: .failure
      }
  }

  private init(_ error: ASCMHLError) {
    self =
      switch error.code {
      case .fileNotFound, .accessDenied, .invalidPath, .invalidName, .invalidManifest, .diskFull:
        .badInput
      default: .failure
      }
  }

  private init(_ error: ObjectStorageError) {
    self =
      switch error.code {
      case _ where error.isWorthRetrying: .tryAgain
      case .invalidArgument, .invalidCredentials, .accessDenied, .bucketNotFound, .untrustedServer,
        .objectNotFound, .objectExists, .fileExists, .sourceFailed, .destinationFailed,
        .stateFailed, .unsupported:
        .badInput
      default: .failure
      }
  }

  /// The status of an upload.
  init(_ report: UploadReport) {
    self = Self.transfer(report.failures, isSound: report.isSound, wasCut: report.wasInterrupted)
  }

  /// The status of a fetch.
  init(_ report: FetchReport) {
    self = Self.transfer(report.failures, isSound: report.isSound, wasCut: report.wasInterrupted)
  }

  /// The status of a library's copies.
  init(_ reports: [ExportReport]) {
    let failures = reports.flatMap(\.failures).map {
      TransferFailure(path: $0.path, code: $0.code, message: $0.message)
    }
    let wasCut = reports.contains(where: \.wasInterrupted)
    self = Self.transfer(
      failures, isSound: failures.isEmpty && !wasCut, wasCut: wasCut,
      reachingNetwork: reports.contains { ObjectAddress.isMeant(by: $0.destination) })
  }

  /// The status of an offload of a library.
  init(_ offload: LibraryOffload) {
    let copies = ExitStatus(offload.reports)
    self =
      if copies != .success {
        copies
      } else if offload.deletionFailure != nil {
        .failure
      } else {
        offload.changed.isEmpty ? .success : .imperfect
      }
  }

  /// The status of a card's copies.
  init(_ report: OffloadReport) {
    let unreadable = report.refused.map {
      TransferFailure(path: $0.path, code: ASCMHLError.Code.ioFailed.name, message: $0.message)
    }
    self = Self.transfer(
      unreadable + report.destinations.flatMap(\.failures).map { TransferFailure($0) },
      isSound: report.isSound, wasCut: report.wasInterrupted,
      reachingNetwork: report.destinations.contains { ObjectAddress.isMeant(by: $0.folder) })
  }

  /// The status of a copy that a signal ended before anything failed.
  static func cut(reachingNetwork: Bool) -> Self { reachingNetwork ? .tryAgain : .endedEarly }

  /// The status of what goes to disks and stores, or comes from there.
  private static func transfer(
    _ failures: [TransferFailure], isSound: Bool, wasCut: Bool, reachingNetwork: Bool = true
  ) -> Self {
    if isSound { return .success }
    guard !failures.isEmpty else {
      return wasCut ? .cut(reachingNetwork: reachingNetwork) : .failure
    }
    if failures.allSatisfy(\.isWorthRetrying) { return .tryAgain }
    return failures.contains(where: \.isRefusal) ? .badInput : .failure
  }

  /// The status as an error that ends the command without a further word.
  var exit: ExitCode { ExitCode(rawValue) }
}
