import MediaCore
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A PEM file of certificates or a key. It is checked before it is parsed, so that errors name the path and
/// the remedy.
struct PEMFile {
  /// The expected content of the file.
  enum Content {
    case certificates, key

    /// As messages call it.
    var name: String {
      switch self {
      case .certificates: "certificate"
      case .key: "key"
      }
    }

    /// The end of the `BEGIN` line. A key may have a type before it, as in `BEGIN EC PRIVATE KEY`.
    fileprivate var label: String {
      switch self {
      case .certificates: "CERTIFICATE"
      case .key: "PRIVATE KEY"
      }
    }
  }

  let path: String
  let bytes: [UInt8]

  /// Bytes; no certificate with its chain has more.
  private static let limit = 1 << 20

  /// Reads it.
  ///
  /// - Throws: ``ServiceError/Code/invalidCertificate``.
  init(_ path: String, holding content: Content) throws(ServiceError) {
    (self.path, bytes) = (path, try Self.read(path, content))
    let labels = Self.labels(of: bytes)
    guard !labels.contains("ENCRYPTED PRIVATE KEY"), !Self.isEncrypted(bytes) else {
      throw Self.fault(
        path, content,
        "needs a passphrase, which a service cannot ask for; remove it: openssl pkey "
          + "-in \(path) -out OTHER")
    }
    guard !labels.contains(where: { $0.hasSuffix(content.label) }) else { return }
    guard labels.isEmpty else {
      throw Self.fault(
        path, content,
        "holds \(labels[0]) and no \(content.name); \"certificate\" and \"key\" of [tls] may "
          + "be mixed up")
    }
    let command = content == .key ? "pkey" : "x509"
    throw Self.fault(
      path, content,
      bytes.first == 0x30
        ? "is in DER, not in PEM; convert it: openssl \(command) -inform der -in \(path) -out OTHER"
        : "is not in PEM: it has no line -----BEGIN \(content.label)-----; name the file that has")
  }

  private static func read(_ path: String, _ content: Content) throws(ServiceError) -> [UInt8] {
    do {
      // Opening a pipe must not wait for a writer.
      let file = try FileDescriptor.open(
        FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
      return try file.closeAfter {
        var facts = stat()
        guard fstat(file.rawValue, &facts) == 0 else { throw Errno(rawValue: errno) }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw Errno.isDirectory }
        guard facts.st_size > 0 else { throw Errno.noData }
        guard facts.st_size <= limit else { throw Errno.fileTooLarge }
        return try [UInt8](unsafeUninitializedCapacity: Int(facts.st_size)) { buffer, count in
          count = try file.read(fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))
        }
      }
    } catch {
      throw fault(path, content, reason(error as? Errno ?? .ioError, path))
    }
  }

  /// The meaning of a system error for the file, and the remedy.
  static func reason(_ error: Errno, _ path: String) -> String {
    switch error {
    case .noSuchFileOrDirectory, .notDirectory:
      "does not exist; correct its path under [tls]"
    case .permissionDenied, .notPermitted:
      "cannot be read by user \(geteuid()): \(Self.obstacle(path)); chown or chmod it so that only this user "
        + "can read it"
    case .isDirectory: "is not a file; name the file in PEM"
    case .noData: "is empty; create it again"
    case .fileTooLarge: "has more than \(limit) bytes, too many for a PEM file; name the PEM file"
    default: "cannot be read: \(error)"
    }
  }

  /// Why the file may not be read: its owner and mode, or a folder above it that cannot be entered.
  private static func obstacle(_ path: String) -> String {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return "a folder above it is closed" }
    let mode = String(facts.st_mode & 0o7777, radix: 8)
    return "it is user \(facts.st_uid)'s, mode \(mode)"
  }

  /// The words of the lines `-----BEGIN …-----`.
  private static func labels(of bytes: [UInt8]) -> [String] {
    let (begin, end) = ("-----BEGIN ", "-----")
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      var text = Substring(String(decoding: line, as: UTF8.self))
      while text.last?.isWhitespace == true { text.removeLast() }
      guard text.hasPrefix(begin), text.hasSuffix(end), text.count > begin.count + end.count else {
        return nil
      }
      return String(text.dropFirst(begin.count).dropLast(end.count))
    }
  }

  /// True for a key of OpenSSL's older form that is encrypted.
  private static func isEncrypted(_ bytes: [UInt8]) -> Bool {
    bytes.split(separator: UInt8(ascii: "\n")).contains {
      $0.starts(with: Array("Proc-Type: 4,ENCRYPTED".utf8))
    }
  }

  private static func fault(_ path: String, _ content: Content, _ what: String) -> ServiceError {
    ServiceError(.invalidCertificate, "the \(content.name) \(path) \(what)")
  }
}
