/// Headers of a request, by names in lower case.
struct HTTPRequestHeaders: Sendable {
  private var values: [String: [String]] = [:]

  mutating func add(_ name: String, _ value: String) {
    values[name.lowercased(), default: []].append(value)
  }

  mutating func remove(_ name: String) { values[name] = nil }

  /// All values of a name.
  subscript(name: String) -> [String] { values[name] ?? [] }

  /// The value of a header; nil if it is missing or occurs more than once.
  func first(_ name: String) -> String? { self[name].count == 1 ? self[name].first : nil }
}

/// A request, whole.
struct HTTPRequest: Sendable {
  var method: String
  /// The path without a query, still percent-encoded.
  var path: String
  var headers = HTTPRequestHeaders()
  var body: [UInt8] = []
  /// The client's address, without a port.
  var remoteAddress: String
  /// True by TLS.
  var isSecure: Bool

  /// True for a request that changes nothing. A HEAD is answered like a GET, without the body.
  var isReading: Bool { method == "GET" || method == "HEAD" }

  /// The longest body in bytes.
  static let bodyLimit = 65_536

  /// The parts of the path between slashes.
  var pathParts: [Substring] {
    path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
  }
}
