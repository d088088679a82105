import Foundation
import Logging
import MediaCore
import SystemPackage
import TestSupport
import Testing

@testable import RecorderService

/// Messages for unusable certificates and keys: each fault is named, with its path and remedy.
struct CertificateTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func fault(
    _ path: String, _ content: PEMFile.Content, _ words: String...,
    at location: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: ServiceError.self, sourceLocation: location) {
      try PEMFile(path, holding: content)
    }
    for word in [path] + words {
      #expect(
        error?.message.contains(word) == true, "\(error?.message ?? "")", sourceLocation: location)
    }
    #expect(error?.code == .invalidCertificate, sourceLocation: location)
  }

  private func pem(_ label: String) -> String {
    "Subject: a\r\n-----BEGIN \(label)-----\r\nMIIB\r\n-----END \(label)-----\r\n"
  }

  @Test func each_fault_of_a_certificate_file_has_its_own_message() throws {
    fault(folder.path("none.pem"), .key, "the key", "does not exist", "[tls]")
    fault(folder.path, .certificates, "the certificate", "is not a file")
    fault(try folder.write("", "empty.pem").path, .key, "is empty")
    fault(try folder.write("hello", "text.pem").path, .certificates, "-----BEGIN CERTIFICATE-----")
    fault(
      try folder.write([0x30, 0x82, 1, 2], "key.der").path, .key, "DER", "openssl pkey -inform der")
    fault(try folder.write([0x30, 0x82], "a.der").path, .certificates, "openssl x509 -inform der")
    fault(try folder.write(pem("EC PRIVATE KEY"), "key.pem").path, .certificates, "mixed up")
    fault(try folder.write(pem("CERTIFICATE"), "chain.pem").path, .key, "mixed up")
    fault(
      try folder.write(pem("ENCRYPTED PRIVATE KEY"), "locked.pem").path, .key, "passphrase",
      "openssl pkey")
    fault(
      try folder.write("Proc-Type: 4,ENCRYPTED\n" + pem("RSA PRIVATE KEY"), "old.pem").path, .key,
      "passphrase")
    // The message is tested directly, because root may read any file.
    let secret = try folder.write(pem("PRIVATE KEY"), "secret.pem").path
    #expect(chmod(secret, 0o040) == 0)
    let denied = PEMFile.reason(.permissionDenied, secret)
    #expect(denied.contains("user \(geteuid())") && denied.contains("mode 40"), "\(denied)")
    #expect(denied.contains("chmod"))
  }

  @Test func pem_files_from_openssl_are_accepted() throws {
    for label in ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"] {
      let path = try folder.write(pem("EC PARAMETERS") + pem(label), "key.pem").path
      #expect(try !PEMFile(path, holding: .key).bytes.isEmpty)
    }
    for label in ["CERTIFICATE", "TRUSTED CERTIFICATE"] {
      let path = try folder.write(pem(label), "chain.pem").path
      #expect(try !PEMFile(path, holding: .certificates).bytes.isEmpty)
    }
  }

  @Test(.tags(.judges))
  func certificate_validity_is_checked_and_a_warning_precedes_expiry() throws {
    let day = 86_400
    let validity = CertificateValidity(path: "/a.pem", begin: 10 * day, end: 100 * day)
    #expect(try validity.check(now: 50 * day) == nil)
    #expect(try validity.check(now: 90 * day)?.contains("expires in 10 days") == true)
    let late = #expect(throws: ServiceError.self) { try validity.check(now: 103 * day) }
    #expect(late?.message.contains("/a.pem has expired 3 days ago; renew it") == true)
    let early = #expect(throws: ServiceError.self) { try validity.check(now: 9 * day) }
    #expect(early?.message.contains("clock") == true)
  }

  /// Makes a certificate and its key, valid for this many days.
  private func make(_ name: String, days: Int = 30) throws {
    let made = try Judges.run(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "\(days)", "-subj", "/CN=\(name)", "-keyout", folder.path("\(name)-key.pem"),
        "-out",
        folder.path("\(name).pem"),
      ])
    try #require(made.status == 0, "\(made.errors)")
  }

  /// Replaces the certificate in use.
  private func use(_ name: String) throws {
    for suffix in [".pem", "-key.pem"] {
      try folder.write(try folder.bytes(name + suffix), "used" + suffix)
    }
  }

  @Test(
    .tags(.judges), .timeLimit(.minutes(5)),
    .enabled(if: Judges.find("openssl") != nil, "openssl is not installed"))
  func a_certificate_renewed_in_place_is_used_and_logged() async throws {
    guard ServerSecurity.isBuilt else {
      try Test.cancel("the gateway is built without TLS; make test-all builds it")
    }
    try make("a")
    try make("b", days: 5)
    try use("a")
    var configuration = ServiceConfiguration(channels: [])
    configuration.address.port = 0
    configuration.announcing.isOn = false
    configuration.tokens = [.init(name: "o", role: .operate, secret: "operate-0123456789")]
    configuration.certificate = .init(
      chainPath: folder.path("used.pem"), keyPath: folder.path("used-key.pem"))
    let log = LogRecord()
    let gateway = try Gateway(
      configuration, folder: RuntimeFolder(path: folder.path("runtime")), logger: log.logger
    ) { _, _ in [] }
    let (listening, begin) = AsyncStream.makeStream(of: Int.self)
    let running = Task {
      defer { begin.finish() }
      try await gateway.run { begin.yield($0) }
    }
    for await _ in listening { break }
    #expect(try await gateway.reload(configuration) == ["the configuration is unchanged"])
    await gateway.checkCertificate()
    #expect(log.lines == [])
    try use("b")
    #expect(try await gateway.reload(configuration) == ["[tls]: a new certificate is in use"])
    #expect(log.lines.count == 1 && log.lines.first?.contains("expires in 4 days") == true)
    // The warning is repeated until the certificate is renewed.
    await gateway.checkCertificate()
    #expect(log.lines.count == 2 && log.lines.last?.contains("expires in 4 days") == true)
    try use("a")
    await gateway.checkCertificate()
    #expect(log.lines.last == "a new certificate is in use, \(folder.path("used.pem"))")
    try folder.write("", "used.pem")
    await gateway.checkCertificate()
    #expect(log.lines.last?.contains("is empty") == true)
    running.cancel()
    try await running.value
  }

  @Test(
    .tags(.judges), .enabled(if: Judges.find("openssl") != nil, "openssl is not installed"))
  func a_mismatched_key_and_an_expired_certificate_are_distinguished() throws {
    guard ServerSecurity.isBuilt else {
      try Test.cancel("the gateway is built without TLS; make test-all builds it")
    }
    for name in ["a", "b"] { try make(name) }
    func use(_ chain: String, _ key: String) throws -> ServerSecurity {
      try ServerSecurity(
        .init(chainPath: folder.path(chain), keyPath: folder.path(key)),
        logger: Logger(label: "test"))
    }
    _ = try use("a.pem", "a-key.pem")
    let other = #expect(throws: ServiceError.self) { try use("a.pem", "b-key.pem") }
    #expect(
      other?.message.contains(
        "\(folder.path("b-key.pem")) does not belong to the certificate \(folder.path("a.pem"))")
        == true, "\(other?.message ?? "")")
    try folder.write(
      "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", "damaged.pem")
    let damaged = #expect(throws: ServiceError.self) { try use("damaged.pem", "a-key.pem") }
    #expect(damaged?.message.contains("is damaged") == true, "\(damaged?.message ?? "")")
  }
}
