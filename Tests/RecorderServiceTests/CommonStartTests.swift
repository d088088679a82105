import MediaCore
import Synchronization
import TakeReports
import Takes
import TestSupport
import Testing

@testable import RecorderControl
@testable import RecorderService

/// Takes that start at the same moment.
@Suite(.timeLimit(.minutes(5))) struct CommonStartTests {
  /// A recorder that starts immediately, or withholds its answer to a start until released.
  private final class Recorder: SteeredRecorder {
    private let isDeaf: Bool
    private let state: Mutex<RecorderStatus>
    private let unanswered = Mutex<[@Sendable (RecorderReply) -> Void]>([])
    /// A note in its answer to a start.
    private let remark: String?

    init(isDeaf: Bool, remark: String? = nil) {
      (self.isDeaf, self.remark) = (isDeaf, remark)
      state = Mutex(StubRecorder(.standingBy).status)
    }

    var status: RecorderStatus { state.withLock { $0 } }
    var hasUnanswered: Bool { unanswered.withLock { !$0.isEmpty } }

    func perform(_ command: RecorderCommand, reply: @escaping @Sendable (RecorderReply) -> Void) {
      if case .start = command {
        if isDeaf { return unanswered.withLock { $0.append(reply) } }
        state.withLock { status in
          status.state = .recording
          status.take = .init(number: 1, path: "/media/a-001.mov")
          var progress = RecordingProgress()
          progress.startTime = 1
          status.progress = progress
        }
        return reply(RecorderReply(status: status, notes: remark.map { [$0] }))
      }
      reply(RecorderReply(status: status))
    }

    func observe(_ observer: (@Sendable (RecorderEvent) -> Void)?) {}

    func letGo() {
      for reply in unanswered.withLock({ $0 }) {
        reply(RecorderReply(ControlError(.invalidState, "the device is away")))
      }
    }
  }

  @Test func an_unresponsive_recorder_does_not_hide_takes_of_the_others() async throws {
    let folder = try TemporaryFolder()
    let recorders = [Recorder(isDeaf: true), Recorder(isDeaf: false)]
    let paths = ["a", "b"].map { folder.path("\($0).socket") }
    let servers = try zip(paths, recorders).map { try ControlServer(path: $0, recorder: $1) }
    defer { for server in servers { server.stop() } }
    let channels = zip(["a", "b"], paths).map {
      RecorderChannel(name: $0, title: $0, socketPath: $1, origin: .attached)
    }
    let running = channels.map { channel in Task { await channel.run() } }
    try await eventually("both are reached") {
      channels.allSatisfy { $0.status.recorder?.state == .standingBy }
    }
    let updates = channels[1].updates
    async let start = CommonStart(channels: channels, slate: .init()).run()
    // The other recorder's take is reported before the first one answers.
    for await update in updates {
      if case .event(let event) = update, event.message?.hasPrefix("began ") == true { break }
    }
    try await eventually("the first one was asked") { recorders[0].hasUnanswered }
    recorders[0].letGo()
    let outcomes = await start.outcomes
    #expect(try outcomes[0].result.get().error?.message == "the device is away")
    #expect(try outcomes[1].result.get().take?.number == 1 && outcomes[1].start != nil)
    for task in running { task.cancel() }
    for task in running { await task.value }
  }

  @Test func remarks_about_a_recorders_clock_are_reported_after_a_common_start() async throws {
    let folder = try TemporaryFolder()
    let recorders = ["the clock follows no other", nil].map { Recorder(isDeaf: false, remark: $0) }
    let paths = ["a", "b"].map { folder.path("\($0).socket") }
    let servers = try zip(paths, recorders).map { try ControlServer(path: $0, recorder: $1) }
    defer { for server in servers { server.stop() } }
    let channels = zip(["a", "b"], paths).map {
      RecorderChannel(name: $0, title: $0, socketPath: $1, origin: .attached)
    }
    let running = channels.map { channel in Task { await channel.run() } }
    try await eventually("both are reached") {
      channels.allSatisfy { $0.status.recorder?.state == .standingBy }
    }
    let outcomes = await CommonStart(channels: channels, slate: .init()).run().outcomes
    let notes = try outcomes.map { try $0.result.get().notes ?? [] }
    #expect(notes[0].contains("the clock follows no other"), "\(notes)")
    #expect(!notes[1].contains("the clock follows no other"), "\(notes)")
    for task in running { task.cancel() }
    for task in running { await task.value }
  }
}
