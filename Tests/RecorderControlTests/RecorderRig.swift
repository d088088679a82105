import CaptureDevices
import MediaCore
import TakeReports
import TestSupport
import Testing

@testable import RecorderControl
@testable import Takes

/// A recorder that runs with the pattern device, and a client of its socket.
struct RecorderRig {
  let recorder: TakeRecorder
  let server: ControlServer
  let client: ControlClient
  let running: Task<TakeSession.Outcome, any Error>
  let events: AsyncStream<RecorderEvent>.Iterator

  /// Starts it, and waits until a take can be begun. Its socket is `r.socket` in the folder.
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

  /// Waits until the take has so many frames.
  func waitForFrames(_ count: Int64) async throws {
    try await eventually("\(count) frames") {
      try await client.send(.status).status?.progress?.frames ?? 0 >= count
    }
  }

  /// Ends the recorder, and waits for it.
  func end() async throws -> TakeSession.Outcome {
    #expect(try await client.send(.quit).isDone)
    let outcome = try await running.value
    server.stop()
    return outcome
  }
}
