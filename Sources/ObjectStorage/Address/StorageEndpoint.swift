import MediaCore

/// The server that holds the buckets.
public struct StorageEndpoint: Sendable, Hashable {
  /// `http` or `https`.
  let scheme: String
  /// The host, with the port unless it is the scheme's default.
  let host: String
  /// The prefix of paths, without a trailing slash.
  let basePath: String
  /// The region used in signatures.
  public let region: String
  /// True if the bucket is part of the path, false if it is part of the host name.
  public let isPathStyle: Bool
  /// A file of certificates; nil for the system's.
  var authorities: String?

  /// Amazon's server for a region.
  public init(region: String) {
    (scheme, basePath, isPathStyle) = ("https", "", false)
    host = "s3.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "")
    self.region = region
  }

  /// Another server, by its URL. The bucket is part of the path, because host names for buckets
  /// seldom exist there.
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
    // The signature must have the host as in the request, which omits the default port.
    let usual = self.scheme == "https" ? ":443" : ":80"
    if host.hasSuffix(usual) { host.removeLast(usual.count) }
    self.host = host
    var path = parts.count > 3 ? "/" + String(parts[3]) : ""
    while path.hasSuffix("/") { path.removeLast() }
    (basePath, self.region, isPathStyle) = (path, region, true)
  }

  /// The name in messages.
  public var description: String { "\(scheme)://\(host)\(basePath)" }

  /// The host and encoded path of an object, or of a bucket if the key is empty.
  func location(bucket: String, key: String) -> (host: String, path: String) {
    let key = PercentEncoding.encode(key, keepsSlashes: true)
    // A wildcard certificate does not cover names with dots.
    if isPathStyle || bucket.contains(".") || bucket.contains("_") {
      return (host, "\(basePath)/\(bucket)" + (key.isEmpty ? "" : "/" + key))
    }
    return ("\(bucket).\(host)", "\(basePath)/\(key)")
  }
}
