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
  #if TLS
  /// False in a program that is built without TLS, which spares it BoringSSL.
  package static let isBuilt = true

  private let context: NIOSSLContext

  /// - Throws: ``ServiceError/Code/invalidCertificate`` where the files cannot be read, do not belong
  ///   together, or have expired.
  init(_ files: ServiceConfiguration.Certificate, logger: Logger) throws(ServiceError) {
    let chain = try Self.chain(files.chainPath, logger: logger)
    do {
      let key = try NIOSSLPrivateKey(file: files.keyPath, format: .pem)
      var settings = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
      settings.minimumTLSVersion = .tlsv12
      settings.applicationProtocols = ["http/1.1"]
      context = try NIOSSLContext(configuration: settings)
    } catch {
      throw Self.failure(files.keyPath, "is no key in PEM of \(files.chainPath)", error)
    }
  }

  private static func chain(
    _ path: String, logger: Logger
  ) throws(ServiceError) -> [NIOSSLCertificate] {
    let chain: [NIOSSLCertificate]
    do { chain = try NIOSSLCertificate.fromPEMFile(path) } catch {
      throw failure(path, "is no certificate in PEM", error)
    }
    guard let first = chain.first else {
      throw ServiceError(.invalidCertificate, "\(path) holds no certificate")
    }
    let now = time(nil)
    guard first.notValidAfter > now else {
      throw ServiceError(.invalidCertificate, "the certificate \(path) has expired; renew it")
    }
    if first.notValidAfter - now < 14 * 86_400 {
      let days = (first.notValidAfter - now) / 86_400
      logger.warning("the certificate \(path) expires in \(days) days")
    }
    return chain
  }

  /// What the bytes of a connection pass through first.
  func makeHandler() -> NIOSSLServerHandler { NIOSSLServerHandler(context: context) }

  private static func failure(_ path: String, _ what: String, _ error: any Error) -> ServiceError {
    ServiceError(.invalidCertificate, "\(path) \(what), or cannot be read: \(error)")
  }
  #else
  package static let isBuilt = false

  init(_ files: ServiceConfiguration.Certificate, logger: Logger) throws(ServiceError) {
    throw ServiceError(
      .invalidCertificate,
      "\(files.chainPath) cannot be used: this recordctl-serve was built without TLS; build it with "
        + "`make serve`")
  }

  func makeHandler() -> NoSecurity { NoSecurity() }

  /// Is never made.
  final class NoSecurity: ChannelInboundHandler { typealias InboundIn = ByteBuffer }
  #endif
}
