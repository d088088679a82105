import MediaCore

/// From when to when a certificate holds, in seconds since 1970.
struct CertificateValidity {
  let path: String
  let begin: Int
  let end: Int

  private static let day = 86_400
  /// Days before the end from which on it is told.
  private static let margin = 14

  /// Makes sure that it holds now.
  ///
  /// - Returns: A warning where it soon holds no more; else nil.
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
        "the certificate \(path) holds only in \(Self.days(begin - now)); set this machine's clock, or wait"
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
