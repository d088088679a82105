/// An address of the gateway, with the function that answers there.
struct Route: Sendable {
  /// The access that a request needs.
  enum Access: Sendable, Hashable {
    /// None: for the page itself, which contains no data, and for signing in with a token.
    case open
    case view
    /// To control recorders. Such requests are limited in rate, and logged.
    case operate
  }

  /// The input of an answer.
  struct Call: Sendable {
    var request: HTTPRequest
    var client: AccessPolicy.Client?
    /// The parts of the path at the places of `{channel}` and other parameters.
    var parameters: [String: String]
  }

  var method: String
  /// The path; a part in braces takes any one part.
  var path: String
  var access: Access
  /// The keys that a body may have; others are refused.
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

  /// The parameters in a path; nil if the path is not this route's.
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
