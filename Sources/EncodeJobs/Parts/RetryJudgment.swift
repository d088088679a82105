import AssetReader
import AssetWriter
import CaptureDevices
import MediaCore
import QuickTime
import SystemPackage

/// Judges whether a failure may be gone on retry, on this machine or another.
enum RetryJudgment {
  /// Transient system errors: of disk space, networks, and exhausted resources.
  private static let passing: Set<Errno> = [
    .noSpace, .diskQuotaExceeded, .ioError, .staleNFSFileHandle, .timedOut, .connectionReset,
    .networkDown, .networkUnreachable, .hostIsDown, .noRouteToHost, .socketNotConnected, .noMemory,
    .tooManyOpenFiles, .tooManyOpenFilesInSystem, .resourceTemporarilyUnavailable, .resourceBusy,
  ]

  /// Converts a transient error to this module's error; nil if it is permanent.
  static func passing(_ error: any Error) -> EncodeJobError? {
    switch error {
    case let error as EncodeJobError: error.isWorthRetrying ? error : nil
    case let error as AssetReaderError:
      isPassing(error.errno, [.fileNotFound, .readFailed, .outOfMemory].contains(error.code))
        ? EncodeJobError(.temporary, from: error) : nil
    case let error as AssetWriterError:
      isPassing(error.errno, [.diskFull, .outOfResources].contains(error.code))
        ? EncodeJobError(.temporary, from: error) : nil
    case let error as QuickTimeError:
      isPassing(error.errno, [.diskFull, .ioFailed, .outOfMemory].contains(error.code))
        ? EncodeJobError(.temporary, from: error) : nil
    case let error as CaptureError:
      isPassing(error.errno, error.code == .diskFull)
        ? EncodeJobError(.temporary, from: error) : nil
    case let error as MediaCoreError:
      isPassing(error.errno, [.outOfMemory, .outOfResources].contains(error.code))
        ? EncodeJobError(.temporary, from: error) : nil
    default: nil
    }
  }

  /// Converts a permanent error to this module's error.
  static func lasting(_ error: any Error) -> EncodeJobError {
    switch error {
    case let error as EncodeJobError: error
    case let error as any CodedError: Self.invalid(error)
    default: EncodeJobError(.invalidArgument, "\(error)")
    }
  }

  private static func invalid(_ error: some CodedError) -> EncodeJobError {
    EncodeJobError(.invalidArgument, from: error)
  }

  /// True for a transient system error.
  static func isPassing(_ errno: Errno) -> Bool { passing.contains(errno) }

  private static func isPassing(_ errno: Errno?, _ isByCode: Bool) -> Bool {
    isByCode || errno.map(isPassing) ?? false
  }
}
