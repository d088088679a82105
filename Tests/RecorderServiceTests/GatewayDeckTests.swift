import MovieTools
import TestSupport
import Testing

/// The gateway's channels controlled like decks: over HTTP, with the HyperDeck protocol and by OSC.
@Suite(.timeLimit(.minutes(10))) struct GatewayDeckTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func deck_clients_over_http_control_and_watch_a_channel() async throws {
    let gateway = try ServeProcess(
      channels: ["a"], in: folder, configuration: "allow = [\"127.0.0.1\"]",
      keys: "rest = \"127.0.0.1:0\"")
    defer { gateway.end() }
    let words = "the REST shape of decks listens at 127.0.0.1:"
    try waitUntil("it listens") { gateway.log.contains(words) }
    let line = try #require(gateway.log.split(separator: words).last)
    let deck = NetworkClient(port: Int(line.prefix { $0.isNumber }) ?? 0)
    let base = "/control/api/v1"
    try await eventually("the deck knows its recorder") {
      try deck.ask("GET", base + "/transports/0").json["mode"] as? String == "InputPreview"
        && deck.ask("GET", base + "/media/active").json["workingsetIndex"] as? Int == 0
    }
    #expect(
      try deck.ask("GET", base + "/system/product").json["deviceName"] as? String == "Camera a")
    let events = try deck.webSocket(base + "/event/websocket")
    func next() throws -> String {
      guard case .text(let text) = try events.next() else { return "closed" }
      return text
    }
    #expect(try next().contains("websocketOpened"))
    try events.send(
      #"{"type":"request","id":7,"data":{"action":"subscribe","properties":["/transports/0/record"]}}"#
    )
    let reply = try next()
    #expect(reply.contains(#""success":true"#) && reply.contains(#""recording":false"#))
    // The state is up to date when the answer arrives, and the take has the requested name.
    let begun = try deck.ask("POST", base + "/transports/0/record", #"{"clipName":"rest"}"#)
    #expect(begun.status == 204 && begun.body.isEmpty)
    let record = try deck.ask("GET", base + "/transports/0/record").json
    #expect(record["recording"] as? Bool == true && record["clipName"] as? String == "rest-001.mov")
    let change = try next()
    #expect(change.contains("propertyValueChanged") && change.contains(#""recording":true"#))
    #expect(try deck.ask("POST", base + "/transports/0/record").status == 409)
    try await eventually("frames are recorded") {
      let progress = try gateway.recorder("a")["progress"] as? [String: Any]
      return (progress?["frames"] as? Int ?? 0) > 5
    }
    // Requests from other sites' pages, for other host names, and for deck features that are not implemented.
    let foreign = ["Origin": "http://elsewhere.example"]
    let stop = base + "/transports/0/stop"
    #expect(try deck.ask("POST", stop, headers: foreign).status == 403)
    #expect(try deck.ask("POST", stop, headers: ["Host": "elsewhere.example"]).status == 403)
    #expect(try deck.ask("POST", base + "/transports/0/play").status == 501)
    #expect(try deck.ask("GET", base + "/nothing").status == 404)
    #expect(throws: NetworkClient.Failure.self) {
      try deck.webSocket(base + "/event/websocket", headers: foreign)
    }
    #expect(try deck.ask("POST", stop).status == 204)
    try await eventually("the take is complete") {
      try deck.ask("GET", base + "/clips").json["clips"].map { ($0 as? [Any])?.count } == 1
    }
    #expect(gateway.log.contains("client=rest 127.0.0.1"))
    #expect(try MovieVerifier(path: folder.path("rest-001.mov")).run().isValid)
  }

  @Test func other_networks_need_a_token_for_a_deck_over_http() async throws {
    let gateway = try ServeProcess(
      channels: ["a"], in: folder, configuration: "allow = [\"10.255.255.1\"]",
      keys: "rest = \"127.0.0.1:0\"")
    defer { gateway.end() }
    let words = "the REST shape of decks listens at 127.0.0.1:"
    try waitUntil("it listens") { gateway.log.contains(words) }
    let line = try #require(gateway.log.split(separator: words).last)
    var deck = NetworkClient(port: Int(line.prefix { $0.isNumber }) ?? 0)
    let (record, events) = (
      "/control/api/v1/transports/0/record", "/control/api/v1/event/websocket"
    )
    #expect(try deck.ask("GET", record).status == 401)
    #expect(throws: NetworkClient.Failure.self) { try deck.webSocket(events) }
    deck.token = ServeProcess.view
    #expect(try deck.ask("GET", record).status == 200)
    #expect(try deck.ask("POST", record).status == 403)
    let guest = try deck.webSocket(events)
    deck.token = ServeProcess.operate
    // Wait between commands: at most 20 per second are accepted.
    try await eventually("a take begins") {
      try await Task.sleep(for: .milliseconds(100))
      return try deck.ask("POST", record).status == 204
    }
    let stopped = try deck.ask("POST", "/control/api/v1/transports/0/stop")
    #expect(stopped.status == 204, "\(stopped)")
    // A connection opened with a token ends when the token is removed.
    try gateway.reload(untilItReports: "tokens removed or changed: guest") {
      $0 = $0.replacing(ServeProcess.view, with: "another-0123456789abcdef")
    }
    var isClosed = false
    while !isClosed { if case .closed = try guest.next() { isClosed = true } }
  }

  @Test func hyperdeck_and_osc_clients_control_a_channel() async throws {
    let gateway = try ServeProcess(
      channels: ["a"], in: folder, keys: "hyperdeck = \"127.0.0.1:0\"\nosc = \"127.0.0.1:0\"")
    defer { gateway.end() }
    func port(_ name: String) throws -> String {
      try waitUntil("\(name) listens") { gateway.log.contains("\(name) listens at") }
      let line = try #require(gateway.log.split(separator: "\(name) listens at 127.0.0.1:").last)
      return String(line.prefix { $0.isNumber })
    }
    // The deck must know its recorder first.
    try await eventually("the deck records") {
      let talk = try Command.run(
        "bash",
        [
          "-c",
          #"exec 3<>"/dev/tcp/127.0.0.1/$0"; printf 'record: name: deck\r\nquit\r\n' >&3; cat <&3"#,
          try port("the HyperDeck protocol"),
        ], limit: 20)
      #expect(talk.output.hasPrefix("500 connection info:\r\n"))
      // The second reply is to `quit`.
      return talk.output.hasSuffix("200 ok\r\n200 ok\r\n")
    }
    try await eventually("frames are recorded") {
      let progress = try gateway.recorder("a")["progress"] as? [String: Any]
      return (progress?["frames"] as? Int ?? 0) > 5
    }
    _ = try Command.run(
      "bash",
      [
        "-c", #"printf '/recorder/stop\0\0,\0\0\0' >"/dev/udp/127.0.0.1/$0""#, try port("OSC"),
      ])
    try await eventually("the take is complete") {
      try gateway.recorder("a")["takesFinished"] as? Int == 1
    }
    #expect(gateway.log.contains("client=hyperdeck 127.0.0.1"))
    #expect(gateway.log.contains("record on a: done"))
    let report = try MovieVerifier(path: folder.path("deck-001.mov")).run()
    #expect(report.isValid, "\(report.findings)\n\(gateway.log)")
  }
}
