import CaptureDevices
import Foundation
import MediaCore
import Monitor
import TakeReports
import TestSupport
import Testing

@testable import RecorderControl
@testable import Takes

/// The frames and audio that clients of a recorder's socket receive.
@Suite(.timeLimit(.minutes(10))) struct WatchedRecorderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.path("r.socket") }

  private func rig() async throws -> RecorderRig {
    try await RecorderRig("pattern:bars", idles: true, name: "t-{take}.mov", in: folder)
  }

  @Test func acknowledging_an_unread_preview_sends_no_other() async throws {
    let rig = try await rig()
    _ = try await rig.client.send(.monitor(.init(pictureRate: 60)))
    var others = rig.client.frames.makeAsyncIterator()
    let hasty = try RawClient(path)
    defer { hasty.close() }
    hasty.send("{\"command\":\"monitor\",\"pictureRate\":60}")
    // The frame exceeds the connection's buffer, so most of it is still in the queue.
    let first = try hasty.picture()
    hasty.send("{\"command\":\"acknowledge\",\"number\":\(first.number)}")
    var latest = first.number
    while latest < first.number + 5 {
      let frame = try #require(await others.next())
      latest = frame.header.number
      rig.client.acknowledge(frame)
    }
    try hasty.skip(first.byteCount)
    for _ in 0..<2 {
      if let frame = await others.next() { rig.client.acknowledge(frame) }
    }
    // A frame queued in the meantime would be the first one's successor.
    #expect(try hasty.picture().number >= latest)
    _ = try await rig.end()
  }

  @Test func previews_are_paced_by_acknowledgements_and_show_the_pattern() async throws {
    let rig = try await rig()
    let reply = try await rig.client.send(
      .monitor(.init(pictureRate: 60, scopes: .all, levels: true)))
    #expect(reply.isDone)
    var frames = rig.client.frames.makeAsyncIterator()
    let first = try #require(await frames.next())
    #expect(first.header.width == 640 && first.header.height == 360 && first.header.timecode != nil)
    #expect(first.header.pixelAspectRatio == "1:1")
    // 40 % gray on the left, 75 % blue toward the right: the codes of RP 219-1.
    let preview = try first.preview()
    let row = 40 * 640
    #expect(preview.luma[row + 10] == 414 && preview.cb[row / 2 + 5] == 512)
    #expect(preview.luma[row + 524] == 111 && preview.cb[row / 2 + 262] == 848)
    let waveform = try #require(first.map("waveform"))
    #expect(waveform.width == 320 && waveform.height == 256)
    #expect(waveform.densities[414 / 4 * 320 + 5] > 0 && waveform.densities[245 * 320 + 5] == 0)
    #expect(first.map("vectorscope") != nil && first.map("parade-red") != nil)
    #expect(first.header.histogram?.luma.reduce(0, +) == UInt32(640 * 360))
    // No frame comes before the acknowledgment, however many frames pass.
    try await Task.sleep(for: .milliseconds(200))
    rig.client.acknowledge(first)
    let second = try #require(await frames.next())
    #expect(second.header.number > first.header.number)
    #expect(second.header.captureTime >= first.header.captureTime)
    var events = rig.events
    var levels: [LevelMeter.Level]?
    while levels == nil { levels = try #require(await events.next()).levels }
    let peak = try #require(levels?.first?.peak)
    #expect(peak > -21 && peak < -5)
    _ = try await rig.end()
  }

  @Test func only_clients_requesting_a_region_get_its_source_pixels()
    async throws
  {
    let rig = try await rig()
    let region = FrameRegion(x: 500, y: 30, width: 101, height: 50)
    _ = try await rig.client.send(.monitor(.init(pictureRate: 60, region: region)))
    let other = try ControlClient(path: path)
    _ = try await other.send(.monitor(.init(pictureRate: 60)))
    var regions = rig.client.frames.makeAsyncIterator()
    var wholes = other.frames.makeAsyncIterator()
    for _ in 0..<3 {
      let part = try #require(await regions.next())
      #expect(part.header.region == FrameRegion(x: 500, y: 30, width: 100, height: 50))
      #expect(part.header.width == 100 && part.header.sourceWidth == 640)
      // 75 % blue at column 524.
      let preview = try part.preview()
      #expect(preview.luma[10 * 100 + 24] == 111 && preview.cb[10 * 50 + 12] == 848)
      rig.client.acknowledge(part)
      let whole = try #require(await wholes.next())
      #expect(whole.header.region == nil && whole.header.width == 640)
      #expect(whole.header.number != part.header.number)
      other.acknowledge(whole)
    }
    other.close()
    _ = try await rig.end()
  }

  @Test(
    .enabled(if: LoudnessMeter.failure == nil, Comment(rawValue: LoudnessMeter.failure ?? "")))
  func take_loudness_is_measured_without_any_viewers() async throws {
    let rig = try await rig()
    #expect(try await rig.client.send(.status).status?.loudness == nil, "nobody watches")
    for number in 1...2 {
      _ = try await rig.client.send(.start(TakeSlate(), nil))
      try await eventually("the take is measured") {
        let loudness = try await rig.client.send(.status).status?.loudness
        return loudness?.take == number && loudness?.integrated != nil
      }
      try await rig.waitForFrames(15)
      _ = try await rig.client.send(.stop)
    }
    let outcome = try await rig.end()
    var finished: [RecorderEvent.FinishedTake] = []
    for await event in rig.client.events { if let take = event.finished { finished.append(take) } }
    #expect(finished.count == 2 && outcome.takes.count == 2)
    for take in finished {
      #expect(take.end == .stopped && take.message == nil, "it ended on request")
      let loudness = try #require(take.loudness)
      #expect(loudness.take == take.number && loudness.channels == 2 && loudness.lostFrames == nil)
      #expect(loudness.seconds > 0.3 && loudness.seconds <= take.duration, "\(take)")
      // Tones at -20 dBFS and beeps at -6 dBFS.
      #expect(try #require(loudness.integrated) > -24 && #require(loudness.truePeak) < -5)
      #expect(loudness.momentary == nil && loudness.shortTerm == nil)
    }
  }

  @Test func loudness_of_the_input_comes_with_levels() async throws {
    let rig = try await rig()
    _ = try await rig.client.send(.monitor(.init(levels: true)))
    var events = rig.events
    var loudness: Loudness?
    while loudness?.integrated == nil {
      loudness = try #require(await events.next()).loudness
      if LoudnessMeter.failure != nil { try Test.cancel("libebur128 is missing") }
    }
    #expect(loudness?.take == nil && (loudness?.seconds ?? 0) >= 0.4)
    _ = try await rig.client.send(.monitor(.init()))
    try await eventually("loudness is no longer measured") {
      try await rig.client.send(.status).status?.loudness == nil
    }
    _ = try await rig.end()
  }

  @Test func watching_and_unresponsive_clients_do_not_affect_a_take() async throws {
    let rig = try await rig()
    let deaf = try UnixSocket.connect(path)
    defer { close(deaf) }
    let text = "{\"command\":\"monitor\",\"pictureRate\":60,\"levels\":true}\n"
    _ = send(deaf, text, text.utf8.count, Int32(MSG_NOSIGNAL))
    _ = try await rig.client.send(.monitor(.init(pictureRate: 60, levels: true)))
    let client = rig.client
    let watching = Task { for await frame in client.frames { client.acknowledge(frame) } }
    _ = try await rig.client.send(.start(TakeSlate(), nil))
    try await rig.waitForFrames(10)
    let outcome = try await rig.end()
    watching.cancel()
    let report = try #require(outcome.takes.first).report
    #expect(report.frames.dropped == 0 && report.frames.repeated == 0 && report.isValid)
  }
}

/// A client at the byte level that reads only as much as it wants.
private final class RawClient {
  private let descriptor: Int32
  private var lines = LineBuffer(limit: MessageLine.answerLimit)

  init(_ path: String) throws { descriptor = try UnixSocket.connect(path) }

  func close() { _ = Glibc.close(descriptor) }

  func send(_ line: String) {
    let text = line + "\n"
    _ = Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
  }

  /// The next frame's header; the frame's bytes remain unread.
  func picture() throws -> MonitorFrameHeader {
    while true {
      if let line = try lines.next() {
        let event = try? JSONDecoder().decode(RecorderEvent.self, from: Data(line))
        if let frame = event?.picture { return frame }
      } else {
        try receive()
      }
    }
  }

  /// Reads and discards bytes of a frame.
  func skip(_ count: Int) throws {
    var rest = count
    while rest > 0 {
      let taken = lines.take(rest).count
      rest -= taken
      if taken == 0 { try receive() }
    }
  }

  private func receive() throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 12)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    try #require(count > 0, "the connection is closed")
    lines.append(buffer[..<count])
  }
}
