import Foundation
import MediaCore
import SystemPackage
import TestSupport
import Testing

@testable import RecorderService

/// Access control by host, origin, token and rate.
struct AccessTests {
  private static let operate = "operate-0123456789"
  private static let view = "view-0123456789abc"

  private let policy = AccessPolicy(
    tokens: [
      .init(name: "o", role: .operate, secret: operate),
      .init(name: "v", role: .view, secret: view),
    ], hostNames: ["Recorder.local"])

  /// The name of the cookie for a gateway at port 8437.
  private static let cookieName = "recorder-8437"

  private func request(_ headers: [String: String], method: String = "GET") -> HTTPRequest {
    var request = HTTPRequest(
      method: method, path: "/", remoteAddress: "10.0.0.1", isSecure: false)
    for (name, value) in headers { request.headers.add(name, value) }
    return request
  }

  private func code(_ work: () throws(ServiceError) -> Void) -> ServiceError.Code? {
    do {
      try work()
      return nil
    } catch { return error.code }
  }

  @Test func only_the_machines_own_host_names_are_accepted() {
    for host in ["127.0.0.1:8437", "localhost", "recorder.local:8437", "[::1]:8437", "10.0.0.2"] {
      #expect(
        code { () throws(ServiceError) in try policy.checkHost(request(["Host": host])) } == nil)
    }
    for host in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example"] {
      #expect(
        code { () throws(ServiceError) in try policy.checkHost(request(["Host": host])) }
          == .notPermitted)
    }
    #expect(
      code { () throws(ServiceError) in try policy.checkHost(request([:])) } == .invalidRequest)
  }

  @Test func requests_from_pages_of_other_sites_are_refused() {
    let host = "localhost:8437"
    for (origin, wanted) in [
      ("http://localhost:8437", nil), ("http://evil.example", ServiceError.Code.notPermitted),
      ("http://localhost:1234", .notPermitted), ("https://localhost:8437", .notPermitted),
      ("null", .notPermitted),
    ] {
      #expect(
        code { () throws(ServiceError) in
          try policy.checkOrigin(request(["Host": host, "Origin": origin]))
        } == wanted)
    }
  }

  @Test func a_token_grants_only_what_its_role_allows() throws {
    let bearer = request(["Authorization": "Bearer \(Self.operate)"])
    #expect(try policy.client(of: bearer, atLeast: .operate).name == "o")
    let viewer = request([
      "Host": "localhost:8437", "Cookie": "a=b; \(Self.cookieName)=\(Self.view)",
    ])
    #expect(try policy.client(of: viewer, atLeast: .view).role == .view)
    #expect(
      code { () throws(ServiceError) in _ = try policy.client(of: viewer, atLeast: .operate) }
        == .notPermitted)
    #expect(
      code { () throws(ServiceError) in _ = try policy.client(of: request([:]), atLeast: .view) }
        == .notAuthenticated)
  }

  @Test func a_cookie_without_an_origin_cannot_change_anything() {
    let cookie = "\(Self.cookieName)=\(Self.operate)"
    #expect(
      code { () throws(ServiceError) in
        _ = try policy.client(
          of: request(["Host": "localhost:8437", "Cookie": cookie], method: "POST"),
          atLeast: .operate)
      } == .notPermitted)
    #expect(
      code { () throws(ServiceError) in
        _ = try policy.client(
          of: request(
            ["Host": "localhost:8437", "Cookie": cookie, "Origin": "http://localhost"],
            method: "POST"),
          atLeast: .operate)
      } == nil)
  }

  @Test func wrong_tokens_and_rapid_commands_are_limited() throws {
    let wrong = { () throws(ServiceError) in
      _ = try self.policy.client(withSecret: "wrong-0123456789", at: "10.0.0.9")
    }
    for _ in 0..<10 { #expect(code(wrong) == .notAuthenticated) }
    #expect(code(wrong) == .tooMany)
    // An old tab with a wrong token does not lock out others at its address.
    #expect(try policy.client(withSecret: Self.operate, at: "10.0.0.9").role == .operate)
    #expect(code(wrong) == .tooMany)
    #expect(try policy.client(withSecret: Self.view, at: "10.0.0.8").role == .view)
    let client = try policy.client(withSecret: Self.operate, at: "10.0.0.8")
    let refused = (0..<40).compactMap { _ in
      code { () throws(ServiceError) in try policy.checkRate(client) }
    }
    #expect(!refused.isEmpty && refused.allSatisfy { $0 == .tooFast })
  }

  @Test(arguments: [(ServiceError.Code.tooFast, "1"), (.tooMany, "60")])
  func temporary_refusals_say_when_to_retry(
    _ code: ServiceError.Code, seconds: String
  ) {
    let refusal = HTTPResponse(ServiceError(code, "not now"))
    #expect(refusal.status == 429)
    #expect(refusal.headers.first { $0.name == "Retry-After" }?.value == seconds)
  }

  @Test func generated_tokens_outlive_the_gateway_and_stay_private() throws {
    let folder = try TemporaryFolder()
    let runtime = try RuntimeFolder(path: folder.path("runtime"))
    let tokens = try runtime.tokens()
    #expect(tokens.map(\.role) == [.operate, .view])
    #expect(tokens.allSatisfy { AccessToken.isSecret($0.secret) })
    #expect(tokens[0].secret != tokens[1].secret)
    #expect(try RuntimeFolder(path: runtime.path).tokens() == tokens)
    let mode = try Command.run("stat", ["-c", "%a", runtime.path + "/tokens.json"]).output
    #expect(mode == "600\n")
    _ = try Command.run("chmod", ["755", runtime.path])
    #expect(throws: ServiceError.self) { try RuntimeFolder(path: runtime.path) }
  }

  @Test func unreadable_tokens_are_not_replaced() throws {
    let folder = try TemporaryFolder()
    let runtime = try RuntimeFolder(path: folder.path("runtime"))
    _ = try runtime.tokens()
    let (file, elsewhere) = (runtime.path + "/tokens.json", folder.path("elsewhere.json"))
    try FileManager.default.moveItem(atPath: file, toPath: elsewhere)
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: elsewhere)
    let refusal = #expect(throws: ServiceError.self) { try runtime.tokens() }
    #expect(refusal?.code == .runtimeFolderFailed && refusal?.errno == .tooManySymbolicLinkLevels)
    #expect(refusal?.message.contains(file) == true)
  }
}
