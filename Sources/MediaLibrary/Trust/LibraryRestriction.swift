import Glibc
import MediaCore

/// Why a library was opened for reading only.
public struct LibraryRestriction: Sendable, Hashable, Codable {
  /// The kind of reason.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// Somebody else owns the library, or may write to it, and it is not trusted by name
    /// (``LibraryTrust``).
    case untrusted
    /// The disk or the permissions do not let this user write to it.
    case unwritable
  }

  public var kind: Kind
  /// The file or folder, and what prevents changes to the library, in one line.
  public var message: String
}

extension LibraryRestriction {
  /// The error of a change to the library.
  var error: MediaLibraryError {
    switch kind {
    case .untrusted:
      MediaLibraryError(
        .untrusted, message + ", so the library is opened read-only; trust it by name")
    case .unwritable:
      MediaLibraryError(
        .accessDenied, message + ", so the library is opened read-only", errno: EACCES)
    }
  }
}

extension LibraryOpener {
  /// Why the library can only be read; nil if it can be changed.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidPath`` if a link is in the place of one of the
  ///   library's own files.
  func restriction(_ root: LibraryRoot) throws(MediaLibraryError) -> LibraryRestriction? {
    let files = files.confined(to: root)
    let isTrusted = try LibraryTrust(user: user).contains(try root.resolvedPath())
    var parts = [(layout.root, try root.ownership())]
    for path in layout.own {
      guard let status = try files.ownership(path) else { continue }
      guard !status.isSymbolicLink else {
        throw MediaLibraryError(
          .invalidPath, "\(path): a link replaces a file of the library; move it away")
      }
      parts.append((path, status))
    }
    for (path, status) in parts where !isTrusted {
      if let reason = user.stranger(status) {
        return LibraryRestriction(kind: .untrusted, message: "\(path): \(reason)")
      }
    }
    for (path, status) in parts {
      let wanted = status.isFolder ? W_OK | X_OK : W_OK
      guard access(path, wanted) != 0 else { continue }
      let reason = String(cString: strerror(errno))
      return LibraryRestriction(
        kind: .unwritable, message: "\(path): cannot be written (\(reason))")
    }
    return nil
  }
}
