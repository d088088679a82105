import Glibc
import MediaCore
import SystemPackage

/// A profile in the files of Amazon's tools.
struct SettingsFiles {
  private struct File {
    var path: String
    /// The variable that names it; nil for the default path.
    var variable: String?
    var isThere = false
    var failure: ObjectStorageError?
    var hasProfile = false
    /// The profile's non-empty values in the file.
    var values: [String: String] = [:]
  }

  private let profile: String
  /// In order of precedence.
  private var files: [File]

  /// - Parameters:
  ///   - variables: The non-empty environment variables.
  ///   - read: As in ``StorageAccount/init(environment:read:)``.
  init(
    _ variables: [String: String],
    read: (String) throws(ObjectStorageError) -> String? = { (path) throws(ObjectStorageError) in
      try contents(path)
    }
  ) {
    profile = variables["AWS_PROFILE"] ?? variables["AWS_DEFAULT_PROFILE"] ?? "default"
    let home = (variables["HOME"] ?? "/") + "/.aws/"
    files = []
    for (variable, name) in [
      ("AWS_SHARED_CREDENTIALS_FILE", "credentials"), ("AWS_CONFIG_FILE", "config"),
    ] {
      let named = variables[variable]
      var file = File(path: named ?? home + name, variable: named.map { _ in variable })
      do throws(ObjectStorageError) {
        if let text = try read(file.path) {
          let settings = SharedSettings(text)
          file.isThere = true
          file.hasProfile = settings.has(profile)
          file.values = settings.profile(profile).filter { !$0.value.isEmpty }
        }
      } catch { file.failure = error }
      files.append(file)
    }
  }

  /// The profile's non-empty value for a name.
  subscript(_ name: String) -> String? { files.lazy.compactMap { $0.values[name] }.first }

  /// Checks that every existing file can be read, because any may have a setting.
  ///
  /// - Throws: ``ObjectStorageError/Code/invalidCredentials``.
  func requireReadable() throws(ObjectStorageError) {
    for file in files { if let failure = file.failure { throw failure } }
  }

  /// The profile's credentials, from one file.
  ///
  /// - Throws: ``ObjectStorageError/Code/invalidCredentials`` if they are missing or incomplete.
  func credentials() throws(ObjectStorageError) -> StorageCredentials {
    for file in files {
      let credentials = try StorageCredentials(
        place: "the profile '\(profile)' of \(file.path)", file.values["aws_access_key_id"],
        file.values["aws_secret_access_key"], file.values["aws_session_token"],
        names: ("aws_access_key_id", "aws_secret_access_key"))
      if let credentials { return credentials }
    }
    throw ObjectStorageError(
      .invalidCredentials,
      "no credentials for object storage: \(whatIsMissing)"
        + "; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them into "
        + "~/.aws/credentials (single sign-on, roles and credential_process are not supported)")
  }

  private var whatIsMissing: String {
    if files.contains(where: \.hasProfile) {
      return "the profile '\(profile)' has no aws_access_key_id with its secret"
    }
    // A file named explicitly is expected to exist.
    let named = files.first { $0.variable != nil && !$0.isThere }
    if let named, let variable = named.variable {
      return "\(variable) names \(named.path), which does not exist"
    }
    return "unknown profile '\(profile)'"
  }

  /// The text of a file; nil if it does not exist.
  ///
  /// - Throws: ``ObjectStorageError/Code/invalidCredentials`` if it cannot be read.
  static func contents(_ path: String) throws(ObjectStorageError) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else {
      let code = Errno(rawValue: errno)
      if code == .noSuchFileOrDirectory || code == .notDirectory { return nil }
      throw unreadable(path, "\(code)")
    }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(file, &chunk, chunk.count)
      if count == 0 { break }
      guard count > 0 else { throw unreadable(path, "\(Errno(rawValue: errno))") }
      bytes += chunk[..<count]
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw unreadable(path, "is not text in UTF-8")
    }
    return text
  }

  private static func unreadable(_ path: String, _ reason: String) -> ObjectStorageError {
    ObjectStorageError(
      .invalidCredentials,
      "\(path), which may have the credentials for object storage: \(reason); make it readable, or set "
        + "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_ENDPOINT_URL")
  }
}
