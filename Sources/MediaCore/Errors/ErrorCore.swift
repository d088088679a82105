package import SystemPackage

/// What every error of this package holds. Read it through ``CodedError``.
public struct ErrorCore<Code: ErrorCode>: Sendable, Hashable {
  package let code: Code
  package let message: String
  package let cause: ErrorCause?
}

/// What made something fail.
package enum ErrorCause: Sendable, Hashable {
  case system(Errno)
  case library(LibraryError)
}
