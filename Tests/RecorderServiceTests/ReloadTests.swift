import Foundation
import Glibc
import MovieTools
import TestSupport
import Testing

@testable import RecorderService

/// A new configuration for a running gateway whose recorders are recording.
@Suite(.timeLimit(.minutes(10))) struct ReloadTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func processID(_ gateway: ServeProcess, _ name: String) throws -> Int {
    try #require(try gateway.recorder(name)["processID"] as? Int)
  }

  private func waitForFrames(_ count: Int, _ gateway: ServeProcess, _ name: String) async throws {
    try await eventually("frames of \(name) are recorded") {
      let progress = try gateway.recorder(name)["progress"] as? [String: Any]
      return progress?["frames"] as? Int ?? 0 >= count
    }
  }

  private func table(_ name: String) -> String {
    """
    [[channel]]
    name = "\(name)"
    device = "pattern:bars"
    preset = "\(folder.path("small.toml"))"
    folder = "\(folder.path)"
    output = "\(name)-{take}.mov"

    """
  }

  @Test func a_new_title_is_reported_on_open_connections() async throws {
    let gateway = try ServeProcess(channels: ["a"], in: folder, keys: "rest = \"127.0.0.1:0\"")
    defer { gateway.end() }
    let words = "the REST shape of decks listens at 127.0.0.1:"
    try waitUntil("it listens") { gateway.log.contains(words) }
    let line = try #require(gateway.log.split(separator: words).last)
    let deck = NetworkClient(port: Int(line.prefix { $0.isNumber }) ?? 0)
    let base = "/control/api/v1"
    try await eventually("a take begins") {
      try await Task.sleep(for: .milliseconds(100))
      return try deck.ask("POST", base + "/transports/0/record").status == 204
    }
    try await waitForFrames(5, gateway, "a")
    #expect(try deck.ask("POST", base + "/transports/0/stop").status == 204)
    func clips() throws -> Int? {
      try (deck.ask("GET", base + "/clips").json["clips"] as? [Any])?.count
    }
    try await eventually("the take is complete") { try clips() == 1 }
    let events = try deck.webSocket(base + "/event/websocket")
    try events.send(
      #"{"type":"request","id":1,"data":{"action":"subscribe","properties":["/system/product"]}}"#)
    func wait(for wanted: String) throws {
      while true {
        guard case .text(let text) = try events.next() else {
          Issue.record("the connection was closed")
          return
        }
        if text.contains(wanted) { return }
      }
    }
    try wait(for: #""deviceName":"Camera a""#)
    try gateway.reload(untilItReports: "channel a: changed") {
      $0 = $0.replacing("Camera a", with: "Stage left")
    }
    try wait(for: #""deviceName":"Stage left""#)
    #expect(try clips() == 1)
    let status = try gateway.client().ask("GET", "/api/v1/channels/a").json
    #expect(status["title"] as? String == "Stage left")
  }

  @Test func adding_removing_and_changing_channels_preserves_running_takes() async throws {
    let gateway = try ServeProcess(channels: ["a", "b"], in: folder)
    defer { gateway.end() }
    let client = gateway.client()
    let (a, b) = (try processID(gateway, "a"), try processID(gateway, "b"))
    #expect(try client.ask("POST", "/api/v1/channels/a/start", "{}").status == 200)
    try await waitForFrames(5, gateway, "a")
    let guest = try gateway.client(ServeProcess.view).webSocket("/api/v1/events")
    let watcher = try client.webSocket("/api/v1/events")

    // A faulty configuration changes nothing.
    var good = ""
    try gateway.reload(untilItReports: "nothing has changed") { text in
      good = text
      text = text.replacing("title = \"Camera a\"", with: "titel = \"x\"")
    }
    #expect(
      gateway.log.firstMatch(of: /serve\.toml:\d+:1: channel\.titel: no such key/) != nil,
      "\(gateway.log)")

    try gateway.reload(untilItReports: "channel c: added") { text in
      let tables = good.components(separatedBy: "[[channel]]")
      text = tables[0].replacing("127.0.0.1:0", with: "127.0.0.1:1")
        .replacing(ServeProcess.view, with: "another-0123456789abcdef")
      text += "[[channel]]" + tables[1].replacing("a-{take}", with: "new-{take}")
      text += table("c")
    }
    let said = gateway.log
    #expect(
      said.contains("channel a: gets its settings when it has no take: a take is being recorded"),
      "\(said)")
    #expect(said.contains("channel b: removed"), "\(said)")
    #expect(said.contains("listen: remains 127.0.0.1:0 until the gateway is restarted"), "\(said)")
    #expect(said.contains("tokens removed or changed: guest"), "\(said)")
    #expect(try client.ask("GET", "/api/v1/channels/b").status == 404)
    try await eventually("the recorder of b has ended") { kill(Int32(b), 0) != 0 }
    #expect(try gateway.client(ServeProcess.view).ask("GET", "/api/v1/channels").status == 401)
    #expect(
      try gateway.client("another-0123456789abcdef").ask("GET", "/api/v1/channels").status == 200)
    var isClosed = false
    while !isClosed { if case .closed = try guest.next() { isClosed = true } }
    var news: Set<String> = []
    while news.count < 2 {
      guard case .text(let text) = try watcher.next() else { break }
      if text.contains("\"removed\""), text.contains("\"b\"") { news.insert("removed") }
      if text.contains("\"channel\":\"c\"") { news.insert("added") }
    }
    #expect(news.count == 2, "a watching client is told of added and removed channels")
    try await eventually("the new channel is idle") {
      try gateway.recorder("c")["state"] as? String == "idle"
    }

    // The take continues unchanged; the settings apply only after it.
    #expect(try processID(gateway, "a") == a)
    #expect(try gateway.recorder("a")["state"] as? String == "recording")
    let status = try client.ask("GET", "/api/v1/channels/a").json
    #expect((status["notes"] as? [String])?.count == 1)
    try await waitForFrames(20, gateway, "a")
    #expect(try client.ask("POST", "/api/v1/channels/a/stop", "{}").status == 200)
    try await eventually("the recorder of a has restarted") {
      let recorder = try gateway.recorder("a")
      return recorder["state"] as? String == "idle" && recorder["processID"] as? Int != a
    }
    #expect(try client.ask("GET", "/api/v1/channels/a").json["notes"] as? [String] == [])
    let next = try client.ask("POST", "/api/v1/channels/a/start", "{}").json
    #expect((next["take"] as? [String: Any])?["path"] as? String == "new-001.mov", "\(next)")
    let report = try MovieVerifier(path: folder.path("a-001.mov")).run()
    #expect(report.isValid, "\(report.findings)")
    let takes = try client.ask("GET", "/api/v1/channels/a/takes").json["takes"] as? [[String: Any]]
    #expect(
      takes?.first?["dropped"] as? Int == 0 && takes?.first?["path"] as? String == "a-001.mov")

    // A channel removed while it records ends with its take.
    let last = try processID(gateway, "a")
    try await waitForFrames(3, gateway, "a")
    try gateway.reload(untilItReports: "channel a: kept until it has no take") { text in
      text =
        text.components(separatedBy: "[[channel]]")[0]
        .replacing("127.0.0.1:1", with: "127.0.0.1:0") + table("c")
    }
    #expect(try client.ask("GET", "/api/v1/channels/a").status == 200)
    #expect(try client.ask("POST", "/api/v1/channels/a/stop", "{}").status == 200)
    try await eventually("the channel is gone") {
      try client.ask("GET", "/api/v1/channels/a").status == 404 && kill(Int32(last), 0) != 0
    }
    #expect(try MovieVerifier(path: folder.path("new-001.mov")).run().isValid)
    try gateway.reload(untilItReports: "the configuration is unchanged") { _ in }
  }

  @Test func an_edited_preset_applies_after_the_running_take() async throws {
    let gateway = try ServeProcess(channels: ["a"], in: folder)
    defer { gateway.end() }
    let client = gateway.client()
    let before = try processID(gateway, "a")
    #expect(try client.ask("POST", "/api/v1/channels/a/start", "{}").status == 200)
    try await waitForFrames(5, gateway, "a")
    let preset = try String(contentsOf: folder.url("small.toml"), encoding: .utf8)
    try folder.write(preset.replacing("proxy", with: "lt"), "small.toml")
    try gateway.reload(
      untilItReports: "channel a: gets its settings when it has no take: a take is being recorded"
    ) { _ in }
    let waiting = try client.ask("GET", "/api/v1/channels/a").json
    #expect((waiting["notes"] as? [String])?.first?.contains("configuration has changed") == true)
    #expect(try processID(gateway, "a") == before)
    #expect(try gateway.recorder("a")["state"] as? String == "recording")
    #expect(try client.ask("POST", "/api/v1/channels/a/stop", "{}").status == 200)
    try await eventually("the preset takes effect") {
      let source = try gateway.recorder("a")["source"] as? [String: Any]
      return source?["codec"] as? String == "lt"
    }
    #expect(try MovieVerifier(path: folder.path("a-001.mov")).run().isValid)
    // No recorder could start with an unreadable preset.
    try folder.write("[video]\nsise = 1\n", "small.toml")
    try gateway.reload(untilItReports: "nothing has changed") { _ in }
    try folder.write(preset, "small.toml")
    try gateway.reload(untilItReports: "channel a: its preset has changed: its recorder restarts") {
      _ in
    }
  }

  @Test func an_outdated_recorder_is_noted_and_restarted_on_reload()
    async throws
  {
    let gateway = try ServeProcess(channels: ["a"], in: folder)
    defer { gateway.end() }
    func notes() throws -> [String]? {
      try gateway.client().ask("GET", "/api/v1/channels/a").json["notes"] as? [String]
    }
    let before = try processID(gateway, "a")
    #expect(try notes() == [])
    let text = try String(contentsOf: folder.url("serve.toml"), encoding: .utf8)
    try folder.write(text.replacing("a-{take}", with: "new-{take}"), "serve.toml")
    try gateway.restart()
    try await eventually("it is noted") { try notes() == [RecorderChannel.difference] }
    #expect(try processID(gateway, "a") == before)
    #expect(gateway.log.contains(RecorderChannel.difference), "\(gateway.log)")
    try gateway.reload(
      untilItReports: "channel a: its recorder restarts with its settings"
    ) { _ in }
    try await eventually("it has restarted") {
      let recorder = try gateway.recorder("a")
      return recorder["state"] as? String == "idle" && recorder["processID"] as? Int != before
    }
    #expect(try notes() == [])
    try gateway.reload(untilItReports: "the configuration is unchanged") { _ in }
  }
}
