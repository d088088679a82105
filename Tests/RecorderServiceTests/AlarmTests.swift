import Foundation
import Synchronization
import TestSupport
import Testing

@testable import RecorderControl
@testable import RecorderService

/// Alarms from a recorder to pages that connect and disconnect.
@Suite(.timeLimit(.minutes(5))) struct AlarmTests {
  @Test func a_page_opened_later_gets_the_active_alarms() throws {
    let folder = try TemporaryFolder()
    let recorder = StubRecorder()
    let server = try ControlServer(path: folder.path("a.socket"), recorder: recorder)
    defer { server.stop() }
    let gateway = try ServeProcess(
      channels: [], in: folder,
      configuration: """
        [[channel]]
        name = "a"
        socket = "\(folder.path("a.socket"))"
        """)
    defer { gateway.end() }
    let client = gateway.client(ServeProcess.view)
    // Alarms are detected only while someone is monitoring.
    let monitor = try client.webSocket("/api/v1/channels/a/monitor")
    try monitor.send(#"{"levels":true}"#)
    recorder.tell(.silence, isPresent: true)

    func alarms(_ message: String) -> String? {
      message.firstMatch(of: /"alarms":\[(.*?)\]/).map { String($0.output.1) }
    }
    func first() throws -> String? {
      guard case .text(let text) = try client.webSocket("/api/v1/events").next() else { return nil }
      return alarms(text)
    }
    let events = try client.webSocket("/api/v1/events")
    func wait(for wanted: String) throws {
      while true {
        guard case .text(let text) = try events.next() else {
          Issue.record("the stream was closed")
          return
        }
        if alarms(text) == wanted { return }
      }
    }
    try wait(for: "\"silence\"")
    #expect(try first() == "\"silence\"", "a newly opened page")
    recorder.tell(.freeze, isPresent: true)
    try wait(for: "\"silence\",\"freeze\"")
    #expect(try first() == "\"silence\",\"freeze\"", "a page opened again")
    recorder.tell(.silence, isPresent: false)
    try wait(for: "\"freeze\"")
    #expect(try first() == "\"freeze\"", "alarms that are over are not reported")
  }

  /// Otherwise an element sent between reading the current state and the start of listening would be lost.
  @Test func elements_sent_while_a_listener_starts_follow_its_first_element() async {
    let broadcast = Broadcast<Int>(depth: 8)
    let sent = Mutex(false)
    let stream = broadcast.listen {
      Thread.detachNewThread {
        broadcast.send(2)
        sent.withLock { $0 = true }
      }
      // Long enough for a sender that does not wait.
      Thread.sleep(forTimeInterval: 0.1)
      return [1]
    }
    while !sent.withLock({ $0 }) { await Task.yield() }
    broadcast.send(3)
    var heard: [Int] = []
    for await element in stream {
      heard.append(element)
      if element == 3 { break }
    }
    #expect(heard == [1, 2, 3])
  }
}
