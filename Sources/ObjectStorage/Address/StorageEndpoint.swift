import MediaCore

/// The server that has the buckets.
public struct StorageEndpoint: Sendable, Hashable {
  /// `http` or `https`.
  let scheme: String
  /// The host, with the port where it is not the scheme's own.
  let host: String
  /// What paths begin with, without a slash at the end.
  let basePath: String
  /// The region that signatures name.
  public let region: String
  /// True where the bucket is in the path, false where it is in the host's name.
  public let isPathStyle: Bool
  /// A file of certificates; nil for the system's.
  var authorities: String?

  /// Amazon's server of a region.
  public init(region: String) {
    (scheme, basePath, isPathStyle) = ("https", "", false)
    host = "s3.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "")
    self.region = region
  }

  /// Another server, by its URL. The bucket is in the path: names of hosts below it seldom exist.
  ///
  /// - Throws: ``ObjectStorageError/Code/invalidArgument`` for anything but an `http` or `https` URL.
  public init(url: String, region: String) throws(ObjectStorageError) {
    let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    let scheme = parts.first.map { $0.lowercased() } ?? ""
    guard parts.count >= 3, scheme == "https:" || scheme == "http:", parts[1].isEmpty,
      !parts[2].isEmpty, !parts[2].contains("@"),
      !url.contains(where: { "?# ".contains($0) || $0.isNewline })
    else {
      throw ObjectStorageError(
        .invalidArgument,
        "the endpoint is not a URL of a server; write https://HOST or https://HOST:PORT")
    }
    self.scheme = String(scheme.dropLast())
    var host = parts[2].lowercased()
    // The signature has the host as the request has it, which leaves the usual port out.
    let usual = self.scheme == "https" ? ":443" : ":80"
    if host.hasSuffix(usual) { host.removeLast(usual.count) }
    self.host = host
    var path = parts.count > 3 ? "/" + String(parts[3]) : ""
    while path.hasSuffix("/") { path.removeLast() }
    (basePath, self.region, isPathStyle) = (path, region, true)
  }

  /// As messages name it.
  public var description: String { "\(scheme)://\(host)\(basePath)" }

  /// Host and encoded path of an object, or of a bucket where the key is empty.
  func location(bucket: String, key: String) -> (host: String, path: String) {
    let key = PercentEncoding.encode(key, keepsSlashes: true)
    // A wildcard certificate does not cover names with dots.
    if isPathStyle || bucket.contains(".") || bucket.contains("_") {
      return (host, "\(basePath)/\(bucket)" + (key.isEmpty ? "" : "/" + key))
    }
    return ("\(bucket).\(host)", "\(basePath)/\(key)")
  }
}
