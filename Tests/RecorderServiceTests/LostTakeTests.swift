import Foundation
import Glibc
import TakeReports
import TestSupport
import Testing

@testable import RecorderControl
@testable import RecorderService

/// Takes whose recorder is killed, and takes that only seem lost.
@Suite(.timeLimit(.minutes(5))) struct LostTakeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func notes(_ gateway: ServeProcess) throws -> [String]? {
    try gateway.client().ask("GET", "/api/v1/channels/a").json["notes"] as? [String]
  }

  private func lost(_ gateway: ServeProcess) throws -> Bool {
    let answer = try gateway.client(ServeProcess.view).ask("GET", "/metrics")
    return String(decoding: answer.body, as: UTF8.self)
      .contains("recorder_lost_takes_total{channel=\"a\"} 1\n")
  }

  private func waitForFrames(_ gateway: ServeProcess) async throws {
    try await eventually("frames are recorded") {
      let progress = try gateway.recorder("a")["progress"] as? [String: Any]
      return progress?["frames"] as? Int ?? 0 >= 20
    }
  }

  @Test(arguments: [false, true])
  func a_recorder_killed_during_a_take_is_noted_until_the_next_take(
    ofAnEarlierGateway: Bool
  ) async throws {
    let gateway = try ServeProcess(channels: ["a"], in: folder)
    defer { gateway.end() }
    let client = gateway.client()
    #expect(try client.ask("POST", "/api/v1/channels/a/start", "{}").status == 200)
    try await waitForFrames(gateway)
    if ofAnEarlierGateway {
      try gateway.restart()
      try await waitForFrames(gateway)
      #expect(try notes(gateway) == [] && !lost(gateway), "the take continues")
    }
    let recorder = try #require(try gateway.recorder("a")["processID"] as? Int)
    kill(pid_t(recorder), SIGKILL)
    let words = "the recorder ended during a-001.mov; recover its movie"
    try await eventually("it is noted") { try notes(gateway) == [words] }
    #expect(try lost(gateway))
    #expect(
      gateway.log.contains("channel a: the recorder ended during \(folder.path("a-001.mov"))"))
    try await eventually("another recorder is running") {
      let state = try gateway.recorder("a")
      return state["state"] as? String == "idle" && state["processID"] as? Int != recorder
    }
    try gateway.reload(untilItReports: "channel a: changed") {
      $0 = $0.replacing("Camera a", with: "Camera A")
    }
    #expect(try notes(gateway) == [words])
    #expect(try client.ask("POST", "/api/v1/channels/a/start", "{}").status == 200)
    try await eventually("the next take clears the note") { try notes(gateway) == [] }
    #expect(try lost(gateway), "it is still counted")
  }

  // MARK: Without processes

  private var path: String { folder.path("a.socket") }

  private func channel() -> RecorderChannel {
    RecorderChannel(name: "a", title: "A", socketPath: path, origin: .attached)
  }

  private func recorder(_ session: String, process: Int32) -> StubRecorder {
    let recorder = StubRecorder(.recording)
    recorder.change { status in
      (status.sessionID, status.processID) = (session, process)
      status.take = .init(number: 1, path: "/m/\(session).mov")
    }
    return recorder
  }

  private func text(_ name: String) -> String {
    "the recorder ended during \(name); recover its movie"
  }

  @Test func a_lost_connection_loses_a_take_only_if_another_recorder_answers() async throws {
    let channel = channel()
    let first = recorder("one", process: getpid())
    var server = try ControlServer(path: path, recorder: first)
    let running = Task { await channel.run() }
    try await eventually("it is reached") { channel.status.recorder?.state == .recording }
    server.stop()
    try await eventually("the connection is lost") { channel.status.connection == .away }
    server = try ControlServer(path: path, recorder: first)
    try await eventually("it is reached again") { channel.status.recorder?.state == .recording }
    #expect(channel.lostTakeCount == 0 && channel.status.notes == [])
    server.stop()
    try await eventually("it is lost again") { channel.status.connection == .away }
    // A recorder that hung may be killed only after its connection was lost.
    server = try ControlServer(path: path, recorder: recorder("two", process: getpid()))
    try await eventually("it is reported") { channel.status.notes == [text("one.mov")] }
    #expect(channel.lostTakeCount == 1)
    let flawed = channel.status.flawedTake
    #expect(flawed?.path == "/m/one.mov" && flawed?.outcome == .failed)
    server.stop()
    running.cancel()
    await running.value
  }

  @Test func an_ended_process_has_lost_its_incomplete_takes() async throws {
    let ended = Process()
    ended.executableURL = URL(filePath: "/bin/true")
    try ended.run()
    ended.waitForExit()
    let channel = channel()
    let stub = recorder("one", process: ended.processIdentifier)
    stub.change { $0.takesFinishing = 1 }
    var server = try ControlServer(path: path, recorder: stub)
    let running = Task { await channel.run() }
    try await eventually("it is reached") { channel.status.recorder?.state == .recording }
    server.stop()
    let words = text("one.mov and the completion of 1 more")
    try await eventually("it is reported") { channel.status.notes == [words] }
    #expect(channel.lostTakeCount == 2)
    channel.note("a change waits")
    #expect(channel.status.notes == [words, "a change waits"])
    channel.note(nil)
    #expect(channel.status.notes == [words])

    let next = recorder("two", process: ended.processIdentifier)
    server = try ControlServer(path: path, recorder: next)
    try await eventually("the next is reached") { channel.status.recorder?.sessionID == "two" }
    next.tell(.takeStarted) { $0.take = .init(number: 1, path: "/m/two.mov") }
    try await eventually("its take has begun") { channel.status.notes == [] }
    let finished = try RecorderEvent.FinishedTake.example(1, movies: ["/m/two.mov"])
    next.tell(.takeFinished) { $0.finished = finished }
    try await eventually("it is complete") { channel.shelf.all.count == 1 }
    server.stop()
    try await eventually("it is away") { channel.status.connection == .away }
    try await Task.sleep(for: .milliseconds(300))
    #expect(channel.lostTakeCount == 2 && channel.status.notes == [])
    running.cancel()
    await running.value
  }
}
