import FoundationEssentials
import MediaCore

/// Signs requests with Amazon's Signature Version 4, in headers.
///
/// Source: Amazon S3 API reference, "Authenticating Requests: Using the Authorization Header".
package struct RequestSignature: Sendable {
  /// The placeholder for the hash of a body that has its own checksum headers.
  package static let unsignedBody = "UNSIGNED-PAYLOAD"

  let credentials: StorageCredentials
  let region: String
  var service = "s3"

  package init(credentials: StorageCredentials, region: String, service: String = "s3") {
    (self.credentials, self.region, self.service) = (credentials, region, service)
  }

  /// Adds the signing headers to a request's headers.
  ///
  /// - Parameters:
  ///   - path: The path as sent, percent-encoded.
  ///   - query: The names and values, not encoded.
  ///   - headers: The headers, including `host`.
  ///   - bodyHash: The body's SHA-256 in hexadecimal digits, or ``unsignedBody``.
  ///   - time: Seconds since 1970.
  package func signed(
    method: String, path: String, query: [(String, String)], headers: [(String, String)],
    bodyHash: String, time: Double
  ) -> [(String, String)] {
    let stamp = Self.stamp(time)
    let day = String(stamp.prefix(8))
    var all = headers + [("x-amz-date", stamp)]
    if service == "s3" { all.append(("x-amz-content-sha256", bodyHash)) }
    if let token = credentials.sessionToken { all.append(("x-amz-security-token", token)) }
    let canonical = all.map { ($0.0.lowercased(), Self.trimmed($0.1)) }.sorted { $0.0 < $1.0 }
    let names = canonical.map(\.0).joined(separator: ";")
    let request = [
      method, path, Self.query(query),
      canonical.map { "\($0.0):\($0.1)\n" }.joined(), names, bodyHash,
    ].joined(separator: "\n")
    let scope = "\(day)/\(region)/\(service)/aws4_request"
    let text = [
      "AWS4-HMAC-SHA256", stamp, scope, Digest.hexadecimal(Digest.sha256([UInt8](request.utf8))),
    ].joined(separator: "\n")
    let key = [day, region, service, "aws4_request"].reduce(
      [UInt8]("AWS4\(credentials.secretAccessKey)".utf8)
    ) { Digest.hmac(key: $0, [UInt8]($1.utf8)) }
    let signature = Digest.hexadecimal(Digest.hmac(key: key, [UInt8](text.utf8)))
    all.append(
      (
        "Authorization",
        "AWS4-HMAC-SHA256 Credential=\(credentials.accessKeyID)/\(scope), "
          + "SignedHeaders=\(names), Signature=\(signature)"
      ))
    return all
  }

  /// The query as signed and sent: encoded and sorted by bytes.
  package static func query(_ query: [(String, String)]) -> String {
    let encoded = query.map { name, value in
      (name: PercentEncoding.encode(name), value: PercentEncoding.encode(value))
    }
    let sorted = encoded.sorted { first, second in
      if first.name == second.name { return first.value < second.value }
      return first.name.utf8.lexicographicallyPrecedes(second.name.utf8)
    }
    return sorted.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  }

  /// `20150830T123600Z`
  private static func stamp(_ time: Double) -> String {
    let style = Date.ISO8601FormatStyle(
      dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted)
    return Date(timeIntervalSince1970: time.rounded(.down)).formatted(style)
  }

  /// Trims spaces at the ends and collapses repeated ones.
  private static func trimmed(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
  }
}
