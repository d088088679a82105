import MediaCore
import TestSupport
import Testing

@testable import RecorderControl

@Suite(.timeLimit(.minutes(5))) struct RecorderLinkTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("r.socket") }

  init() throws { folder = try TemporaryFolder() }

  /// Reads updates until one is as wanted.
  private func wait(
    in updates: AsyncStream<RecorderUpdate>, until isWanted: (RecorderUpdate) -> Bool
  ) async -> RecorderUpdate? {
    for await update in updates where isWanted(update) { return update }
    return nil
  }

  private func isStatus(_ update: RecorderUpdate) -> Bool {
    if case .status = update { true } else { false }
  }

  @Test func a_recorder_that_comes_goes_and_comes_again_is_followed() async throws {
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
      // Others may be on their way before it.
      let event = await wait(in: third) {
        if case .event(let told) = $0 { told.message == "hello" } else { false }
      }
      #expect(event != nil)
      server.stop()
      _ = await wait(in: link.updates()) { if case .away = $0 { true } else { false } }
    }
    let last = link.updates()
    running.cancel()
    await running.value
    // Who reads is told of the end.
    for await _ in last {}
  }
}
