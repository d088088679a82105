import CaptureDevices
import Foundation
import MediaCore
import Synchronization
import TakeReports
import TestSupport
import Testing

@testable import RecorderControl
@testable import Takes

/// A recorder with the pattern device, controlled through its socket.
@Suite(.timeLimit(.minutes(10))) struct TakeRecorderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

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
  func takes_are_started_marked_split_and_stopped_in_sequence(idles: Bool) async throws {
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
      outcome.takes.last?.report.label?.scene == "12", "the scene is kept until another is given")
    var kinds: [RecorderEvent.Kind] = []
    for await event in rig.client.events { kinds.append(event.event) }
    #expect(kinds.filter { $0 == .takeStarted }.count == 2)
    #expect(kinds.contains(.marker) && kinds.contains(.split) && kinds.contains(.takeFinished))
  }

  @Test func the_clock_offset_is_reported_and_noted_at_scheduled_starts() async throws {
    let behind = "0A000001,10.0.0.1,3,1,0.120,0,0,0,0,0,0.001,0.0005,1.0,Normal"
    let rig = try await rig(idles: false) { request in
      request.clock = ClockWatch(ClockCalls(kernel: { nil }, chrony: { behind }, ptp: { nil }))
    }
    let (moment, armed) = try await rig.setStart(in: 2)
    // Unless the machine was so busy that the moment has passed.
    #expect(
      armed.isDone
        && (armed.status?.armed != nil || Date().timeIntervalSince1970 >= moment), "\(armed)")
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

  @Test func clients_learn_the_library_paths_of_a_takes_movies() async throws {
    let rig = try await rig()
    let session = try await rig.client.send(.status).status?.sessionID
    #expect(session?.isEmpty == false)
    _ = try await rig.client.send(.start(TakeSlate(), nil))
    try await eventually("the take is split") { try await rig.client.send(.split).isDone }
    try await eventually("there is a second movie") { folder.contents.contains("t-001-002.mov") }
    let frames = try await rig.client.send(.status).status?.progress?.frames ?? 0
    try await rig.waitForFrames(frames + 3)
    #expect(try await rig.client.send(.quit).isDone)
    let take = try #require(try await rig.running.value.takes.first)
    let movies = ["t-001.mov", "t-001-002.mov"].map(folder.path)
    let name = "t-001.mov"
    rig.recorder.noteSaved(take, at: [name: "/library/2026/11/" + name])
    rig.server.stop()
    var reported: RecorderEvent?
    for await event in rig.client.events where event.saved != nil { reported = event }
    #expect(reported?.event == .notice && reported?.message == "take 1 is in the library")
    #expect(reported?.saved?.number == 1)
    #expect(reported?.saved?.movies == ["/library/2026/11/" + name] + movies.dropFirst())
  }

  @Test func markers_become_chapters_of_the_movie() async throws {
    let rig = try await rig()
    _ = try await rig.client.send(.start(TakeSlate(), nil))
    try await rig.waitForFrames(2)
    let marker = try #require(try await rig.client.send(.mark("here")).marker)
    try await rig.waitForFrames(marker.frame + 3)
    let outcome = try await rig.end()
    let path = try #require(outcome.takes.first).report.movie.path
    // The file contains the text sample as given, and a reference to the chapter track.
    let data = try Data(contentsOf: URL(filePath: path))
    #expect(data.range(of: Data("chap".utf8)) != nil && data.range(of: Data("here".utf8)) != nil)
  }

  @Test func impossible_commands_are_refused_and_the_recorder_continues() async throws {
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

  /// The state while its movies are uploaded or saved to a library.
  @Test func an_ended_recorder_refuses_commands() async throws {
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

  /// All commands are sent together: the take is still being completed when the later ones arrive.
  @Test func an_ending_recorder_starts_no_further_take() async throws {
    let rig = try await rig()
    #expect(try await rig.client.send(.start(TakeSlate(), nil)).isDone)
    try await rig.waitForFrames(2)
    let replies = Mutex<[String: RecorderReply]>([:])
    let commands: [RecorderCommand] = [
      .stop, .quit, .start(TakeSlate(), nil), .standBy(true), .preset("1080p25-hq"),
    ]
    for command in commands {
      rig.recorder.perform(command) { reply in
        replies.withLock { $0[command.name] = reply }
      }
    }
    #expect(try await rig.running.value.takes.count == 1)
    let reported = replies.withLock { $0 }
    #expect(reported["stop"]?.isDone == true && reported["quit"]?.isDone == true, "\(reported)")
    for name in ["start", "standby", "preset"] {
      #expect(
        reported[name]?.error?.message.hasPrefix("the recorder is ending") == true, "\(reported)")
    }
    rig.server.stop()
  }

  @Test func commands_right_after_quit_are_refused() async throws {
    let rig = try await rig()
    let late = Mutex<RecorderReply?>(nil)
    rig.recorder.perform(.quit) { _ in }
    rig.recorder.perform(.start(TakeSlate(), nil)) { reply in late.withLock { $0 = reply } }
    #expect(try await rig.running.value.takes.isEmpty)
    #expect(late.withLock { $0?.error?.message } == "the recorder has ended")
    rig.server.stop()
  }

  @Test func a_name_with_a_scene_needs_one_when_a_take_starts() async throws {
    let rig = try await rig(name: "{reel}-{scene}-{take}.mov")
    let refusal = try await rig.client.send(.start(TakeSlate(reel: "A001"), nil))
    #expect(refusal.error?.code == "invalidArgument")
    #expect(refusal.error?.message.contains("no scene was given") == true, "\(refusal)")
    #expect(try await rig.client.send(.status).status?.state == .idle)
    let first = try await rig.client.send(.start(TakeSlate(reel: "A001", scene: "12"), nil))
    #expect(first.take?.path == folder.path("A001-12-001.mov"), "\(first)")
    try await rig.waitForFrames(2)
    _ = try await rig.client.send(.stop)
    // Scene and reel stay until others are given.
    let second = try await rig.client.send(.start(TakeSlate(), nil))
    #expect(second.take?.path == folder.path("A001-12-002.mov"), "\(second)")
    #expect(try await rig.end().takes.count == 2)
  }

  @Test func standby_is_switched_on_and_off_between_takes() async throws {
    let rig = try await rig { $0.preset.preRoll = .seconds(0.4) }
    #expect(try await rig.client.send(.standBy(true)).status?.state == .standingBy)
    try await eventually("the pre-roll is full") {
      try await rig.client.send(.status).status?.progress?.preRoll ?? 0 >= 0.36
    }
    _ = try await rig.client.send(.start(TakeSlate(), nil))
    // During a take, the setting applies to the time after it.
    #expect(try await rig.client.send(.standBy(false)).status?.state == .recording)
    #expect(try await rig.client.send(.stop).status?.state == .idle)
    let outcome = try await rig.end()
    #expect(try #require(outcome.takes.first).report.movie.frameCount >= 9)
  }

  @Test func the_preset_changes_only_between_takes() async throws {
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

  @Test func reel_and_scene_survive_a_preset_change() async throws {
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
}
