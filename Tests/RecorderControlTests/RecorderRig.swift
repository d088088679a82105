import CaptureDevices
import Foundation
import MediaCore
import Synchronization
import TakeReports
import TestSupport
import Testing

@testable import RecorderControl
@testable import Takes

/// A running recorder with the pattern device, and a client of its socket.
struct RecorderRig {
  let recorder: TakeRecorder
  let server: ControlServer
  let client: ControlClient
  let running: Task<TakeSession.Outcome, any Error>
  let events: AsyncStream<RecorderEvent>.Iterator

  /// Starts the recorder, and waits until it is ready for a take. The socket is `r.socket` in the folder.
  init(
    _ device: String = "pattern:bars", idles: Bool = true, name: String = "t-{take}.mov",
    in folder: TemporaryFolder, limits: ControlServer.Limits = .init(),
    clock: StartClock? = nil, _ change: (inout RecordingRequest) -> Void = { _ in }
  ) async throws {
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.deviceID = device
    request.preset.video.dimensions = VideoDimensions(width: 640, height: 360)
    request.preset.video.frameRate = .fps25
    request.preset.video.codec = .proRes422Proxy
    change(&request)
    let feed = MonitorFeed()
    feed.attach(to: &request)
    let session = try TakeSession(request, name: folder.path(name), idles: idles)
    let recorder =
      clock.map { TakeRecorder(session, freeBytes: { _ in nil }, clock: $0) }
      ?? TakeRecorder(session)
    let path = folder.path("r.socket")
    server = try ControlServer(path: path, recorder: recorder, feed: feed, limits: limits)
    running = Task { try await recorder.run() as TakeSession.Outcome }
    let client = try ControlClient(path: path)
    var events = client.events.makeAsyncIterator()
    _ = await events.next()
    _ = try await client.send(.events(true))
    try await eventually("the recorder is ready") {
      let state = try await client.send(.status).status?.state
      return state == .idle || state == .standingBy
    }
    (self.recorder, self.client, self.events) = (recorder, client, events)
  }

  /// Waits until the take has this many frames.
  func waitForFrames(_ count: Int64) async throws {
    try await eventually("\(count) frames") {
      try await client.send(.status).status?.progress?.frames ?? 0 >= count
    }
  }

  /// Schedules a start on a full second, as soon as this machine allows: a start that lies in the past when the
  /// command arrives is refused and retried with twice the lead time.
  ///
  /// - Parameter seconds: The smallest lead time of the first attempt.
  func setStart(
    in seconds: Double = 1
  ) async throws -> (moment: Double, reply: RecorderReply) {
    var lead = seconds
    while true {
      let moment = (Date().timeIntervalSince1970 + lead).rounded(.up)
      let reply = try await client.send(.start(TakeSlate(), .date(unixTime: moment)))
      guard !reply.isDone, lead < 60 else { return (moment, reply) }
      lead *= 2
    }
  }

  /// Ends the recorder and waits for it.
  func end() async throws -> TakeSession.Outcome {
    #expect(try await client.send(.quit).isDone)
    let outcome = try await running.value
    server.stop()
    return outcome
  }
}

/// A clock that a test sets, and stops while it prepares something for a certain moment.
final class TestClock: Sendable {
  private struct State {
    var ahead = 0.0
    var stopped: StartClock.Reading?
  }

  private let state = Mutex(State())

  var clock: StartClock { StartClock { [self] in read() } }

  func read() -> StartClock.Reading {
    state.withLock { state in
      if let stopped = state.stopped { return stopped }
      let reading = StartClock.system.read()
      return .init(unixTime: reading.unixTime + state.ahead, instant: reading.instant)
    }
  }

  /// Sets the clock forward, or back if negative.
  func set(by seconds: Double) { state.withLock { $0.ahead += seconds } }

  /// Stops the clock until `goOn()`, after which it shows the time as if it had never stopped.
  func stop() {
    let now = read()
    state.withLock { $0.stopped = now }
  }

  func goOn() { state.withLock { $0.stopped = nil } }
}
