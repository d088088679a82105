import Foundation
import RecorderControl
import TestSupport
import Testing

@testable import RecorderService

/// Answers match `docs/openapi.json`: every key is documented, and every documented key occurs.
@Suite(.timeLimit(.minutes(10))) struct DescribedAnswerTests {
  private let schema: InterfaceSchema

  init() throws { schema = try InterfaceSchema() }

  private func names(_ value: Any) -> Set<String> {
    Set(Mirror(reflecting: value).children.compactMap(\.label))
  }

  private func keys(_ name: String, _ path: String...) throws -> Set<String> {
    var found = try #require(schema.component(name)).schema
    for key in path { found = try #require(found[key], "\(name) \(path)") }
    return try #require(found["properties"]).keys
  }

  @Test func each_schema_has_exactly_the_keys_of_its_type() throws {
    let take = try RecorderEvent.FinishedTake.example()
    let (verification, proxy) = (
      TakeRecord.Verification(state: .done), TakeRecord.Proxy(state: .done)
    )
    #expect(
      try keys("Take") == names(take).union(["id", "slotCount", "verification", "proxy"]))
    #expect(try keys("Take", "properties", "verification") == names(verification))
    #expect(try keys("Take", "properties", "proxy") == names(proxy))
    let running = RunningTakes.Document(
      id: "", number: 1, path: "", movie: "", frameCount: 0, duration: 0)
    #expect(try keys("RunningTake") == names(running))
    let status = ChannelStatus(
      name: "a", title: "A", connection: .connecting, alarms: [], notes: [])
    #expect(try keys("Channel") == names(status))
    #expect(
      try keys("Channel", "properties", "flawedTake") == names(FlawedTake(lost: "/m/a.mov", "")))
    #expect(try keys("ChannelEvent") == names(EventMessage(channel: "a", event: "take")))
    #expect(try keys("Outcomes") == names(Order.Outcomes(results: [])))
    let results = ["properties", "results", "items"]
    #expect(
      try keys("Outcomes", results[0], results[1], results[2])
        == names(Order.Outcomes.Outcome(channel: "a")))
    #expect(
      try keys("Outcomes", results[0], results[1], results[2], "properties", "start")
        == names(CommonStart.Start()))
    let frame = ServedFrameHeader(
      number: 1, width: 64, height: 36, sourceWidth: 64, sourceHeight: 36, pixelAspectRatio: "1:1",
      color: "1-1-1", captureTime: 1, byteCount: 9)
    #expect(try keys("PictureHeader") == names(frame))
    #expect(
      try keys("PictureHeader", "properties", "maps", "items")
        == names(ServedFrameHeader.Map(name: "", width: 1, height: 1, byteCount: 1)))
  }

  @Test func every_object_in_a_schema_declares_its_properties() throws {
    var objects = 0
    func look(_ value: AnswerValue, _ place: String) {
      if let values = value.array { for one in values { look(one, place) } }
      if value["type"]?.string == "object" {
        objects += 1
        #expect(value["properties"] != nil || value["x-schema"] != nil, "\(place)")
      }
      for key in value.keys { value[key].map { look($0, "\(place).\(key)") } }
    }
    for name in [
      "Error", "Session", "Channel", "Reply", "Outcomes", "ChannelEvent", "PictureHeader", "Take",
      "RunningTake",
    ] { look(try #require(schema.component(name), "\(name)").schema, name) }
    #expect(objects > 15)
  }

  @Test func answers_of_a_gateway_match_their_schemas() async throws {
    let folder = try TemporaryFolder()
    let gateway = try ServeProcess(channels: ["a", "b"], in: folder)
    defer { gateway.end() }
    let events = try gateway.client().webSocket("/api/v1/events")
    /// Sends a request and checks the answer against its schema.
    func ask(
      _ method: String, _ template: String, _ body: String? = nil, take: String = "",
      token: String? = ServeProcess.operate, status wanted: Int
    ) throws -> NetworkClient.Answer {
      let path = template.replacing("{channel}", with: "a").replacing("{take}", with: take)
      let answer = try gateway.client(token).ask(method, "/api/v1" + path, body)
      #expect(answer.status == wanted, "\(method) \(path): \(answer)")
      let place = schema.answer(to: method, "/api/v1" + template, status: answer.status)
      let faults = schema.faults(of: try AnswerValue(answer.body), by: place)
      #expect(faults.isEmpty, "\(method) \(path): \(faults)")
      return answer
    }
    let channel = "/channels/{channel}"
    for path in ["/session", "/channels", channel, "/presets", channel + "/takes"] {
      _ = try ask("GET", path, status: 200)
    }
    _ = try ask("GET", "/channels", token: nil, status: 401)
    _ = try ask("GET", channel + "/takes/running", status: 404)
    _ = try ask("POST", "/session", #"{"token":"\#(ServeProcess.view)"}"#, token: nil, status: 200)
    _ = try ask("POST", channel + "/start", "{}", token: ServeProcess.view, status: 403)
    _ = try ask("POST", channel + "/start", #"{"scenes":"1"}"#, status: 400)
    _ = try ask("POST", channel + "/split", "{}", status: 409)
    _ = try ask("POST", channel + "/standby", #"{"isOn":true}"#, status: 200)
    try await eventually("it is standing by") {
      try gateway.recorder("a")["state"] as? String == "standingBy"
    }
    _ = try ask("GET", channel, status: 200)
    _ = try ask("POST", channel + "/start", #"{"scene":"12","take":3}"#, status: 200)
    try await eventually("frames can be viewed") {
      try gateway.client().ask("GET", "/api/v1/channels/a/takes/running").status == 200
    }
    _ = try ask("GET", channel + "/takes/running", status: 200)
    _ = try ask("POST", channel + "/marker", #"{"note":"good"}"#, status: 200)
    _ = try ask("POST", channel + "/start", "{}", status: 409)
    _ = try ask("POST", channel + "/preset", #"{"preset":"none-such"}"#, status: 409)
    _ = try ask("GET", channel, status: 200)
    _ = try ask("POST", channel + "/stop", #"{"ofTake":1}"#, status: 200)
    var take = ""
    try await eventually("the take is listed") {
      let takes = try gateway.client().ask("GET", "/api/v1/channels/a/takes").json["takes"]
      take = (takes as? [[String: Any]])?.first?["id"] as? String ?? ""
      return !take.isEmpty
    }
    _ = try ask("GET", channel + "/takes", status: 200)
    _ = try ask("GET", channel + "/takes/{take}", take: take, status: 200)
    _ = try ask("POST", channel + "/takes/{take}/verify", "{}", take: take, status: 202)
    _ = try ask("GET", channel + "/takes/{take}", take: "0123456789abcdef", status: 404)

    let begun = try ask("POST", "/start", "{}", status: 200)
    #expect(begun.json["at"] != nil, "\(begun.json)")
    _ = try ask("POST", "/marker", #"{"note":"both"}"#, status: 200)
    _ = try ask("POST", "/stop", "{}", status: 200)
    try hearEnd(of: "b", events)
  }

  /// Checks all events against their schema until a channel has completed a take.
  private func hearEnd(of channel: String, _ events: WebSocketClient) throws {
    var heard: Set<String> = []
    while case .text(let text) = try events.next() {
      let message = try AnswerValue(Data(text.utf8))
      let faults = schema.faults(of: message, by: schema.component("ChannelEvent"))
      #expect(faults.isEmpty, "\(text): \(faults)")
      heard.insert(message["event"]?.string ?? "")
      if message["event"]?.string == "take", message["channel"]?.string == channel { break }
    }
    #expect(heard.isSuperset(of: ["channel", "takeStarted", "marker", "takeFinished", "take"]))
  }
}
