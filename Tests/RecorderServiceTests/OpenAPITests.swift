import Foundation
import Logging
import TestSupport
import Testing

@testable import RecorderService

/// `docs/openapi.json` compared with the actual answers.
struct OpenAPITests {
  private func document() throws -> [String: Any] {
    let text = try #require(PageFiles.texts["openapi.json"])
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func gateway(in folder: TemporaryFolder) throws -> Gateway {
    try Gateway(
      ServiceConfiguration(channels: [.init(name: "a")]),
      folder: RuntimeFolder(path: folder.path("runtime")), logger: Logger(label: "test")
    ) { _, _ in [] }
  }

  @Test func the_description_lists_exactly_the_served_addresses() throws {
    let gateway = try gateway(in: TemporaryFolder())
    let routes = GatewayHandler.routes(of: gateway)
      .filter { $0.path.hasPrefix("/api/") || $0.path == "/metrics" }
      .map { "\($0.method.lowercased()) \($0.path)" }
    let streams = GatewayHandler.streams.map { "get \($0.path)" }
    let paths = try #require(try document()["paths"] as? [String: [String: Any]])
    let documented = paths.flatMap { path, methods in methods.keys.map { "\($0) \(path)" } }
    #expect(Set(documented) == Set(routes + streams))
    #expect(routes.count == Set(routes).count)
  }

  @Test func the_description_says_which_requests_need_no_token() throws {
    let paths = try #require(try document()["paths"] as? [String: [String: [String: Any]]])
    let open = paths.flatMap { path, methods in
      methods.filter { $0.value["security"] != nil }.map { "\($0.key) \(path)" }
    }
    #expect(Set(open) == ["get /api/v1/openapi.json", "post /api/v1/session"])
  }

  @Test func the_description_has_exactly_the_keys_of_every_body() throws {
    let routes = GatewayHandler.routes(of: try gateway(in: TemporaryFolder()))
      .filter { $0.method == "POST" }
    let paths = try #require(try document()["paths"] as? [String: [String: [String: Any]]])
    #expect(routes.count > 10)
    for route in routes {
      let body = paths[route.path]?["post"]?["requestBody"] as? [String: Any]
      let content = body?["content"] as? [String: [String: Any]]
      let schema = content?["application/json"]?["schema"] as? [String: Any]
      let keys = (schema?["properties"] as? [String: Any])?.keys.sorted() ?? []
      #expect(keys == route.keys.sorted(), "\(route.path)")
      #expect(schema?["additionalProperties"] as? Bool == false, "\(route.path)")
    }
  }
}
