import AssetReader
import AssetWriter
import CaptureDevices
import MediaCore
import QuickTime
import SystemPackage

/// Whether a failure may be gone at the next try, on this machine or another.
enum RetryJudgment {
  /// The system's errors that pass: of space, of networks, of machines that are short of something.
  private static let passing: Set<Errno> = [
    .noSpace, .diskQuotaExceeded, .ioError, .staleNFSFileHandle, .timedOut, .connectionReset,
    .networkDown, .networkUnreachable, .hostIsDown, .noRouteToHost, .socketNotConnected, .noMemory,
    .tooManyOpenFiles, .tooManyOpenFilesInSystem, .resourceTemporarilyUnavailable, .resourceBusy,
  ]

  /// The error in this module's words, where it passes; nil where it stays.
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

  /// The error in this module's words, where it stays.
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

  /// True for an error of the system that passes.
  static func isPassing(_ errno: Errno) -> Bool { passing.contains(errno) }

  private static func isPassing(_ errno: Errno?, _ isByCode: Bool) -> Bool {
    isByCode || errno.map(isPassing) ?? false
  }
}
