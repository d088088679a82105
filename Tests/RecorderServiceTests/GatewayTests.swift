import Foundation
import Monitor
import MovieTools
import TestSupport
import Testing

@testable import RecorderService

/// The gateway as a process over the network, with recorders of the pattern device.
@Suite(.timeLimit(.minutes(10))) struct GatewayTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func a_take_started_over_http_outlives_the_gateway() async throws {
    let gateway = try ServeProcess(channels: ["a", "b"], in: folder)
    defer { gateway.end() }
    let operate = gateway.client()
    let path = "/api/v1/channels/a"

    // Permissions.
    #expect(try gateway.client(nil).ask("GET", "/api/v1/channels").status == 401)
    #expect(try gateway.client("wrong-0123456789").ask("GET", "/api/v1/channels").status == 401)
    let viewer = gateway.client(ServeProcess.view)
    #expect(try viewer.ask("GET", "/api/v1/channels").status == 200)
    #expect(try viewer.ask("POST", path + "/start", "{}").status == 403)
    #expect(try operate.ask("GET", "/api/v1/nothing").status == 404)
    #expect(try operate.ask("DELETE", path).status == 405)
    #expect(try operate.ask("GET", "/api/v1/channels/c").errorCode == "notFound")
    #expect(
      try operate.ask("GET", "/", headers: ["Host": "evil.example"]).errorCode == "notPermitted")
    #expect(
      try operate.ask("POST", path + "/start", "{}", headers: ["Origin": "http://evil.example"])
        .status == 403)

    // Impossible and malformed requests.
    #expect(try operate.ask("POST", path + "/stop", "{}").status == 409)
    #expect(try operate.ask("POST", path + "/start", "[").status == 400)
    #expect(try operate.ask("POST", path + "/start", #"{"name":"../x"}"#).status == 400)
    #expect(try operate.ask("POST", path + "/preset", #"{"preset":"/etc/x.toml"}"#).status == 400)
    #expect(
      try operate.ask("POST", path + "/start", "x", headers: ["Content-Type": "text/plain"])
        .status == 400)
    let long = String(repeating: "x", count: 70_000)
    #expect(try operate.ask("POST", path + "/marker", long).status == 413)

    // A take during which the gateway is killed.
    let started = try operate.ask("POST", path + "/start", #"{"scene":"12"}"#)
    #expect(started.status == 200, "\(String(decoding: started.body, as: UTF8.self))")
    #expect((started.json["take"] as? [String: Any])?["path"] as? String == "a-001.mov")
    let process = try #require(try gateway.recorder("a")["processID"] as? Int)
    try await eventually("frames are recorded") {
      let progress = try gateway.recorder("a")["progress"] as? [String: Any]
      return (progress?["frames"] as? Int ?? 0) > 5
    }
    try gateway.restart()
    #expect(try gateway.recorder("a")["processID"] as? Int == process)
    #expect(try gateway.recorder("a")["state"] as? String == "recording")
    #expect(try gateway.client().ask("POST", path + "/marker", #"{"note":"good"}"#).status == 200)
    #expect(try gateway.client().ask("POST", path + "/split", "{}").status == 200)
    try await eventually("the take continues in a second movie") {
      folder.contents.filter { $0.hasPrefix("a-001") && $0.hasSuffix(".mov") }.count == 2
    }
    #expect(try gateway.client().ask("POST", path + "/stop", "{}").status == 200)
    try await eventually("the take is listed") {
      let takes = try gateway.client().ask("GET", path + "/takes").json["takes"] as? [[String: Any]]
      return takes?.count == 1 && (takes?[0]["movies"] as? [String])?.count == 2
    }
    for movie in folder.contents where movie.hasSuffix(".mov") {
      #expect(try MovieVerifier(path: folder.path(movie)).run().isValid, "\(movie)")
    }
    #expect(gateway.log.contains("marker on a: done") && gateway.log.contains("client=gallery"))

    // All channels together.
    let all = try gateway.client().ask("POST", "/api/v1/start", "{}")
    let results = try #require(all.json["results"] as? [[String: Any]])
    #expect(results.compactMap { $0["channel"] as? String } == ["a", "b"])
    #expect(results.allSatisfy { $0["error"] == nil }, "\(results)")
    let starts = results.compactMap { $0["start"] as? [String: Any] }
    #expect(Set(starts.compactMap { $0["timecode"] as? String }).count == 1, "\(results)")
    // Within one frame.
    let late = starts.compactMap { $0["late"] as? Double }
    #expect(late.count == 2 && late.allSatisfy { (-0.001..<0.041).contains($0) }, "\(late)")
    #expect(all.json["at"] is String)
    let metrics = try viewerText(gateway, "/metrics")
    #expect(metrics.contains("recorder_recording{channel=\"b\"} 1"), "\(metrics)")
    _ = try gateway.client().ask("POST", "/api/v1/stop", "{}")
  }

  private func viewerText(_ gateway: ServeProcess, _ path: String) throws -> String {
    let answer = try gateway.client(ServeProcess.view).ask("GET", path)
    #expect(answer.status == 200)
    return String(decoding: answer.body, as: UTF8.self)
  }

  @Test func pictures_with_scopes_and_levels_are_sent_as_acknowledged() async throws {
    let gateway = try ServeProcess(channels: ["a"], in: folder)
    defer { gateway.end() }
    let client = gateway.client(ServeProcess.view)
    // A token is required, and pages of other sites are refused.
    #expect(throws: NetworkClient.Failure.self) {
      try gateway.client(nil).webSocket("/api/v1/events")
    }
    #expect(throws: NetworkClient.Failure.self) {
      try client.webSocket("/api/v1/events", headers: ["Origin": "http://evil.example"])
    }
    let monitor = try client.webSocket("/api/v1/channels/a/monitor")
    try monitor.send(
      #"{"pictureRate":25,"scopes":["waveform","vectorscope","histogram"],"levels":true}"#)
    var (frames, levels) = (0, 0)
    var last = 0
    while frames < 3 || levels < 3 {
      switch try monitor.next() {
      case .text(let text):
        // A keep-alive message, on a busy machine.
        if text.contains("alive") { continue }
        #expect(text.contains("\"levels\""))
        levels += 1
      case .bytes(let bytes):
        let length = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        let header = try JSONDecoder().decode(
          ServedFrameHeader.self, from: Data(bytes.dropFirst(4).prefix(length)))
        #expect(header.width == 640 && header.number > last)
        last = header.number
        let jpeg = Data(bytes.dropFirst(4 + length).prefix(header.byteCount))
        #expect(jpeg.prefix(2) == Data([0xFF, 0xD8]) && jpeg.suffix(2) == Data([0xFF, 0xD9]))
        let size = 4 + length + header.byteCount + header.maps.reduce(0) { $0 + $1.byteCount }
        #expect(bytes.count == size)
        frames += 1
        try monitor.send("{\"acknowledge\":\(header.number)}")
      case .closed:
        Issue.record("the gateway has closed the WebSocket")
        return
      }
    }
    // Source pixels, for as long as they are requested.
    func header() throws -> ServedFrameHeader {
      while true {
        guard case .bytes(let bytes) = try monitor.next() else { continue }
        let length = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        let header = try JSONDecoder().decode(
          ServedFrameHeader.self, from: Data(bytes.dropFirst(4).prefix(length)))
        try monitor.send("{\"acknowledge\":\(header.number)}")
        return header
      }
    }
    try monitor.send(#"{"region":{"x":600,"y":100,"width":200,"height":90}}"#)
    var shown = try header()
    while shown.region == nil { shown = try header() }
    #expect(shown.region == FrameRegion(x: 440, y: 100, width: 200, height: 90))
    #expect(shown.width == 200 && shown.height == 90 && shown.sourceWidth == 640)
    #expect(try header().region != nil)
    // One message may acknowledge a frame and change the request.
    try monitor.send("{\"acknowledge\":\(shown.number),\"region\":null}")
    while shown.region != nil { shown = try header() }
    #expect(shown.width == 640)
    let snapshot = try client.ask("GET", "/api/v1/channels/a/snapshot.jpg")
    #expect(snapshot.status == 200 && snapshot.body.prefix(2) == Data([0xFF, 0xD8]))
    // A malformed message ends the WebSocket.
    try monitor.send("nonsense")
    var isClosed = false
    while !isClosed { if case .closed = try monitor.next() { isClosed = true } }

    let events = try client.webSocket("/api/v1/events")
    guard case .text(let first) = try events.next() else {
      Issue.record("no state came")
      return
    }
    #expect(first.contains("\"event\":\"channel\"") && first.contains("\"name\":\"a\""))
    // SIGINT from a terminal also ends recorders that are not recording.
    let recorder = try #require(try gateway.recorder("a")["processID"] as? Int)
    gateway.interrupt()
    try await eventually("the recorder has ended") { kill(Int32(recorder), 0) != 0 }
  }

  @Test func a_refused_websocket_gets_the_reason() throws {
    let gateway = try ServeProcess(channels: ["a"], in: folder)
    defer { gateway.end() }
    func refusal(_ token: String?, _ path: String, _ headers: [String: String] = [:]) -> String {
      do {
        _ = try gateway.client(token).webSocket(path, headers: headers)
        return "none"
      } catch { return "\(error)" }
    }
    let wrong = "wrong-0123456789"
    let foreign = ["Origin": "http://evil.example"]
    #expect(refusal(nil, "/api/v1/events").contains(" 401 "))
    #expect(refusal(wrong, "/api/v1/events").contains(" 401 "))
    #expect(refusal(wrong, "/api/v1/channels/a/monitor").contains(" 401 "))
    #expect(refusal(ServeProcess.view, "/api/v1/channels/x/monitor").contains(" 404 "))
    let unknown = try gateway.client(ServeProcess.view).ask("GET", "/api/v1/channels/x/monitor")
    #expect(unknown.status == 404, "\(unknown)")
    let reported = String(decoding: unknown.body, as: UTF8.self)
    #expect(reported.contains("no such channel; there are: a"), "\(reported)")
    #expect(refusal(ServeProcess.view, "/api/v1/events", foreign).contains(" 403 "))
    #expect(try gateway.client().ask("GET", "/api/v1/events").status == 400)
    #expect(refusal(ServeProcess.view, "/api/v1/channels/a/monitor") == "none")
  }

  @Test func the_page_is_served_completely_with_a_strict_policy() throws {
    let gateway = try ServeProcess(channels: ["a"], in: folder)
    defer { gateway.end() }
    let client = gateway.client(nil)
    let page = try client.ask("GET", "/")
    #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
    let policy = try #require(page.headers["content-security-policy"])
    #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
    #expect(page.headers["access-control-allow-origin"] == nil)
    #expect(page.headers["x-content-type-options"] == "nosniff")
    for name in PageFiles.texts.keys where name != "index.html" && name != "openapi.json" {
      #expect(try client.ask("GET", "/" + name).status == 200, "\(name)")
    }
    for path in ["/../etc/passwd", "/%2e%2e/etc/passwd", "//etc/passwd", "/page.css/"] {
      #expect(try client.ask("GET", path).status == 404, "\(path)")
    }
    // The page's login exchanges a token for a cookie.
    let origin = ["Origin": "http://127.0.0.1:\(gateway.port)"]
    let wrong = try client.ask(
      "POST", "/api/v1/session", #"{"token":"wrong-0123456789"}"#, headers: origin)
    #expect(wrong.status == 401)
    let session = try client.ask(
      "POST", "/api/v1/session", "{\"token\":\"\(ServeProcess.view)\"}", headers: origin)
    let cookie = try #require(session.headers["set-cookie"])
    #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
    let pair = String(cookie.prefix { $0 != ";" })
    #expect(
      try client.ask("GET", "/api/v1/session", headers: ["Cookie": pair]).json["role"] as? String
        == "view")
    #expect(try client.ask("DELETE", "/api/v1/session", headers: ["Cookie": pair]).status == 403)
  }

  @Test func a_configuration_fault_is_reported_in_one_line() throws {
    func run(_ text: String, _ more: String...) throws -> Command.Result {
      let file = try folder.write(text, "serve.toml")
      return try Command.run(
        ServeProcess.programs.appending(path: "recordctl-serve").path,
        ["--config", file.path] + more,
        environment: ProcessInfo.processInfo.environment.merging(
          ["XDG_RUNTIME_DIR": folder.path]) { $1 })
    }
    let fault = try run("[[channel]]\nname = \"a\"\nfolders = \"x\"", "--check-config")
    #expect(
      fault.status == 2 && fault.errors.contains("serve.toml:3:1: channel.folders: no such key"))
    #expect(fault.errors.split(separator: "\n").count == 1, "\(fault.errors)")
    let good = try run("[[channel]]\nname = \"a\"", "--check-config")
    #expect(good.status == 0 && good.output.contains("channels: a"), "\(good.errors)")
    let certificate =
      "[tls]\ncertificate = \"/nonexistent\"\nkey = \"/x\"\n[[channel]]\nname = \"a\"\nsocket = \"/x\""
    for refused in [try run(certificate), try run(certificate, "--check-config")] {
      #expect(refused.status == 2 && refused.errors.contains("/nonexistent"), "\(refused.errors)")
    }
    let missing = try Command.run(
      ServeProcess.programs.appending(path: "recordctl").path,
      ["serve", "--config", "/nonexistent.toml", "--check-config"])
    #expect(
      missing.status == 2 && missing.errors.contains("/nonexistent.toml"), "\(missing.errors)")
  }

  @Test(
    .tags(.judges),
    .enabled(
      if: Judges.find("openssl") != nil && Judges.find("curl") != nil,
      "openssl or curl is not installed"))
  func a_gateway_with_a_certificate_speaks_only_tls() throws {
    guard ServerSecurity.isBuilt else {
      try Test.cancel("the gateway is built without TLS; make test-all builds it")
    }
    let made = try Judges.run(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "30", "-subj", "/CN=recorder", "-addext", "subjectAltName=IP:127.0.0.1",
        "-keyout", folder.path("key.pem"), "-out", folder.path("chain.pem"),
      ])
    try #require(made.status == 0, "\(made.errors)")
    let gateway = try ServeProcess(
      channels: [], in: folder,
      configuration: """
        [tls]
        certificate = "\(folder.path("chain.pem"))"
        key = "\(folder.path("key.pem"))"
        [[channel]]
        name = "a"
        socket = "\(folder.path("none.socket"))"
        """)
    defer { gateway.end() }
    func curl(_ scheme: String) throws -> Command.Result {
      try Judges.run(
        "curl",
        [
          "-s", "-i", "--cacert", folder.path("chain.pem"), "-H",
          "Authorization: Bearer \(ServeProcess.view)",
          "\(scheme)://127.0.0.1:\(gateway.port)/api/v1/channels",
        ])
    }
    let answer = try curl("https")
    #expect(answer.status == 0)
    // The header would apply to all ports of this host name, including those of decks, which have no TLS.
    #expect(!answer.output.lowercased().contains("strict-transport-security"))
    // A missing recorder is reported, and the gateway keeps looking for it.
    #expect(answer.output.contains("no recorder at"), "\(answer.output)")
    #expect(try curl("http").status != 0)
  }

  @Test(
    .tags(.judges),
    .enabled(
      if: Judges.find("openssl") != nil && Judges.find("curl") != nil,
      "openssl or curl is not installed"))
  func the_printed_fingerprint_is_that_of_the_self_made_certificate() throws {
    guard ServerSecurity.isBuilt else {
      try Test.cancel("the gateway is built without TLS; make test-all builds it")
    }
    let gateway = try ServeProcess(
      channels: [], in: folder,
      configuration: """
        [tls]
        self-made = true
        [[channel]]
        name = "a"
        socket = "\(folder.path("none.socket"))"
        """)
    defer { gateway.end() }
    let certificate = folder.path("state/recordctl/tls/certificate.pem")
    let answer = try Judges.run(
      "curl",
      [
        "-s", "-i", "--cacert", certificate, "-H", "Authorization: Bearer \(ServeProcess.view)",
        "https://127.0.0.1:\(gateway.port)/api/v1/channels",
      ])
    #expect(answer.status == 0 && answer.output.contains("no recorder at"), "\(answer)")
    let print = try Judges.run(
      "openssl", ["x509", "-in", certificate, "-noout", "-fingerprint", "-sha256"]
    ).output.split(separator: "=").last?.trimmingCharacters(in: .whitespacesAndNewlines)
    let said = try String(contentsOf: folder.url("output"), encoding: .utf8)
    #expect(said.contains(try #require(print)), "\(said)")
  }
}
