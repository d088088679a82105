/// What can go wrong with a library.
public struct MediaLibraryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// There is no such file, or no such library.
    case fileNotFound
    /// The system refused access, or the library's settings do.
    case accessDenied
    /// Somebody else owns the library, or may write it, and the user has not said that it is trusted.
    case untrusted
    /// A file that is not what its resource type says: no movie, no picture, a folder.
    case invalidResource
    /// A combination of resource types that makes no asset.
    case unsupportedResourceTypes
    /// A file changed while it was read.
    case fileChanged
    /// A file that cannot be moved: it is open for writing, or has other names.
    case fileInUse
    /// A path that leads out of the library, or a name that is none.
    case invalidPath
    /// No asset has that identifier.
    case assetNotFound
    /// No space, or no quota, is left (ENOSPC, EDQUOT).
    case diskFull
    /// Another system call failed.
    case ioFailed
    /// The catalogue was made by a newer version of this program.
    case catalogueTooNew
    /// The catalogue or the journal is damaged.
    case catalogueDamaged
    /// Another process holds the catalogue for too long.
    case busy
    /// The catalogue failed otherwise.
    case catalogueFailed
    /// A copy does not have the bytes that it should have.
    case verificationFailed
    /// A file of ASC MHL that cannot be read.
    case invalidManifest
    /// A parameter that makes no sense.
    case invalidArgument
    /// The task was cancelled.
    case interrupted
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
}
