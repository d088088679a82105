import Foundation
import TestSupport
import Testing

/// Clients that send without reading, and a machine that answers late, do not affect others.
@Suite(.timeLimit(.minutes(10))) struct DeafClientTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func pipelined_requests_wait_until_earlier_answers_are_read() throws {
    let gateway = try ServeProcess(channels: ["a"], in: folder)
    defer { gateway.end() }
    let request = Data(
      "GET /api/v1/openapi.json HTTP/1.1\r\nHost: 127.0.0.1:\(gateway.port)\r\n\r\n".utf8)
    let count = 2000
    let connection = try Connection(port: gateway.port)
    let first = try answer(connection, request)
    let before = try gateway.memory()
    let sending = connection.sendAside(Data(Array(repeating: request, count: count).joined()))
    // Not a task, which may get its thread back too late: see `Sending`.
    Thread.sleep(forTimeInterval: 3)
    let grown = try gateway.memory() - before
    // All answers together are some 100 MB.
    #expect(
      first.count * count > 80 << 20 && grown < 24 << 20, "\(grown) of \(first.count * count)")
    for number in 0..<count {
      let next = try connection.read(count: first.count)
      try #require(next.starts(with: Data("HTTP/1.1 200".utf8)), "answer \(number)")
    }
    try sending.wait()
  }

  private func answer(_ connection: Connection, _ request: Data) throws -> Data {
    try connection.send(request)
    let head = try connection.read(until: Data("\r\n\r\n".utf8))
    let text = String(decoding: head, as: UTF8.self).lowercased()
    let length = try #require(text.firstMatch(of: /content-length: (\d+)/))
    return head + (try connection.read(count: Int(length.1) ?? 0))
  }

  @Test func a_client_that_pings_and_never_reads_is_disconnected() throws {
    let gateway = try ServeProcess(channels: ["a"], in: folder)
    defer { gateway.end() }
    let socket = try gateway.client(ServeProcess.view).webSocket("/api/v1/events")
    let before = try gateway.memory()
    // Up to 260 MB of answers.
    let sent = socket.ping(atMost: 2_000_000)
    #expect(sent < 2_000_000)
    #expect(try gateway.memory() - before < 24 << 20)
    #expect(try gateway.client().ask("GET", "/api/v1/channels").status == 200)
  }

  @Test func an_absurdly_small_picture_rate_is_refused() throws {
    let gateway = try ServeProcess(channels: ["a"], in: folder)
    defer { gateway.end() }
    let monitor = try gateway.client(ServeProcess.view).webSocket("/api/v1/channels/a/monitor")
    try monitor.send(#"{"pictureRate":1e-300,"region":{"x":0,"y":0,"width":200,"height":90}}"#)
    var refusal: String?
    while refusal == nil {
      switch try monitor.next() {
      case .text(let text): if text.contains("error") { refusal = text }
      case .bytes: continue
      case .closed: refusal = "closed without a word"
      }
    }
    #expect(refusal?.contains("pictureRate is 0, or 0.01 to 60") == true, "\(refusal ?? "")")
    #expect(try gateway.recorder("a")["state"] as? String == "idle")
  }

  /// A recorder answers a scheduled start after asking about the clock, which may be after the start time.
  @Test func a_common_start_survives_a_slow_clock_check() async throws {
    let tool = try folder.write("#!/bin/sh\nexec sleep 1.8\n", "tools/chronyc")
    _ = try Command.run("chmod", ["755", tool.path])
    let gateway = try ServeProcess(
      channels: ["a", "b"], in: folder, tools: tool.deletingLastPathComponent().path)
    defer { gateway.end() }
    let answer = try gateway.client().ask("POST", "/api/v1/start", "{}")
    let results = try #require(answer.json["results"] as? [[String: Any]])
    #expect(results.count == 2 && results.allSatisfy { $0["error"] == nil }, "\(results)")
    // By then a take ended by mistake would be gone.
    try await Task.sleep(for: .seconds(2))
    for name in ["a", "b"] {
      #expect(try gateway.recorder(name)["state"] as? String == "recording", "\(name)")
    }
    #expect(try gateway.client().ask("POST", "/api/v1/stop", "{}").status == 200)
  }

  /// The recorder is stopped for half a minute and then continues.
  @Test(.tags(.slow), .enabled(if: TestRun.isThorough, "takes 40 s; runs with TEST_ALL=1"))
  func figures_resume_after_a_recorder_stops_answering_for_a_while() async throws {
    let gateway = try ServeProcess(channels: ["a"], in: folder)
    defer { gateway.end() }
    let recorder = try #require(try gateway.recorder("a")["processID"] as? Int)
    kill(pid_t(recorder), SIGSTOP)
    try await Task.sleep(for: .seconds(35))
    kill(pid_t(recorder), SIGCONT)
    #expect(try gateway.client().ask("POST", "/api/v1/channels/a/start", "{}").status == 200)
    func frames() throws -> Int {
      (try gateway.recorder("a")["progress"] as? [String: Any])?["frames"] as? Int ?? 0
    }
    try await eventually("frames are counted") { try frames() > 10 }
    let seen = try frames()
    try await eventually("more are counted") { try frames() > seen + 10 }
    #expect(try gateway.client().ask("POST", "/api/v1/channels/a/stop", "{}").status == 200)
  }
}
