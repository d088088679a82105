/// What the gateway answers at an address.
struct Route: Sendable {
  /// Who may ask, and whether it changes something.
  enum Access: Sendable, Hashable {
    /// Anybody: the page itself, which tells nothing, and the exchange of a token.
    case open
    case view
    /// Steers recorders: counted, and told in the log.
    case operate
  }

  /// What an answer is made of.
  struct Call: Sendable {
    var request: HTTPRequest
    var client: AccessPolicy.Client?
    /// What the path has in place of `{channel}`.
    var parameters: [String: String]
  }

  var method: String
  /// The path; a part in braces takes any one part.
  var path: String
  var access: Access
  /// The keys that a body may have; all others are refused.
  var keys: [String]
  var answer: @Sendable (Call) async throws(ServiceError) -> HTTPResponse

  init(
    _ method: String, _ path: String, _ access: Access, keys: [String] = [],
    _ answer: @escaping @Sendable (Call) async throws(ServiceError) -> HTTPResponse
  ) {
    self.method = method
    self.path = path
    self.access = access
    self.keys = keys
    self.answer = answer
  }

  /// The parameters in a path; nil where it is not this route's.
  func match(_ parts: [Substring]) -> [String: String]? {
    let own = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard own.count == parts.count else { return nil }
    var parameters: [String: String] = [:]
    for (pattern, part) in zip(own, parts) {
      if pattern.hasPrefix("{") {
        parameters[String(pattern.dropFirst().dropLast())] = String(part)
      } else if pattern != part {
        return nil
      }
    }
    return parameters
  }
}
