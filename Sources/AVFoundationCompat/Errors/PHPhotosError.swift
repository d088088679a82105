public import Foundation
public import MediaLibrary

/// The domain of PhotoKit's errors.
public let PHPhotosErrorDomain = "PHPhotosErrorDomain"

/// A PhotoKit error: Apple's domain and code, and a message.
public struct PHPhotosError: Error, Sendable, Hashable {
  /// PhotoKit's error codes with Apple's numbers (PHError.h).
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    /// An error without a more specific code.
    case internalError = -1
    /// The user cancelled. Does not occur here.
    case userCancelled = 3072
    /// The library's disk is offline. Does not occur here.
    case libraryVolumeOffline = 3114
    /// A network error. Does not occur here.
    case networkError = 3169
    /// No asset has the identifier.
    case identifierNotFound = 3201
    /// Several assets have the identifier. Does not occur here.
    case multipleIdentifiersFound = 3202
    /// Resources that do not form an asset.
    case changeNotSupported = 3300
    /// Something interfered: another process, or a file that changed meanwhile.
    case operationInterrupted = 3301
    /// A file that is not what it was declared to be, or that cannot be added.
    case invalidResource = 3302
    /// A missing file.
    case missingResource = 3303
    /// The disk is full.
    case notEnoughSpace = 3305
    /// The library's settings forbid it.
    case accessRestricted = 3310
    /// The system's permissions forbid it.
    case accessUserDenied = 3311
  }

  /// The error code.
  public let code: Code
  /// What failed and what to do about it, in one line.
  public let message: String

  /// An error with a code and a one-line message.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// An error with a code.
  public init(_ code: Code) { self.init(code, "PhotoKit error \(code.rawValue) (\(code))") }

  /// Converts a library error.
  public init(_ error: MediaLibraryError) {
    let code: Code =
      switch error.code {
      case .fileNotFound: .missingResource
      case .accessDenied: error.errno == nil ? .accessRestricted : .accessUserDenied
      case .untrusted: .accessRestricted
      case .invalidResource, .fileInUse, .invalidPath, .verificationFailed: .invalidResource
      case .unsupportedResourceTypes: .changeNotSupported
      case .fileChanged, .busy, .interrupted: .operationInterrupted
      case .assetNotFound: .identifierNotFound
      case .diskFull: .notEnoughSpace
      default: .internalError
      }
    self.init(code, error.message)
  }
}

extension PHPhotosError: CustomNSError, LocalizedError, CustomStringConvertible {
  public static var errorDomain: String { PHPhotosErrorDomain }
  /// Apple's number.
  public var errorCode: Int { code.rawValue }
  /// The error's details, by Apple's keys.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
  public var errorDescription: String? { message }
  public var description: String { message }
}

extension PHPhotosError.Code {
  /// Allows `catch PHPhotosError.notEnoughSpace`: true for an error with this code, also for a library error that maps
  /// to it.
  public static func ~= (code: PHPhotosError.Code, error: any Error) -> Bool {
    switch error {
    case let error as PHPhotosError: error.code == code
    case let error as MediaLibraryError: PHPhotosError(error).code == code
    default: false
    }
  }
}

extension PHPhotosError {
  /// The user cancelled. Does not occur here.
  public static var userCancelled: Code { .userCancelled }
  /// The library's disk is offline. Does not occur here.
  public static var libraryVolumeOffline: Code { .libraryVolumeOffline }
  /// A network error. Does not occur here.
  public static var networkError: Code { .networkError }
  /// Several assets have the identifier. Does not occur here.
  public static var multipleIdentifiersFound: Code { .multipleIdentifiersFound }
  /// An error without a more specific code.
  public static var internalError: Code { .internalError }
  /// No asset has the identifier.
  public static var identifierNotFound: Code { .identifierNotFound }
  /// Resources that do not form an asset.
  public static var changeNotSupported: Code { .changeNotSupported }
  /// Something interfered: another process, or a file that changed meanwhile.
  public static var operationInterrupted: Code { .operationInterrupted }
  /// A file that is not what it was declared to be, or that cannot be added.
  public static var invalidResource: Code { .invalidResource }
  /// A missing file.
  public static var missingResource: Code { .missingResource }
  /// The disk is full.
  public static var notEnoughSpace: Code { .notEnoughSpace }
  /// The library's settings forbid it.
  public static var accessRestricted: Code { .accessRestricted }
  /// The system's permissions forbid it.
  public static var accessUserDenied: Code { .accessUserDenied }
}
