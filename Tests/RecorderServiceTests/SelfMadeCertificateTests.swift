import Foundation
import Glibc
import Logging
import MediaCore
import TestSupport
import Testing

@testable import RecorderService

@Suite(
  .tags(.judges), .enabled(if: Judges.find("openssl") != nil, "openssl is not installed")
) struct SelfMadeCertificateTests {
  private let folder: TemporaryFolder
  private let files: ServiceConfiguration.Certificate
  private let own: SelfMadeCertificate

  init() throws {
    folder = try TemporaryFolder()
    let path = folder.path("state")
    files = .selfMade { $0 == "XDG_STATE_HOME" ? path : nil }
    own = SelfMadeCertificate(files: files, openssl: Judges.find("openssl")?.path)
  }

  private func provide(
    _ names: [String] = ["deck", "deck.local", "127.0.0.1", "::1"],
    needed: [String] = ["deck.local"]
  ) async throws -> SelfMadeCertificate.Present {
    try await own.provide(names: names, needed: needed, logger: Logger(label: "test"))
  }

  private func mode(_ path: String) -> mode_t {
    var facts = stat()
    return lstat(path, &facts) == 0 ? facts.st_mode & 0o777 : 0
  }

  private func openssl(_ words: String...) throws -> String {
    // Not cached, because the file changes.
    let program = try #require(Judges.find("openssl"))
    return try Command.run(program.path, words).output
  }

  @Test func a_certificate_is_made_once_with_all_names_and_kept_private() async throws {
    #expect(files.chainPath == folder.path("state/recordctl/tls/certificate.pem"))
    let first = try await provide(["deck", "deck.local", "127.0.0.1", "::1", "x,URI:evil", ""])
    #expect(first.isNew && first.fingerprint.split(separator: ":").count == 32)
    for path in [files.chainPath, files.keyPath] { #expect(mode(path) == 0o600, "\(path)") }
    #expect(mode(folder.path("state/recordctl/tls")) == 0o700)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: folder.path("state/recordctl/tls"))
    #expect(Set(left) == ["certificate.pem", "key.pem"])
    let text = try openssl("x509", "-in", files.chainPath, "-noout", "-text")
    #expect(
      text.contains(
        "DNS:deck, DNS:deck.local, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1"), "\(text)")
    #expect(text.contains("ASN1 OID: prime256v1") && text.contains("CA:FALSE"))
    #expect(text.contains("TLS Web Server Authentication") && !text.contains("evil"))
    let again = try await provide()
    #expect(again == .init(fingerprint: first.fingerprint, isNew: false))
  }

  @Test func a_certificate_is_remade_if_expiring_incomplete_or_unusable() async throws {
    var last = try await provide()
    func expectNew(_ why: Comment, needed: [String] = ["deck.local", "127.0.0.1"]) async throws {
      let next = try await provide(needed: needed)
      #expect(next.isNew && next.fingerprint != last.fingerprint, why)
      last = next
    }
    _ = try openssl(
      "req", "-x509", "-key", files.keyPath, "-days", "29", "-subj", "/CN=deck", "-addext",
      "subjectAltName=DNS:deck.local,IP:127.0.0.1", "-out", files.chainPath)
    try await expectNew("it expires in 29 days")
    _ = try openssl("genpkey", "-algorithm", "RSA", "-out", files.keyPath)
    try await expectNew("the key belongs to another certificate")
    try Data("x".utf8).write(to: URL(filePath: files.chainPath))
    try await expectNew("it is not a certificate")
    unlink(files.keyPath)
    try await expectNew("the key is missing")
    #expect(try await provide(needed: ["deck", "::1"]).isNew == false)
    let other = try await provide(["deck", "stage.local"], needed: ["stage.local"])
    #expect(other.isNew, "it lacked the name")
    #expect(try await provide(needed: ["10.1.2.3"]).isNew, "it lacks the address")
  }

  @Test func the_service_state_folder_is_used_and_missing_openssl_is_reported() async throws {
    let files = ServiceConfiguration.Certificate.selfMade {
      $0 == "STATE_DIRECTORY" ? "/var/lib/recordctl:/x" : nil
    }
    #expect(files.keyPath == "/var/lib/recordctl/tls/key.pem" && files.isSelfMade)
    do throws(ServiceError) {
      _ = try await SelfMadeCertificate(files: self.files, openssl: nil).provide(
        names: [], needed: [], logger: Logger(label: "test"))
      Issue.record("a certificate was made without openssl")
    } catch {
      #expect(error.code == .invalidCertificate && error.message.contains("openssl"))
    }
  }
}
