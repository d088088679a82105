import Foundation
import TakeReports
import TestSupport
import Testing

@testable import RecorderControl
@testable import RecorderService

/// A channel's report on its last take, and which take a stop applies to.
@Suite(.timeLimit(.minutes(5))) struct FlawedTakeTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("a.socket") }

  init() throws { folder = try TemporaryFolder() }

  private func channel() -> RecorderChannel {
    RecorderChannel(
      name: "a", title: "A", socketPath: path, origin: .attached, takesPath: folder.path("takes"))
  }

  /// Runs a channel while `work` is done.
  private func serving(
    _ channel: RecorderChannel, _ work: () async throws -> Void
  ) async throws {
    let running = Task { await channel.run() }
    try await eventually("it is reached") { channel.status.recorder != nil }
    try await work()
    running.cancel()
    await running.value
  }

  @Test func a_status_older_than_the_last_one_is_ignored() async throws {
    let recorder = StubRecorder()
    let server = try ControlServer(path: path, recorder: recorder)
    defer { server.stop() }
    let channel = channel()
    try await serving(channel) {
      recorder.change { ($0.number, $0.state) = (5, .recording) }
      try await eventually("it is reported") { channel.status.recorder?.state == .recording }
      recorder.change { ($0.number, $0.state) = (4, .idle) }
      #expect(try await channel.mark("").isDone)
      #expect(channel.status.recorder?.state == .recording)
      recorder.change { ($0.number, $0.state) = (6, .idle) }
      try await eventually("the later one takes effect") { channel.status.recorder?.state == .idle }
    }
  }

  @Test func losing_one_of_two_disks_is_reported_during_the_take() async throws {
    let recorder = StubRecorder(.recording)
    let server = try ControlServer(path: path, recorder: recorder)
    defer { server.stop() }
    let channel = channel()
    try await serving(channel) {
      var progress = RecordingProgress()
      progress.lostPlace = .init(path: "/n/a.mov", isSecond: true, message: "/n/a.mov: gone")
      recorder.change { $0.progress = progress }
      try await eventually("it is reported") {
        channel.status.recorder?.progress?.lostPlace?.path == "/n/a.mov"
      }
      let reported = channel.status.withoutFolders.recorder?.progress?.lostPlace
      #expect(
        reported?.path == "a.mov" && reported?.isSecond == true
          && reported?.message == "a.mov: gone")
    }
  }

  @Test func a_take_with_lost_frames_is_reported_until_the_next_one_begins()
    async throws
  {
    let recorder = StubRecorder()
    let server = try ControlServer(path: path, recorder: recorder)
    defer { server.stop() }
    var take = try RecorderEvent.FinishedTake.example(movies: ["/m/a.mov"])
    (take.outcome, take.dropped, take.message) = (.imperfect, 3, "the copy /n/a.mov was lost")
    let first = channel()
    try await serving(first) {
      #expect(first.status.flawedTake == nil)
      recorder.tell(.takeFinished) { $0.finished = take }
      try await eventually("it is reported") { first.status.flawedTake != nil }
      let reported = first.status.withoutFolders.flawedTake
      #expect(
        reported?.path == "a.mov" && reported?.dropped == 3 && reported?.outcome == .imperfect)
      #expect(reported?.message == "the copy a.mov was lost")
    }
    let second = channel()
    try await serving(second) {
      #expect(second.status.flawedTake == first.status.flawedTake, "kept from an earlier gateway")
      recorder.tell(.takeStarted) { $0.take = .init(number: 2, path: "/m/b.mov") }
      try await eventually("the next one has begun") { second.status.flawedTake == nil }
      take.outcome = .complete
      recorder.tell(.takeFinished) { $0.finished = take }
      try await eventually("it is listed") { second.takes.last?.outcome == .complete }
      #expect(second.status.flawedTake == nil)
    }
  }

  @Test func a_take_started_without_a_gateway_clears_the_earlier_flawed_take() async throws {
    let recorder = StubRecorder(.recording)
    let server = try ControlServer(path: path, recorder: recorder)
    defer { server.stop() }
    var take = try RecorderEvent.FinishedTake.example()
    take.outcome = .failed
    let earlier = TakeShelf(path: folder.path("takes"))
    earlier.add(TakeRecord(take, of: nil))
    let channel = channel()
    #expect(channel.status.flawedTake?.outcome == .failed)
    try await serving(channel) {
      try await eventually("it is forgotten") { channel.status.flawedTake == nil }
    }
  }

  @Test func stopping_a_named_take_does_not_stop_another_one() async throws {
    let recorder = StubRecorder(.recording)
    recorder.change { $0.take = .init(number: 2, path: "/m/b.mov") }
    let server = try ControlServer(path: path, recorder: recorder)
    defer { server.stop() }
    let channel = channel()
    try await serving(channel) {
      await #expect(throws: ServiceError.self) { try await channel.stop(ofTake: 1) }
      #expect(!recorder.commands.contains(.stop))
      _ = try await channel.stop(ofTake: 2)
      #expect(recorder.commands.filter { $0 == .stop }.count == 1)
      _ = try await channel.stop()
      #expect(recorder.commands.filter { $0 == .stop }.count == 2)
      // Stopping a take that has ended does not cancel a start scheduled since.
      recorder.change {
        ($0.state, $0.take, $0.armed) = (.armed, nil, .init(date: "2026-11-23T09:30:00Z"))
      }
      try await eventually("it is armed") { channel.status.recorder?.armed != nil }
      await #expect(throws: ServiceError.self) { try await channel.stop(ofTake: 2) }
      _ = try await channel.stop()
      #expect(recorder.commands.filter { $0 == .stop }.count == 3)
    }
  }
}
