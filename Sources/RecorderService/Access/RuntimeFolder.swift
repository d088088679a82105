import FoundationEssentials
import MediaCore
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The folder for files that last until the machine is switched off: sockets, output of recorders, and tokens
/// made by the gateway. Other users have no access to it.
public struct RuntimeFolder: Sendable, Hashable {
  public let path: String

  /// This user's folder below `XDG_RUNTIME_DIR`, or else below `/tmp`.
  ///
  /// - Throws: ``ServiceError/Code/runtimeFolderFailed`` if it cannot be made, or other users have access to it.
  public init() throws(ServiceError) {
    let base = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
    if let base, base.hasPrefix("/") {
      try self.init(path: base + "/recordctl")
    } else {
      try self.init(path: "/tmp/recordctl-\(geteuid())")
    }
  }

  /// A folder at a path, which is made if it is missing.
  ///
  /// - Throws: ``ServiceError/Code/runtimeFolderFailed``.
  public init(path: String) throws(ServiceError) {
    self.path = path
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw ServiceError(
        .runtimeFolderFailed,
        "the folder \(path) cannot be created: \(Errno(rawValue: errno)); set XDG_RUNTIME_DIR",
        errno: errno)
    }
    var facts = stat()
    guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR, facts.st_uid == geteuid(),
      facts.st_mode & 0o077 == 0
    else {
      throw ServiceError(
        .runtimeFolderFailed,
        "\(path) is not a folder that only this user may enter; remove it, or set XDG_RUNTIME_DIR")
    }
  }

  /// The path of a channel's socket.
  public func socketPath(ofChannel name: String) -> String { "\(path)/\(name).socket" }

  /// The file for the output of a channel's recorder.
  public func logPath(ofChannel name: String) -> String { "\(path)/\(name).log" }

  /// The file for the takes of a channel.
  func takesPath(ofChannel name: String) -> String { "\(path)/\(name).takes.json" }

  private struct Tokens: Codable {
    var operate: String
    var view: String
  }

  /// Two tokens, one to operate and one to view. Those of an earlier gateway are used again, so that browsers
  /// stay signed in.
  ///
  /// - Throws: ``ServiceError/Code/runtimeFolderFailed``, also if tokens exist but cannot be read: new ones would
  ///   sign out every browser.
  func tokens() throws(ServiceError) -> [ServiceConfiguration.Token] {
    let file = path + "/tokens.json"
    var made = Tokens(operate: AccessToken.make(), view: AccessToken.make())
    if let bytes = try GatewayFile.read(file, limit: 4096),
      let known = JSONText.value(Tokens.self, bytes),
      AccessToken.isSecret(known.operate), AccessToken.isSecret(known.view)
    {
      made = known
    } else {
      try GatewayFile.write(JSONText.contents(made), file)
    }
    return [
      .init(name: "operate", role: .operate, secret: made.operate),
      .init(name: "view", role: .view, secret: made.view),
    ]
  }
}
