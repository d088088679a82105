import Logging
import TestSupport
import Testing

@testable import RecorderService

/// The methods allowed at each address.
struct HTTPMethodTests {
  private let folder: TemporaryFolder
  private let handler: GatewayHandler
  private static let secret = "viewing-0123456789"

  init() throws {
    folder = try TemporaryFolder()
    var configuration = ServiceConfiguration(channels: [.init(name: "a")])
    configuration.tokens = [.init(name: "v", role: .view, secret: Self.secret)]
    handler = GatewayHandler(
      gateway: try Gateway(
        configuration, folder: RuntimeFolder(path: folder.path("runtime")),
        logger: Logger(label: "test")
      ) { _, _ in [] })
  }

  private func ask(_ method: String, _ path: String) async -> HTTPResponse {
    var request = HTTPRequest(
      method: method, path: path, remoteAddress: "127.0.0.1", isSecure: false)
    request.headers.add("Host", "127.0.0.1")
    // With a cookie, as a browser does; it sends no origin with requests that only read.
    request.headers.add("Cookie", "recorder-80=\(Self.secret)")
    return await handler.respond(to: request)
  }

  @Test(arguments: ["/", "/page.css", "/api/v1/channels", "/api/v1/session", "/metrics"])
  func head_requests_have_the_headers_of_get_requests(_ path: String) async {
    let (head, whole) = (await ask("HEAD", path), await ask("GET", path))
    #expect(whole.status == 200 && head.status == 200)
    #expect(head.headers.map(\.name) == whole.headers.map(\.name))
  }

  @Test func a_wrong_method_is_answered_with_the_allowed_ones() async {
    let session = await ask("PUT", "/api/v1/session")
    #expect(session.status == 405)
    #expect(session.headers.first { $0.name == "Allow" }?.value == "GET, HEAD, POST, DELETE")
    let start = await ask("HEAD", "/api/v1/start")
    #expect(start.status == 405)
    #expect(start.headers.first { $0.name == "Allow" }?.value == "POST")
    // Two patterns match this path.
    let take = await ask("PUT", "/api/v1/channels/a/takes/running")
    #expect(take.headers.first { $0.name == "Allow" }?.value == "GET, HEAD")
  }

  @Test func head_and_get_requests_of_a_websocket_address_are_refused() async {
    let path = "/api/v1/channels/a/monitor"
    let (head, whole) = (await ask("HEAD", path), await ask("GET", path))
    #expect(whole.status == 400 && head.status == 400)
  }
}
