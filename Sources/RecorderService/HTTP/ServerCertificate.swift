import Logging
import MediaCore
import NIOSSL

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The certificate that clients are shown.
enum ServerCertificate {
  /// TLS 1.2 and later with a certificate.
  ///
  /// - Throws: ``ServiceError/Code/invalidCertificate`` where the files cannot be read, do not belong
  ///   together, or have expired.
  static func context(
    _ files: ServiceConfiguration.Certificate, logger: Logger
  ) throws(ServiceError) -> NIOSSLContext {
    let chain: [NIOSSLCertificate]
    do { chain = try NIOSSLCertificate.fromPEMFile(files.chainPath) } catch {
      throw failure(files.chainPath, "is no certificate in PEM", error)
    }
    guard let first = chain.first else {
      throw ServiceError(.invalidCertificate, "\(files.chainPath) holds no certificate")
    }
    let now = time(nil)
    guard first.notValidAfter > now else {
      throw ServiceError(
        .invalidCertificate, "the certificate \(files.chainPath) has expired; renew it")
    }
    if first.notValidAfter - now < 14 * 86_400 {
      let days = (first.notValidAfter - now) / 86_400
      logger.warning("the certificate \(files.chainPath) expires in \(days) days")
    }
    do {
      let key = try NIOSSLPrivateKey(file: files.keyPath, format: .pem)
      var settings = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
      settings.minimumTLSVersion = .tlsv12
      settings.applicationProtocols = ["http/1.1"]
      return try NIOSSLContext(configuration: settings)
    } catch {
      throw failure(files.keyPath, "is no key in PEM of \(files.chainPath)", error)
    }
  }

  private static func failure(_ path: String, _ what: String, _ error: any Error) -> ServiceError {
    ServiceError(.invalidCertificate, "\(path) \(what), or cannot be read: \(error)")
  }
}
