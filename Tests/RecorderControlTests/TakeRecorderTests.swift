import CaptureDevices
import Foundation
import MediaCore
import Monitor
import TakeReports
import TestSupport
import Testing

@testable import RecorderControl
@testable import Takes

/// A recorder with the pattern device, steered through its socket.
@Suite(.timeLimit(.minutes(10))) struct TakeRecorderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.path("r.socket") }

  private func rig(
    _ device: String = "pattern:bars", idles: Bool = true, name: String = "t-{take}.mov",
    limits: ControlServer.Limits = .init(), _ change: (inout RecordingRequest) -> Void = { _ in }
  ) async throws -> RecorderRig {
    try await RecorderRig(device, idles: idles, name: name, in: folder, limits: limits, change)
  }

  private func sidecar(_ path: String) throws -> TakeSidecar {
    try JSONDecoder().decode(
      TakeSidecar.self, from: Data(contentsOf: URL(filePath: path + ".json")))
  }

  @Test(arguments: [true, false])
  func takes_are_begun_marked_cut_and_ended_one_after_another(idles: Bool) async throws {
    let rig = try await rig(idles: idles)
    let first = try await rig.client.send(.start(TakeSlate(scene: "12"), nil))
    #expect(first.take?.number == 1 && first.status?.state == .recording, "\(first)")
    try await rig.waitForFrames(3)
    let mark = try await rig.client.send(.mark("good one"))
    let marker = try #require(mark.marker)
    #expect(marker.note == "good one" && marker.frame >= 2 && marker.timecode != nil)
    #expect(try #require(first.status?.number) < #require(mark.status?.number))
    #expect(try await rig.client.send(.start(TakeSlate(), nil)).error?.code == "invalidState")
    #expect(try await rig.client.send(.stop).isDone)
    let second = try await rig.client.send(.start(TakeSlate(name: "named", take: 7), nil))
    #expect(second.take?.path == folder.path("named-007.mov"), "\(second)")
    try await rig.waitForFrames(3)
    #expect(try await rig.client.send(.split).isDone)
    try await rig.waitForFrames(8)
    let outcome = try await rig.end()
    #expect(outcome.takes.count == 2 && outcome.worst == .complete)
    let take = try #require(outcome.takes.first).report
    #expect(take.markers == [marker] && take.label?.scene == "12")
    #expect(try sidecar(take.movie.path).recording?.markers == [marker])
    #expect(outcome.takes.last?.report.segments.count == 2)
    #expect(
      outcome.takes.last?.report.label?.scene == "12", "the scene stays until another is said")
    var kinds: [RecorderEvent.Kind] = []
    for await event in rig.client.events { kinds.append(event.event) }
    #expect(kinds.filter { $0 == .takeStarted }.count == 2)
    #expect(kinds.contains(.marker) && kinds.contains(.split) && kinds.contains(.takeFinished))
  }

  @Test func the_clock_is_told_and_a_start_at_a_date_minds_it() async throws {
    let behind = "0A000001,10.0.0.1,3,1,0.120,0,0,0,0,0,0.001,0.0005,1.0,Normal"
    let rig = try await rig(idles: false) { request in
      request.clock = ClockWatch(ClockCalls(kernel: { nil }, chrony: { behind }, ptp: { nil }))
    }
    let date = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 + 2).rounded(.up))
    let armed = try await rig.client.send(
      .start(TakeSlate(), .date(unixTime: date.timeIntervalSince1970)))
    // Unless the machine was so busy that the moment has come.
    #expect(armed.isDone && (armed.status?.armed != nil || Date() >= date))
    #expect(armed.notes?.first?.contains("120.000 ms behind 10.0.0.1") == true, "\(armed)")
    try await eventually("the take has begun") {
      try await rig.client.send(.status).status?.state == .recording
    }
    try await rig.waitForFrames(3)
    #expect(try await rig.client.send(.status).status?.clock?.offset == -0.12)
    let outcome = try await rig.end()
    let report = try #require(outcome.takes.first).report
    #expect(report.clock?.offset == -0.12 && report.clock?.source == .chrony)
    #expect(report.clock?.maximumError == 0.121)
    #expect(try sidecar(report.movie.path).recording?.clock == report.clock)
  }

  @Test func clients_are_told_where_the_movies_of_a_take_lie_in_the_library() async throws {
    let rig = try await rig()
    let session = try await rig.client.send(.status).status?.sessionID
    #expect(session?.isEmpty == false)
    _ = try await rig.client.send(.start(TakeSlate(), nil))
    try await eventually("it is split") { try await rig.client.send(.split).isDone }
    try await eventually("there is a second movie") { folder.contents.contains("t-001-002.mov") }
    let frames = try await rig.client.send(.status).status?.progress?.frames ?? 0
    try await rig.waitForFrames(frames + 3)
    #expect(try await rig.client.send(.quit).isDone)
    let take = try #require(try await rig.running.value.takes.first)
    let movies = ["t-001.mov", "t-001-002.mov"].map(folder.path)
    let name = "t-001.mov"
    rig.recorder.noteSaved(take, at: [name: "/library/2026/11/" + name])
    rig.server.stop()
    var told: RecorderEvent?
    for await event in rig.client.events where event.saved != nil { told = event }
    #expect(told?.event == .notice && told?.message == "take 1 is in the library")
    #expect(told?.saved?.number == 1)
    #expect(told?.saved?.movies == ["/library/2026/11/" + name] + movies.dropFirst())
  }

  @Test func markers_are_the_chapters_of_the_movie() async throws {
    let rig = try await rig()
    _ = try await rig.client.send(.start(TakeSlate(), nil))
    try await rig.waitForFrames(2)
    let marker = try #require(try await rig.client.send(.mark("here")).marker)
    try await rig.waitForFrames(marker.frame + 3)
    let outcome = try await rig.end()
    let path = try #require(outcome.takes.first).report.movie.path
    // The text sample lies in the file as it was given, and the track refers to it.
    let data = try Data(contentsOf: URL(filePath: path))
    #expect(data.range(of: Data("chap".utf8)) != nil && data.range(of: Data("here".utf8)) != nil)
  }

  @Test func what_cannot_be_done_is_refused_and_the_recorder_goes_on() async throws {
    let rig = try await rig()
    for command in [RecorderCommand.stop, .split, .mark("x")] {
      let reply = try await rig.client.send(command)
      #expect(reply.error?.code == "invalidState" && reply.error?.message.isEmpty == false)
    }
    for name in ["../escape", "/tmp/x", "a/b"] {
      let reply = try await rig.client.send(.start(TakeSlate(name: name), nil))
      #expect(reply.error?.code == "invalidArgument", "\(reply)")
    }
    let preset = try await rig.client.send(.preset("/etc/passwd"))
    #expect(preset.error?.code == "invalidMessage")
    #expect(try await rig.client.send(.preset("no such preset")).error?.code == "invalidPreset")
    #expect(
      try await rig.client.send(.start(TakeSlate(), .date(unixTime: 1_000_000))).error?.code
        == "invalidArgument")
    #expect(try await rig.client.send(.mark(String(repeating: "x", count: 1001))).isDone == false)
    #expect(try await rig.client.send(.status).status?.state == .idle)
    #expect(try await rig.end().takes.isEmpty)
    #expect(folder.contents.isEmpty, "\(folder.contents)")
  }

  /// As while its movies are sent, or go into a library.
  @Test func a_recorder_that_has_ended_refuses_what_it_is_told() async throws {
    let rig = try await rig()
    #expect(try await rig.client.send(.quit).isDone)
    _ = try await rig.running.value
    let later = ArmedStart.date(unixTime: Date().timeIntervalSince1970 + 3600)
    for command in [
      RecorderCommand.start(TakeSlate(), nil), .start(TakeSlate(), later), .stop, .split,
      .mark("x"), .standBy(true), .preset("1080p25-hq"), .retire,
    ] {
      let reply = try await rig.client.send(command)
      #expect(reply.error?.message == "the recorder has ended", "\(command): \(reply)")
    }
    rig.server.stop()
  }

  @Test func the_scene_of_a_name_is_said_when_a_take_begins() async throws {
    let rig = try await rig(name: "{reel}-{scene}-{take}.mov")
    let refusal = try await rig.client.send(.start(TakeSlate(reel: "A001"), nil))
    #expect(refusal.error?.code == "invalidArgument")
    #expect(refusal.error?.message.contains("no scene was given") == true, "\(refusal)")
    #expect(try await rig.client.send(.status).status?.state == .idle)
    let first = try await rig.client.send(.start(TakeSlate(reel: "A001", scene: "12"), nil))
    #expect(first.take?.path == folder.path("A001-12-001.mov"), "\(first)")
    try await rig.waitForFrames(2)
    _ = try await rig.client.send(.stop)
    // They stay until others are said.
    let second = try await rig.client.send(.start(TakeSlate(), nil))
    #expect(second.take?.path == folder.path("A001-12-002.mov"), "\(second)")
    #expect(try await rig.end().takes.count == 2)
  }

  @Test func standing_by_is_switched_on_and_off_between_takes() async throws {
    let rig = try await rig { $0.preset.preRoll = .seconds(0.4) }
    #expect(try await rig.client.send(.standBy(true)).status?.state == .standingBy)
    try await eventually("the pre-roll is full") {
      try await rig.client.send(.status).status?.progress?.preRoll ?? 0 >= 0.36
    }
    _ = try await rig.client.send(.start(TakeSlate(), nil))
    // During a take it counts for the time behind it.
    #expect(try await rig.client.send(.standBy(false)).status?.state == .recording)
    #expect(try await rig.client.send(.stop).status?.state == .idle)
    let outcome = try await rig.end()
    #expect(try #require(outcome.takes.first).report.movie.frameCount >= 9)
  }

  @Test func a_picture_that_is_acknowledged_before_it_was_taken_brings_no_other() async throws {
    let rig = try await rig()
    _ = try await rig.client.send(.monitor(.init(pictureRate: 60)))
    var others = rig.client.pictures.makeAsyncIterator()
    let hasty = try RawClient(path)
    defer { hasty.close() }
    hasty.send("{\"command\":\"monitor\",\"pictureRate\":60}")
    // The picture is larger than what the system keeps for a connection: most of it waits.
    let first = try hasty.picture()
    hasty.send("{\"command\":\"acknowledge\",\"number\":\(first.number)}")
    var latest = first.number
    while latest < first.number + 5 {
      let picture = try #require(await others.next())
      latest = picture.header.number
      rig.client.acknowledge(picture)
    }
    try hasty.skip(first.byteCount)
    for _ in 0..<2 {
      if let picture = await others.next() { rig.client.acknowledge(picture) }
    }
    // One that had waited meanwhile would be the next of the first.
    #expect(try hasty.picture().number >= latest)
    _ = try await rig.end()
  }

  @Test func the_preset_is_changed_between_takes_and_not_within_one() async throws {
    let rig = try await rig()
    let name = try #require(PresetLibrary().entries.first { $0.name.contains("1080p25") }?.name)
    let reply = try await rig.client.send(.preset(name))
    #expect(reply.isDone && reply.status?.source?.preset == name, "\(reply)")
    #expect(reply.status?.state == .idle)
    _ = try await rig.client.send(.start(TakeSlate(), nil))
    try await rig.waitForFrames(1)
    #expect(try await rig.client.send(.preset(name)).error?.code == "invalidState")
    let outcome = try await rig.end()
    #expect(outcome.takes.first?.report.movie.width == 1920)
  }

  @Test func the_reel_and_the_scene_stay_when_the_preset_is_changed() async throws {
    let rig = try await rig(name: "{reel}-{scene}-{take}.mov")
    let first = try await rig.client.send(.start(TakeSlate(reel: "R9", scene: "77"), nil))
    #expect(first.take?.path == folder.path("R9-77-001.mov"), "\(first)")
    try await rig.waitForFrames(1)
    _ = try await rig.client.send(.stop)
    let name = try #require(PresetLibrary().entries.first { $0.name.contains("1080p25") }?.name)
    try await eventually("the preset is changed") {
      try await rig.client.send(.preset(name)).isDone
    }
    let second = try await rig.client.send(.start(TakeSlate(), nil))
    #expect(second.take?.path == folder.path("R9-77-002.mov"), "\(second)")
    try await rig.waitForFrames(1)
    let label = try await rig.end().takes.last?.report.label
    #expect(label?.reel == "R9" && label?.scene == "77")
  }

  @Test func pictures_come_as_they_are_acknowledged_and_show_the_pattern() async throws {
    let rig = try await rig()
    let reply = try await rig.client.send(
      .monitor(.init(pictureRate: 60, scopes: .all, levels: true)))
    #expect(reply.isDone)
    var pictures = rig.client.pictures.makeAsyncIterator()
    let first = try #require(await pictures.next())
    #expect(first.header.width == 640 && first.header.height == 360 && first.header.timecode != nil)
    #expect(first.header.pixelAspectRatio == "1:1")
    // Gray of 40 % on the left, blue of 75 % toward the right: the codes of RP 219-1.
    let preview = try first.preview()
    let row = 40 * 640
    #expect(preview.luma[row + 10] == 414 && preview.cb[row / 2 + 5] == 512)
    #expect(preview.luma[row + 524] == 111 && preview.cb[row / 2 + 262] == 848)
    let waveform = try #require(first.map("waveform"))
    #expect(waveform.width == 320 && waveform.height == 256)
    #expect(waveform.densities[414 / 4 * 320 + 5] > 0 && waveform.densities[245 * 320 + 5] == 0)
    #expect(first.map("vectorscope") != nil && first.map("parade-red") != nil)
    #expect(first.header.histogram?.luma.reduce(0, +) == UInt32(640 * 360))
    // None comes before the acknowledgment, however many frames pass.
    try await Task.sleep(for: .milliseconds(200))
    rig.client.acknowledge(first)
    let second = try #require(await pictures.next())
    #expect(second.header.number > first.header.number)
    #expect(second.header.captureTime >= first.header.captureTime)
    var events = rig.events
    var levels: [LevelMeter.Level]?
    while levels == nil { levels = try #require(await events.next()).levels }
    let peak = try #require(levels?.first?.peak)
    #expect(peak > -21 && peak < -5)
    _ = try await rig.end()
  }

  @Test func a_client_that_asks_for_a_region_gets_the_sources_pixels_and_others_the_whole()
    async throws
  {
    let rig = try await rig()
    let region = PictureRegion(x: 500, y: 30, width: 101, height: 50)
    _ = try await rig.client.send(.monitor(.init(pictureRate: 60, region: region)))
    let other = try ControlClient(path: path)
    _ = try await other.send(.monitor(.init(pictureRate: 60)))
    var regions = rig.client.pictures.makeAsyncIterator()
    var wholes = other.pictures.makeAsyncIterator()
    for _ in 0..<3 {
      let part = try #require(await regions.next())
      #expect(part.header.region == PictureRegion(x: 500, y: 30, width: 100, height: 50))
      #expect(part.header.width == 100 && part.header.sourceWidth == 640)
      // Blue of 75 % at column 524.
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
  func loudness_is_of_the_take_from_its_beginning_and_needs_nobody_who_watches() async throws {
    let rig = try await rig()
    #expect(try await rig.client.send(.status).status?.loudness == nil, "nobody listens")
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
      // Tones at -20 dBFS, and beeps at -6.
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
      if LoudnessMeter.failure != nil { try Test.cancel("there is no libebur128") }
    }
    #expect(loudness?.take == nil && (loudness?.seconds ?? 0) >= 0.4)
    _ = try await rig.client.send(.monitor(.init()))
    try await eventually("nothing is measured any more") {
      try await rig.client.send(.status).status?.loudness == nil
    }
    _ = try await rig.end()
  }

  @Test func a_take_is_the_same_with_clients_that_watch_and_one_that_never_reads() async throws {
    let rig = try await rig("pattern:bars")
    let deaf = try UnixSocket.connect(path)
    defer { close(deaf) }
    let text = "{\"command\":\"monitor\",\"pictureRate\":60,\"levels\":true}\n"
    _ = send(deaf, text, text.utf8.count, Int32(MSG_NOSIGNAL))
    _ = try await rig.client.send(.monitor(.init(pictureRate: 60, levels: true)))
    let client = rig.client
    let watching = Task { for await picture in client.pictures { client.acknowledge(picture) } }
    _ = try await rig.client.send(.start(TakeSlate(), nil))
    try await rig.waitForFrames(10)
    let outcome = try await rig.end()
    watching.cancel()
    let report = try #require(outcome.takes.first).report
    #expect(report.frames.dropped == 0 && report.frames.repeated == 0 && report.isValid)
  }
}

/// A client of bytes, which takes what it likes.
private final class RawClient {
  private let descriptor: Int32
  private var lines = LineBuffer(limit: MessageLine.answerLimit)

  init(_ path: String) throws { descriptor = try UnixSocket.connect(path) }

  func close() { _ = Glibc.close(descriptor) }

  func send(_ line: String) {
    let text = line + "\n"
    _ = Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
  }

  /// The next picture's header; its bytes are still to be read.
  func picture() throws -> PictureHeader {
    while true {
      if let line = try lines.next() {
        let event = try? JSONDecoder().decode(RecorderEvent.self, from: Data(line))
        if let picture = event?.picture { return picture }
      } else {
        try receive()
      }
    }
  }

  /// Reads bytes of a picture.
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
