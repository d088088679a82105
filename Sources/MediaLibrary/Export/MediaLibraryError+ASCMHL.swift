@_exported public import ASCMHL
import MediaCore

extension MediaLibraryError {
  /// The error as one of the library.
  init(_ error: ASCMHLError) {
    let code: Code =
      switch error.code {
      case .fileNotFound: .fileNotFound
      case .accessDenied: .accessDenied
      case .invalidPath, .invalidName: .invalidPath
      case .invalidManifest: .invalidManifest
      case .verificationFailed: .verificationFailed
      case .diskFull: .diskFull
      default: .ioFailed
      }
    self.init(code, from: error)
  }
}
