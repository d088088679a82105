import MediaCore

/// When a certificate is valid, in seconds since 1970.
struct CertificateValidity {
  let path: String
  let begin: Int
  let end: Int

  private static let day = 86_400
  /// How many days before its end a certificate causes a warning.
  private static let margin = 14

  /// Checks that the certificate is valid now.
  ///
  /// - Returns: A warning if it expires soon; else nil.
  /// - Throws: ``ServiceError/Code/invalidCertificate``.
  func check(now: Int) throws(ServiceError) -> String? {
    guard end > now else {
      throw ServiceError(
        .invalidCertificate,
        "the certificate \(path) has expired \(Self.days(now - end)) ago; renew it")
    }
    guard begin <= now else {
      throw ServiceError(
        .invalidCertificate,
        "the certificate \(path) becomes valid in \(Self.days(begin - now)); set this machine's clock, or wait"
      )
    }
    guard end - now < Self.margin * Self.day else { return nil }
    return "the certificate \(path) expires in \(Self.days(end - now)); renew it"
  }

  private static func days(_ seconds: Int) -> String {
    let count = seconds / day
    return count == 0 ? "less than a day" : count == 1 ? "1 day" : "\(count) days"
  }
}
