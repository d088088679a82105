import Logging
import MediaCore
import NIOCore

#if TLS
import NIOSSL
#endif

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// TLS 1.2 and later with the certificate that clients are shown.
package struct ServerSecurity: Sendable {
  /// Makes sure that a gateway can show a certificate.
  ///
  /// - Throws: ``ServiceError/Code/invalidCertificate`` as a gateway that starts does.
  package static func check(_ files: ServiceConfiguration.Certificate) throws(ServiceError) {
    _ = try ServerSecurity(files, logger: Logger(label: "check-config"))
  }

  #if TLS
  /// False in a program that is built without TLS, and thus without BoringSSL.
  package static let isBuilt = true

  private let context: NIOSSLContext
  private let chain: [NIOSSLCertificate]

  /// - Throws: ``ServiceError/Code/invalidCertificate`` if the files cannot be read, do not belong together,
  ///   or have expired. The message names the file and the remedy.
  init(_ files: ServiceConfiguration.Certificate, logger: Logger) throws(ServiceError) {
    chain = try Self.chain(files.chainPath, logger: logger)
    var settings = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) },
      privateKey: .privateKey(try Self.key(files.keyPath)))
    settings.minimumTLSVersion = .tlsv12
    settings.applicationProtocols = ["http/1.1"]
    do { context = try NIOSSLContext(configuration: settings) } catch NIOSSLError
      .failedToLoadPrivateKey
    {
      throw ServiceError(
        .invalidCertificate,
        "the key \(files.keyPath) does not belong to the certificate \(files.chainPath); name the key that the "
          + "certificate was made with, and let the server's own certificate be the first in its file"
      )
    } catch {
      throw ServiceError(
        .invalidCertificate,
        "the certificate \(files.chainPath) cannot be used with the key \(files.keyPath): \(error)")
    }
  }

  private static func key(_ path: String) throws(ServiceError) -> NIOSSLPrivateKey {
    let file = try PEMFile(path, holding: .key)
    do { return try NIOSSLPrivateKey(bytes: file.bytes, format: .pem) } catch {
      throw ServiceError(
        .invalidCertificate,
        "the key \(path) is damaged, or of an unknown kind: \(error); create it again")
    }
  }

  private static func chain(
    _ path: String, logger: Logger
  ) throws(ServiceError) -> [NIOSSLCertificate] {
    let file = try PEMFile(path, holding: .certificates)
    let chain: [NIOSSLCertificate]
    do { chain = try NIOSSLCertificate.fromPEMBytes(file.bytes) } catch {
      throw ServiceError(
        .invalidCertificate, "the certificate \(path) is damaged: \(error); create it again")
    }
    guard let first = chain.first else {
      throw ServiceError(.invalidCertificate, "the certificate \(path) is empty; create it again")
    }
    let validity = CertificateValidity(
      path: path, begin: Int(first.notValidBefore), end: Int(first.notValidAfter))
    if let warning = try validity.check(now: Int(time(nil))) { logger.warning("\(warning)") }
    return chain
  }

  /// True if both have the same certificates.
  func shows(sameAs other: ServerSecurity) -> Bool { chain == other.chain }

  /// The handler that decrypts and encrypts a connection's bytes.
  func makeHandler() -> NIOSSLServerHandler { NIOSSLServerHandler(context: context) }
  #else
  package static let isBuilt = false

  init(_ files: ServiceConfiguration.Certificate, logger: Logger) throws(ServiceError) {
    throw ServiceError(
      .invalidCertificate,
      "\(files.chainPath) cannot be used: this recordctl-serve was built without TLS; build it with "
        + "`make serve`")
  }

  func shows(sameAs other: ServerSecurity) -> Bool { true }

  func makeHandler() -> NoSecurity { NoSecurity() }

  /// Is never made.
  final class NoSecurity: ChannelInboundHandler { typealias InboundIn = ByteBuffer }
  #endif
}
