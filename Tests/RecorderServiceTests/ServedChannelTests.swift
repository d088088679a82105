import Foundation
import Logging
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import RecorderControl
@testable import RecorderService

/// Changes to a channel that wait until its recorder has no take.
@Suite(.timeLimit(.minutes(5))) struct ServedChannelTests {
  /// A recorder that has a take when first asked to retire, and none afterwards.
  private final class BusyOnce: SteeredRecorder {
    private let state = Mutex<(asked: Int, before: (@Sendable () -> Void)?)>((0, nil))
    var status: RecorderStatus { StubRecorder().status }

    /// Calls `call` just before the recorder agrees to retire.
    func beforeRetirement(_ call: @escaping @Sendable () -> Void) {
      state.withLock { $0.before = call }
    }

    func perform(_ command: RecorderCommand, reply: @escaping @Sendable (RecorderReply) -> Void) {
      guard command == .retire else { return reply(RecorderReply(status: status)) }
      let (isFirst, call) = state.withLock { state in
        state.asked += 1
        return (state.asked == 1, state.before)
      }
      guard !isFirst else {
        return reply(RecorderReply(ServiceError(.tooMany, "a take is being recorded")))
      }
      call?()
      reply(RecorderReply(status: status))
    }

    func observe(_ observer: (@Sendable (RecorderEvent) -> Void)?) {}
  }

  /// Ends a stream when its last owner releases it.
  private final class Ending: Sendable {
    let continuation: AsyncStream<Void>.Continuation
    init(_ continuation: AsyncStream<Void>.Continuation) { self.continuation = continuation }
    deinit { continuation.finish() }
  }

  @Test(arguments: [true, false])
  func a_change_canceled_while_asking_the_recorder_is_not_made(isTakenBack: Bool)
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path("a.socket")
    let recorder = BusyOnce()
    let server = try ControlServer(path: path, recorder: recorder)
    let channel = RecorderChannel(name: "a", title: "A", socketPath: path, origin: .attached)
    let served = ServedChannel(
      channel, ServiceConfiguration.Channel(name: "a"), allowed: [],
      policy: { AccessPolicy(tokens: [], hostNames: []) }, streams: StreamRegistry(),
      logger: Logger(label: "test"))
    if isTakenBack { recorder.beforeRetirement { served.cancelChange() } }
    let (made, continuation) = AsyncStream.makeStream(of: Void.self)
    var ending: Ending? = Ending(continuation)
    let reason = await served.retire(note: "waits") { [ending] in
      _ = ending?.continuation.yield()
    }
    ending = nil
    #expect(reason == "a take is being recorded")
    var count = 0
    for await _ in made { count += 1 }
    #expect(count == (isTakenBack ? 0 : 1))
    #expect(channel.status.notes.isEmpty)
    server.stop()
  }
}
