/// Headers of a request, by names in lower case.
struct HTTPRequestHeaders: Sendable {
  private var values: [String: [String]] = [:]

  mutating func add(_ name: String, _ value: String) {
    values[name.lowercased(), default: []].append(value)
  }

  mutating func remove(_ name: String) { values[name] = nil }

  /// All values of a name.
  subscript(name: String) -> [String] { values[name] ?? [] }

  /// The only value of a name; nil for none, or several.
  func first(_ name: String) -> String? { self[name].count == 1 ? self[name].first : nil }
}

/// A request, whole.
struct HTTPRequest: Sendable {
  var method: String
  /// The path as it was sent, without what follows `?`.
  var path: String
  var headers = HTTPRequestHeaders()
  var body: [UInt8] = []
  /// Where it comes from, without a port.
  var remoteAddress: String
  /// True by TLS.
  var isSecure: Bool

  /// True for what only asks: a HEAD is answered as a GET, without the body.
  var isReading: Bool { method == "GET" || method == "HEAD" }

  /// Bytes that a body has at most.
  static let bodyLimit = 65_536

  /// The parts of the path between slashes.
  var pathParts: [Substring] {
    path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
  }
}
