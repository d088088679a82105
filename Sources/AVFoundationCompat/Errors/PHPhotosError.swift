public import Foundation
public import MediaLibrary

/// The domain of PhotoKit's errors.
public let PHPhotosErrorDomain = "PHPhotosErrorDomain"

/// An error as PhotoKit gives it: Apple's domain and number, and the message of what failed.
public struct PHPhotosError: Error, Sendable, Hashable {
  /// The errors of PhotoKit that happen here, with Apple's numbers (PHError.h).
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    /// Something that has no number of its own.
    case internalError = -1
    /// Apple's: the user put an end to it. It does not happen here, as the three after it.
    case userCancelled = 3072
    /// Apple's: the library's disk is gone.
    case libraryVolumeOffline = 3114
    /// Apple's: a network failed.
    case networkError = 3169
    /// No asset has that identifier.
    case identifierNotFound = 3201
    /// Apple's: several have it.
    case multipleIdentifiersFound = 3202
    /// Resources that make no asset together.
    case changeNotSupported = 3300
    /// Something interfered: another process, or a file that changed meanwhile.
    case operationInterrupted = 3301
    /// A file that is not what it was said to be, or that cannot be taken.
    case invalidResource = 3302
    /// A file that is not there.
    case missingResource = 3303
    /// The disk is full.
    case notEnoughSpace = 3305
    /// The library's settings forbid it.
    case accessRestricted = 3310
    /// The system's permissions forbid it.
    case accessUserDenied = 3311
  }

  /// What failed.
  public let code: Code
  /// What failed and what to do about it, in one line.
  public let message: String

  /// An error from its number and its one-line message.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// An error from its number.
  public init(_ code: Code) { self.init(code, "PhotoKit error \(code.rawValue) (\(code))") }

  /// An error of the library in Apple's terms.
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
  /// PhotoKit's.
  public static var errorDomain: String { PHPhotosErrorDomain }
  /// Apple's number.
  public var errorCode: Int { code.rawValue }
  /// What is known, by Apple's keys.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
  public var errorDescription: String? { message }
  public var description: String { message }
}

extension PHPhotosError.Code {
  /// For `catch PHPhotosError.notEnoughSpace`: true for an error that has the number in Apple's
  /// terms, also where it is the library's own.
  public static func ~= (code: PHPhotosError.Code, error: any Error) -> Bool {
    switch error {
    case let error as PHPhotosError: error.code == code
    case let error as MediaLibraryError: PHPhotosError(error).code == code
    default: false
    }
  }
}

extension PHPhotosError {
  /// Apple's: the user put an end to it.
  public static var userCancelled: Code { .userCancelled }
  /// Apple's: the library's disk is gone.
  public static var libraryVolumeOffline: Code { .libraryVolumeOffline }
  /// Apple's: a network failed.
  public static var networkError: Code { .networkError }
  /// Apple's: several have an identifier.
  public static var multipleIdentifiersFound: Code { .multipleIdentifiersFound }
  /// Something that has no number of its own.
  public static var internalError: Code { .internalError }
  /// No asset has that identifier.
  public static var identifierNotFound: Code { .identifierNotFound }
  /// Resources that make no asset together.
  public static var changeNotSupported: Code { .changeNotSupported }
  /// Something interfered: another process, or a file that changed meanwhile.
  public static var operationInterrupted: Code { .operationInterrupted }
  /// A file that is not what it was said to be, or that cannot be taken.
  public static var invalidResource: Code { .invalidResource }
  /// A file that is not there.
  public static var missingResource: Code { .missingResource }
  /// The disk is full.
  public static var notEnoughSpace: Code { .notEnoughSpace }
  /// The library's settings forbid it.
  public static var accessRestricted: Code { .accessRestricted }
  /// The system's permissions forbid it.
  public static var accessUserDenied: Code { .accessUserDenied }
}
