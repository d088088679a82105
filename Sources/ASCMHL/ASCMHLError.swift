import Glibc
import SystemPackage

/// What can go wrong with copies and their manifests.
public struct ASCMHLError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// There is no such file or folder.
    case fileNotFound
    /// The system refused access.
    case accessDenied
    /// A path that leads out of its folder, goes through a link, or names what cannot be copied.
    case invalidPath
    /// A manifest or a chain that is missing, cannot be read, or was changed.
    case invalidManifest
    /// A name that a manifest cannot hold.
    case invalidName
    /// A copy does not have the bytes that it should have.
    case verificationFailed
    /// No space, or no quota, is left (ENOSPC, EDQUOT).
    case diskFull
    /// Another system call failed.
    case ioFailed
  }

  /// The kind of failure.
  public let code: Code
  /// What failed and what to do about it, in one line.
  public let message: String
  /// The system's error number behind it, where there is one.
  public let errno: Int32?

  /// An error from its kind and its one-line message.
  public init(_ code: Code, _ message: String, errno: Int32? = nil) {
    self.code = code
    self.message = message
    self.errno = errno
  }

  /// The message.
  public var description: String { message }

  /// The error of a system call.
  static func system(_ verb: String, _ path: String, _ error: Errno) -> ASCMHLError {
    let (code, remedy): (Code, String) =
      switch error {
      case .noSuchFileOrDirectory: (.fileNotFound, "name one that exists")
      case .permissionDenied, .notPermitted, .readOnlyFileSystem:
        (.accessDenied, "check the permissions of the file and its folder")
      case .noSpace, .diskQuotaExceeded: (.diskFull, "free some space on the disk")
      case .isDirectory, .notDirectory, .tooManySymbolicLinkLevels:
        (.invalidPath, "links are not followed, and a file is not a folder")
      case .fileNameTooLong: (.invalidPath, "shorten the name")
      default: (.ioFailed, "check the disk")
      }
    return ASCMHLError(
      code, "\(path): cannot \(verb): \(String(cString: strerror(error.rawValue))); \(remedy)",
      errno: error.rawValue)
  }
}
