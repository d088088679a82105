import MediaCore

/// An answer, whole.
struct HTTPResponse: Sendable {
  var status: Int
  var headers: [(name: String, value: String)]
  var body: [UInt8]
  /// A range of a file to send instead of a body.
  var file: FileRange?
  /// True for an answer to an authorized client, whose connection is not closed to make room for others.
  var isForClient = false

  init(status: Int = 200, type: String, _ body: [UInt8], headers: [(String, String)] = []) {
    self.status = status
    self.headers = [("Content-Type", type), ("Cache-Control", "no-store")] + headers
    self.body = body
  }

  /// A value as JSON.
  static func json(_ value: some Encodable, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, type: "application/json", JSONText.bytes(value))
  }

  /// Success without content.
  static let done = HTTPResponse(status: 204, type: "application/json", [])

  /// An error with its HTTP status.
  init(_ error: ServiceError) {
    struct Failure: Encodable { var error: ErrorSummary }
    self = .json(Failure(error: ErrorSummary(error)), status: Self.status(of: error.code))
    if error.code == .notAuthenticated { headers.append(("WWW-Authenticate", "Bearer")) }
    if error.code == .tooFast { headers.append(("Retry-After", "1")) }
    if error.code == .tooMany { headers.append(("Retry-After", "60")) }
  }

  private static func status(of code: ServiceError.Code) -> Int {
    switch code {
    case .invalidRequest: 400
    case .notAuthenticated: 401
    case .notPermitted: 403
    case .notFound: 404
    case .anotherTake: 409
    case .tooLong: 413
    case .tooFast, .tooMany: 429
    case .notAvailable: 501
    case .notConnected, .launchFailed: 503
    default: 500
    }
  }

  /// Headers of all answers: a browser runs only the gateway's own scripts, shows the page in no other site's
  /// frame, and sends no referrer.
  static let securityHeaders = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
        + "media-src 'self'; "
        + "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
  ]
}
