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
    /// True where it is new.
    var isNew: Bool
  }

  /// Where the files lie, which this user alone may read.
  let files: ServiceConfiguration.Certificate
  /// The program; nil where it is not installed.
  let openssl: String?

  /// Days for which one is good: what browsers accept at most of a certificate without an authority is
  /// more.
  static let days = 397
  /// Days before its end from which on another one is made.
  static let margin = 30

  /// The one that is there, or a new one: where there is none, where key and certificate do not belong
  /// together, where it soon expires, and where it lacks a name.
  ///
  /// - Parameters:
  ///   - names: Names and addresses; the first name is the certificate's own.
  ///   - needed: Those without which one is made anew. Addresses that come and go are not among them.
  /// - Throws: ``ServiceError/Code/invalidCertificate``.
  func provide(
    names: [String], needed: [String], logger: Logger
  ) async throws(ServiceError) -> Present {
    guard let openssl else {
      throw ServiceError(
        .invalidCertificate,
        "a certificate of the gateway's own is made by the command openssl, which is not installed")
    }
    let reason = try await fault(needed, openssl)
    if let reason {
      try await make(names, openssl)
      logger.notice("a certificate was made, \(files.chainPath): \(reason)")
    }
    return Present(fingerprint: try await fingerprint(openssl), isNew: reason != nil)
  }

  /// Why the one that is there will not do; nil where it will.
  private func fault(_ needed: [String], _ openssl: String) async throws(ServiceError) -> String? {
    guard access(files.chainPath, F_OK) == 0, access(files.keyPath, F_OK) == 0 else {
      return "there was none"
    }
    let seconds = Self.margin * 86_400
    let isGood = try await ask(
      [openssl, "x509", "-in", files.chainPath, "-noout", "-checkend", "\(seconds)"])
    guard isGood.status == 0 else { return "the one before ends within \(Self.margin) days" }
    let own = try await ask([openssl, "x509", "-in", files.chainPath, "-noout", "-pubkey"])
    let key = try await ask([openssl, "pkey", "-in", files.keyPath, "-pubout"])
    guard own.status == 0, key.status == 0, own.output == key.output else {
      return "the one before did not belong to its key"
    }
    for name in Self.usable(needed) {
      let option = HostName.isAddress(name) ? "-checkip" : "-checkhost"
      let answer = try await ask(
        [openssl, "x509", "-in", files.chainPath, "-noout", option, name])
      // Whether it does match is told in words alone.
      guard answer.lastLine?.contains("does match") == true else {
        return "the one before lacked \(name)"
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
        .invalidCertificate, "openssl makes no certificate: \(made.lastLine ?? "it was ended")")
    }
    // A crash in between is found out by the next look: they do not belong together.
    for (from, to) in [(key, files.keyPath), (chain, files.chainPath)] {
      guard chmod(from, 0o600) == 0, rename(from, to) == 0 else {
        throw ServiceError(
          .invalidCertificate, "\(to) cannot be written: \(String(cString: strerror(errno)))")
      }
    }
  }

  /// The folder of the files, and those above it: this user's alone, before a key lies there.
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
        "the folder \(folder) for the certificate cannot be made, or is another user's; set XDG_STATE_HOME"
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

  private func ask(_ words: [String]) async throws(ServiceError) -> IdleProcess.Result {
    try makeFolder()
    return try await IdleProcess.run(words, logPath: files.keyPath + ".log", stepsBack: false)
  }

  /// Names and addresses that openssl takes for nothing else, once each.
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
  /// The gateway's own: in the folder that systemd gives a service for its state, else in
  /// `recordctl/tls` below `XDG_STATE_HOME`, else below `~/.local/state`.
  ///
  /// - Parameter variable: A variable of the environment.
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
