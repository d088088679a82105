import Dispatch
import Glibc
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import RecorderControl

@Suite(.timeLimit(.minutes(5))) struct RecorderLinkTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("r.socket") }

  init() throws { folder = try TemporaryFolder() }

  /// Reads updates until one matches.
  private func wait(
    in updates: AsyncStream<RecorderUpdate>, until isWanted: (RecorderUpdate) -> Bool
  ) async -> RecorderUpdate? {
    for await update in updates where isWanted(update) { return update }
    return nil
  }

  private func isStatus(_ update: RecorderUpdate) -> Bool {
    if case .status = update { true } else { false }
  }

  @Test func a_link_reconnects_when_its_recorder_returns() async throws {
    let link = RecorderLink(path: path, interval: .milliseconds(20))
    let running = Task { await link.run() }
    await #expect { try await link.send(.stop) } throws: {
      ($0 as? ControlError)?.code == .connectionClosed
    }
    _ = await wait(in: link.updates()) { if case .away = $0 { true } else { false } }
    for _ in 0..<2 {
      let recorder = StubRecorder()
      let server = try ControlServer(path: path, recorder: recorder)
      let (first, second) = (link.updates(), link.updates())
      #expect(await wait(in: first, until: isStatus) != nil)
      #expect(await wait(in: second, until: isStatus) != nil)
      try await eventually("commands go through") {
        (try? await link.send(.mark("x")))?.isDone == true
      }
      #expect(recorder.commands.contains(.mark("x")))
      let third = link.updates()
      recorder.tell("hello")
      // Other updates may arrive before it.
      let event = await wait(in: third) {
        if case .event(let reported) = $0 { reported.message == "hello" } else { false }
      }
      #expect(event != nil)
      server.stop()
      _ = await wait(in: link.updates()) { if case .away = $0 { true } else { false } }
    }
    let last = link.updates()
    running.cancel()
    await running.value
    // Readers see the end of the stream.
    for await _ in last {}
  }

  @Test func a_hanging_recorder_does_not_delay_cancellation() async throws {
    let listener = try UnixSocket.listen(path)
    defer { close(listener) }
    _ = fcntl(listener, F_SETFL, O_NONBLOCK)
    let link = RecorderLink(path: path)
    let running = Task { await link.run() }
    var connection: Int32 = -1
    defer { close(connection) }
    try await eventually("it is connected") {
      connection = accept(listener, nil, nil)
      return connection >= 0
    }
    var byte: UInt8 = 0
    try await eventually("a status request arrives and is not answered") {
      recv(connection, &byte, 1, Int32(MSG_DONTWAIT)) == 1
    }
    let begin = ContinuousClock.now
    running.cancel()
    await running.value
    #expect(ContinuousClock.now - begin < .seconds(25), "the reply timeout is 30 seconds")
  }

  @Test func an_outdated_status_is_not_reported() async throws {
    let recorder = StubRecorder()
    let server = try ControlServer(path: path, recorder: recorder)
    let link = RecorderLink(path: path)
    let running = Task { await link.run() }
    recorder.change { $0.number = 1 }
    try await eventually("commands go through") {
      (try? await link.send(.mark("a")))?.isDone == true
    }
    /// The states that readers get when a status with this number arrives with the reply to a command.
    func states(
      _ number: Int, _ state: RecorderStatus.StateName
    ) async throws -> [RecorderStatus.StateName] {
      let updates = link.updates()
      recorder.change { ($0.number, $0.state) = (number, state) }
      #expect(try await link.send(.mark("b")).isDone)
      recorder.tell("that was all")
      var reported: [RecorderStatus.StateName] = []
      for await update in updates {
        if case .status(let status) = update { reported.append(status.state) }
        if case .event(let event) = update, event.message == "that was all" { break }
      }
      return reported
    }
    #expect(try await states(5, .recording).last == .recording)
    #expect(try await states(4, .idle) == [.recording], "an earlier status is ignored")
    recorder.change { ($0.number, $0.state) = (3, .idle) }
    recorder.tellState()
    #expect(try await states(2, .idle) == [.recording], "late events are ignored")
    #expect(try await states(6, .idle).last == .idle)
    server.stop()
    running.cancel()
    await running.value
  }

  /// Canceling a task ends its stream under a lock of the runtime, which an update also needs.
  @Test func cancelling_readers_during_updates_does_not_deadlock() async throws {
    let link = RecorderLink(path: path)
    let (rounds, isOver) = (Rounds(), Rounds())
    // Separate threads, because the tests' threads would all wait for each other.
    DispatchQueue(label: "updates").async {
      while isOver.count.load(ordering: .relaxed) == 0 {
        for number in 0..<100 { link.tell(.away(message: "\(number)")) }
      }
    }
    DispatchQueue(label: "readers").async {
      for _ in 0..<2000 {
        let reader = Task { for await _ in link.updates() {} }
        usleep(50)
        reader.cancel()
        rounds.count.add(1, ordering: .relaxed)
      }
    }
    try await eventually("all readers are cancelled") {
      rounds.count.load(ordering: .relaxed) == 2000
    }
    isOver.count.store(1, ordering: .relaxed)
  }

  private final class Rounds: Sendable { let count = Atomic(0) }
}
