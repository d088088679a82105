import Logging
import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A certificate that the gateway makes for itself, with the command `openssl`: a P-256 key, and the names
/// and addresses of the machine.
///
/// No authority vouches for it: people compare its fingerprint, which is printed with the link.
struct SelfMadeCertificate: Sendable {
  /// The certificate in use.
  struct Present: Sendable, Hashable {
    /// SHA-256 of the certificate: pairs of hexadecimal digits with colons between them.
    var fingerprint: String
    /// True if it was made just now.
    var isNew: Bool
  }

  /// The paths of certificate and key. Only this user may read the files.
  let files: ServiceConfiguration.Certificate
  /// The path of the program; nil if it is not installed.
  let openssl: String?

  /// The lifetime in days. For certificates without an authority, browsers accept more.
  static let days = 397
  /// How many days before its end a certificate is replaced.
  static let margin = 30

  /// The present certificate, or a new one if there is none, key and certificate do not match, it expires
  /// soon, or it lacks a needed name.
  ///
  /// - Parameters:
  ///   - names: Names and addresses for a new certificate; its common name is the first name.
  ///   - needed: Names and addresses that the present certificate must have. Addresses that change often are
  ///     not among them.
  /// - Throws: ``ServiceError/Code/invalidCertificate``.
  func provide(
    names: [String], needed: [String], logger: Logger
  ) async throws(ServiceError) -> Present {
    guard let openssl else {
      throw ServiceError(
        .invalidCertificate,
        "a self-signed certificate is created by the command openssl, which is not installed")
    }
    let reason = try await fault(needed, openssl)
    if let reason {
      try await make(names, openssl)
      logger.notice("a certificate was created, \(files.chainPath): \(reason)")
    }
    return Present(fingerprint: try await fingerprint(openssl), isNew: reason != nil)
  }

  /// Why the present certificate cannot be used; nil if it can.
  private func fault(_ needed: [String], _ openssl: String) async throws(ServiceError) -> String? {
    guard access(files.chainPath, F_OK) == 0, access(files.keyPath, F_OK) == 0 else {
      return "there was no certificate"
    }
    let seconds = Self.margin * 86_400
    let isGood = try await ask(
      [openssl, "x509", "-in", files.chainPath, "-noout", "-checkend", "\(seconds)"])
    guard isGood.status == 0 else { return "the previous one expires within \(Self.margin) days" }
    let own = try await ask([openssl, "x509", "-in", files.chainPath, "-noout", "-pubkey"])
    let key = try await ask([openssl, "pkey", "-in", files.keyPath, "-pubout"])
    guard own.status == 0, key.status == 0, own.output == key.output else {
      return "the previous one did not match its key"
    }
    for name in Self.usable(needed) {
      let option = HostName.isAddress(name) ? "-checkip" : "-checkhost"
      let answer = try await ask(
        [openssl, "x509", "-in", files.chainPath, "-noout", option, name])
      // The exit status does not tell, only the text.
      guard answer.lastLine?.contains("does match") == true else {
        return "the previous one lacked \(name)"
      }
    }
    return nil
  }

  private func make(_ names: [String], _ openssl: String) async throws(ServiceError) {
    try makeFolder()
    let names = Self.usable(names)
    let list = names.map { (HostName.isAddress($0) ? "IP:" : "DNS:") + $0 }
    let common = names.first { !HostName.isAddress($0) && $0.utf8.count <= 64 } ?? "recorder"
    let (key, chain) = (files.keyPath + ".new", files.chainPath + ".new")
    unlink(key)
    let made = try await ask([
      openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
      "-nodes", "-sha256", "-days", "\(Self.days)", "-subj", "/CN=\(common)",
      "-addext", "subjectAltName=" + list.joined(separator: ","),
      "-addext", "basicConstraints=critical,CA:FALSE",
      "-addext", "keyUsage=critical,digitalSignature", "-addext", "extendedKeyUsage=serverAuth",
      "-keyout", key, "-out", chain,
    ])
    guard made.status == 0 else {
      throw ServiceError(
        .invalidCertificate, "openssl created no certificate: \(made.lastLine ?? "it was ended")")
    }
    // After a crash between the two, key and certificate do not match, which the next check finds.
    for (from, to) in [(key, files.keyPath), (chain, files.chainPath)] {
      guard chmod(from, 0o600) == 0, rename(from, to) == 0 else {
        throw ServiceError(
          .invalidCertificate, "\(to) cannot be written: \(String(cString: strerror(errno)))")
      }
    }
  }

  /// Makes the folder of the files, and those above it, and takes away other users' access before a key is written.
  private func makeFolder() throws(ServiceError) {
    let folder = files.keyPath.parentPath
    var path = ""
    for part in folder.pathParts() {
      path += "/" + part
      guard mkdir(path, 0o700) == 0 || errno == EEXIST || errno == EROFS || errno == EACCES else {
        break
      }
    }
    var facts = stat()
    guard lstat(folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR,
      facts.st_uid == geteuid(), chmod(folder, 0o700) == 0
    else {
      throw ServiceError(
        .invalidCertificate,
        "the folder \(folder) for the certificate cannot be created, or belongs to another user; set XDG_STATE_HOME"
      )
    }
  }

  private func fingerprint(_ openssl: String) async throws(ServiceError) -> String {
    let answer = try await ask(
      [openssl, "x509", "-in", files.chainPath, "-noout", "-fingerprint", "-sha256"])
    guard answer.status == 0, let text = answer.lastLine?.split(separator: "=").last else {
      throw ServiceError(
        .invalidCertificate, "\(files.chainPath): \(answer.lastLine ?? "it cannot be read")")
    }
    return String(text)
  }

  private func ask(_ words: [String]) async throws(ServiceError) -> BackgroundProcess.Result {
    try makeFolder()
    return try await BackgroundProcess.run(words, logPath: files.keyPath + ".log", hold: nil)
  }

  /// The names and addresses that cannot be mistaken for syntax of openssl, without duplicates.
  private static func usable(_ names: [String]) -> [String] {
    var known: Set<String> = []
    return names.filter { name in
      let isName =
        !name.isEmpty && name.utf8.count <= 253
        && name.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
          default: false
          }
        }
      return (isName || HostName.isAddress(name)) && known.insert(name).inserted
    }
  }
}

extension ServiceConfiguration.Certificate {
  /// The gateway's own certificate: in the folder that systemd provides for a service's state, else in
  /// `recordctl/tls` below `XDG_STATE_HOME`, else below `~/.local/state`.
  ///
  /// - Parameter variable: Returns a variable of the environment.
  static func selfMade(_ variable: (String) -> String?) -> Self {
    func folder(_ name: String) -> String? {
      variable(name).flatMap { $0.split(separator: ":").first.map(String.init) }
        .flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let base =
      folder("STATE_DIRECTORY") ?? folder("XDG_STATE_HOME").map { $0 + "/recordctl" }
      ?? (folder("HOME") ?? "/var/lib") + "/.local/state/recordctl"
    return Self(
      chainPath: base + "/tls/certificate.pem", keyPath: base + "/tls/key.pem", isSelfMade: true)
  }
}
