import MediaCore
import Synchronization

/// Access control by host name, origin, token and rate.
///
/// A page of another site can make its user's browser send requests to this machine, and can make its own
/// name resolve to this machine. So requests must address this machine by one of its own names, changes must
/// come from a page of this gateway, and every answer but the page itself needs a token. That includes
/// loopback, which other users of the machine can reach.
struct AccessPolicy: Sendable {
  /// The client that sent a request.
  struct Client: Sendable, Hashable {
    var role: ServiceConfiguration.Role
    /// The token's name.
    var name: String
    /// The address it asks from.
    var address: String
  }

  let tokens: [ServiceConfiguration.Token]
  /// Names of this machine, in lower case. Addresses in digits are always its own: no name leads there.
  let hostNames: Set<String>
  let limits: RateLimits

  init(
    tokens: [ServiceConfiguration.Token], hostNames: [String], limits: RateLimits = RateLimits()
  ) {
    self.limits = limits
    self.tokens = tokens
    self.hostNames = Set((hostNames + ["localhost"]).map { $0.lowercased() })
  }

  // MARK: Checks

  /// Refuses a request that calls this machine by a name that is not its own.
  func checkHost(_ request: HTTPRequest) throws(ServiceError) {
    let hosts = request.headers["host"]
    guard hosts.count == 1, let host = hosts.first else {
      throw ServiceError(.invalidRequest, "a request must have exactly one Host header")
    }
    let name = Self.name(ofHost: host)
    guard HostName.isAddress(name) || hostNames.contains(name) else {
      throw ServiceError(
        .notPermitted, "\(name.prefix(100)) is not a name of this machine; add it to \"names\"")
    }
  }

  /// Refuses requests from pages of other sites.
  func checkOrigin(_ request: HTTPRequest) throws(ServiceError) {
    guard let origin = request.headers.first("origin") else { return }
    let own = "\(request.isSecure ? "https" : "http")://\(request.headers.first("host") ?? "")"
    guard origin.lowercased() == own.lowercased() else {
      throw ServiceError(.notPermitted, "requests from other sites are refused")
    }
  }

  /// Identifies the client by the token in the header `Authorization` or in the cookie.
  ///
  /// - Throws: ``ServiceError/Code/notAuthenticated``, ``ServiceError/Code/notPermitted`` if the token's role
  ///   is less than `role`, ``ServiceError/Code/tooMany``.
  func client(
    of request: HTTPRequest, atLeast role: ServiceConfiguration.Role
  ) throws(ServiceError) -> Client {
    let bearer = request.headers.first("authorization").flatMap(Self.bearer)
    guard let secret = bearer ?? cookie(of: request) else {
      throw ServiceError(
        .notAuthenticated, "a token is needed; open the link that the gateway printed")
    }
    let client = try client(withSecret: secret, at: request.remoteAddress)
    // Browsers add the cookie to any request, but send the origin along. A request without an origin must not
    // change anything.
    if bearer == nil, !request.isReading, request.headers.first("origin") == nil {
      throw ServiceError(.notPermitted, "a request with a cookie must have an Origin header")
    }
    guard client.role >= role else {
      throw ServiceError(.notPermitted, "the token \(client.name) may view but not operate")
    }
    return client
  }

  /// The client that a secret belongs to. A right secret is always accepted, however many wrong ones came
  /// from its address. Clients may share an address, and a browser tab with an old token must not keep
  /// anybody from stopping a take.
  ///
  /// - Throws: ``ServiceError/Code/notAuthenticated``, ``ServiceError/Code/tooMany``.
  func client(
    withSecret secret: String, at address: String
  ) throws(ServiceError) -> Client {
    var found: ServiceConfiguration.Token?
    for token in tokens where AccessToken.matches(secret, token.secret) { found = token }
    guard let found else {
      guard limits.mayFail(address) else {
        throw ServiceError(.tooMany, "too many wrong tokens from \(address); wait a minute")
      }
      throw ServiceError(
        .notAuthenticated, "the token is wrong; open the link that the gateway printed")
    }
    return Client(role: found.role, name: found.name, address: address)
  }

  /// Refuses a client that commands faster than hands do.
  ///
  /// - Throws: ``ServiceError/Code/tooFast``.
  func checkRate(_ client: Client) throws(ServiceError) {
    guard limits.mayCommand("\(client.address) \(client.name)") else {
      throw ServiceError(.tooFast, "more than 20 commands per second")
    }
  }

  // MARK: Cookies

  /// The name of the cookie that holds a token. It contains the port of the request, because all ports of a
  /// host share their cookies.
  static func cookieName(for request: HTTPRequest) -> String {
    let host = request.headers.first("host") ?? ""
    let port =
      host.hasSuffix("]") || !host.contains(":")
      ? nil : host.split(separator: ":").last.flatMap { UInt16($0) }
    return "recorder-\(port ?? (request.isSecure ? 443 : 80))"
  }

  /// The header that makes a browser keep a token, or forget it.
  func cookieHeader(_ secret: String?, for request: HTTPRequest) -> String {
    "\(Self.cookieName(for: request))=\(secret ?? ""); Path=/; HttpOnly; SameSite=Strict"
      + (request.isSecure ? "; Secure" : "") + "; Max-Age=\(secret == nil ? 0 : 31_536_000)"
  }

  private func cookie(of request: HTTPRequest) -> String? {
    let name = Self.cookieName(for: request)
    for header in request.headers["cookie"] {
      for pair in header.split(separator: ";") {
        let parts = pair.split(separator: "=", maxSplits: 1)
        if parts.count == 2, parts[0].drop(while: { $0 == " " }) == name {
          return String(parts[1])
        }
      }
    }
    return nil
  }

  private static func bearer(_ header: String) -> String? {
    let parts = header.split(separator: " ")
    return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
  }

  /// The name in `Host`, without a port and the brackets of an address.
  static func name(ofHost host: String) -> String {
    if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
      return String(host[..<end].dropFirst())
    }
    return host.prefix { $0 != ":" }.lowercased()
  }
}

/// Limits how often clients may try tokens and send commands.
final class RateLimits: Sendable {
  private struct Bucket {
    var tokens: Double
    var at: Double
  }

  private let failures = Mutex<[String: Bucket]>([:])
  private let commands = Mutex<[String: Bucket]>([:])

  /// The number of wrong tokens that an address may try in a burst, and then per minute.
  private static let failureLimit = 10.0
  private static let commandLimit = 20.0
  /// The number of addresses to remember; beyond it all are forgotten.
  private static let memory = 10_000

  /// Counts a wrong token; false if the address has tried too many.
  func mayFail(_ address: String) -> Bool {
    failures.withLock {
      Self.spend(&$0, address, Self.failureLimit, perSecond: Self.failureLimit / 60)
    }
  }

  func mayCommand(_ key: String) -> Bool {
    commands.withLock { Self.spend(&$0, key, Self.commandLimit, perSecond: Self.commandLimit) }
  }

  private static func refilled(_ bucket: Bucket?, _ limit: Double, perSecond: Double) -> Bucket {
    let now = Double(MonotonicClock.now) * 1e-9
    guard let bucket else { return Bucket(tokens: limit, at: now) }
    return Bucket(tokens: min(limit, bucket.tokens + (now - bucket.at) * perSecond), at: now)
  }

  private static func spend(
    _ buckets: inout [String: Bucket], _ key: String, _ limit: Double, perSecond: Double
  ) -> Bool {
    var bucket = refilled(buckets[key], limit, perSecond: perSecond)
    let isLeft = bucket.tokens >= 1
    if isLeft { bucket.tokens -= 1 }
    if buckets.count > memory { buckets = [:] }
    buckets[key] = bucket
    return isLeft
  }
}
