import Foundation
import MediaCore
import TakeReports
import TestSupport
import Testing

@testable import RecorderControl
@testable import Takes

/// Scheduled starts, from the command until their take has begun.
@Suite(.timeLimit(.minutes(10))) struct SetStartTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func a_recorder_retires_only_between_takes() async throws {
    let rig = try await RecorderRig(in: folder)
    _ = try await rig.client.send(.start(TakeSlate(), nil))
    try await rig.waitForFrames(2)
    let refused = try await rig.client.send(.retire)
    #expect(refused.error?.code == "invalidState", "\(refused)")
    #expect(refused.error?.message == "a take is being recorded")
    _ = try await rig.client.send(.stop)
    let date = Date(timeIntervalSinceNow: 3600).timeIntervalSince1970
    try await eventually("a start is scheduled") {
      try await rig.client.send(.start(TakeSlate(), .date(unixTime: date))).isDone
    }
    #expect(try await rig.client.send(.retire).error?.message == "a start is set")
    _ = try await rig.client.send(.stop)
    try await eventually("the recorder retires") { try await rig.client.send(.retire).isDone }
    let outcome = try await rig.running.value
    #expect(outcome.takes.count == 1 && outcome.failure == nil)
    rig.server.stop()
  }

  /// The device disappears after one second of frames and is found again half a second later.
  @Test func a_scheduled_start_survives_a_missing_source() async throws {
    let rig = try await RecorderRig("pattern:bars?unplug=25", in: folder)
    let far = Date(timeIntervalSinceNow: 3600).timeIntervalSince1970
    func status() async throws -> RecorderStatus {
      try #require(try await rig.client.send(.status).status)
    }
    var set: RecorderStatus.Armed?
    try await eventually("a start is scheduled") {
      set = try await rig.client.send(.start(TakeSlate(), .date(unixTime: far))).status?.armed
      return set != nil
    }
    try await eventually("the source is away") { try await status().state == .awaitingSource }
    #expect(try await status().armed == set)
    #expect(try await rig.client.send(.retire).error?.message == "a start is set")
    try await eventually("the source is back") { try await status().state == .armed }
    #expect(try await status().armed == set)
    let back = try await rig.client.send(.stop)
    #expect(back.status?.armed == nil && back.notes?.isEmpty == false, "\(back)")
    try await eventually("the recorder retires") { try await rig.client.send(.retire).isDone }
    #expect(try await rig.running.value.takes.isEmpty)
    rig.server.stop()
  }

  @Test func a_scheduled_start_begins_on_time_and_can_be_canceled() async throws {
    let rig = try await RecorderRig(in: folder)
    let far = Date().timeIntervalSince1970 + 3600
    let armed = try await rig.client.send(.start(TakeSlate(), .date(unixTime: far)))
    #expect(armed.status?.state == .armed && armed.status?.armed != nil)
    let back = try await rig.client.send(.stop)
    #expect(back.status?.state == .idle && back.notes?.isEmpty == false)
    let (soon, reply) = try await rig.setStart()
    #expect(reply.isDone, "\(reply)")
    let set = reply.status?.armed
    try await eventually("the take begins") {
      try await rig.client.send(.status).status?.state == .recording
    }
    // Unless the scheduled moment came before the reply.
    let begunBy = try await rig.client.send(.status).status?.take?.armed
    #expect(begunBy != nil && (set == nil || begunBy == set))
    let seen = Date().timeIntervalSince1970
    #expect(seen >= soon)
    try await rig.waitForFrames(2)
    #expect(try await rig.client.send(.stop).isDone)
    try await eventually("the recorder is idle again") {
      try await rig.client.send(.status).status?.state == .idle
    }
    let report = try #require(try await rig.end().takes.first).report
    // Exact to the frame: the first one whose exposure begins at or after the moment, or the first one that
    // arrived.
    let start = try #require(report.movie.startTimecode)
    let wanted = Timecode(timeOfDay: soon, rate: .fps25)
    let got = try #require(Timecode(start, frameRate: .fps25))
    let latest = Timecode(timeOfDay: max(seen, soon + 0.04), rate: .fps25)
    #expect(
      wanted.distance(to: got) <= wanted.distance(to: latest),
      "\(start), not from \(wanted) to \(latest)")
  }

  @Test func a_scheduled_start_follows_clock_changes_and_reports_them() async throws {
    let clock = TestClock()
    let rig = try await RecorderRig(in: folder, clock: clock.clock)
    var events = rig.events
    func notice() async -> String {
      while let event = await events.next() {
        if event.event == .notice { return event.message ?? "" }
      }
      return ""
    }
    let moment = (clock.read().unixTime + 3600).rounded(.up)
    let set = try await rig.client.send(.start(TakeSlate(), .date(unixTime: moment))).status?.armed
    let date = try #require(set?.date)
    clock.set(by: -600)
    let back = await notice()
    #expect(
      back.hasPrefix("the system's clock was set back by 600.0")
        && back.hasSuffix("the scheduled start happens when it shows \(date)"), "\(back)")
    let status = try #require(try await rig.client.send(.status).status)
    #expect(status.armed == set && status.message == back)
    // Set the clock to shortly before the moment.
    clock.set(by: moment - 0.7 - clock.read().unixTime)
    let reading = clock.read()
    let wanted = Double(reading.instant) * 1e-9 + moment - reading.unixTime
    #expect(await notice().hasPrefix("the system's clock was set forward by "))
    try await eventually("the take begins") {
      try await rig.client.send(.status).status?.state == .recording
    }
    let seen = Double(MonotonicClock.now) * 1e-9
    try await rig.waitForFrames(2)
    #expect(try await rig.client.send(.stop).isDone)
    let report = try #require(try await rig.end().takes.first).report
    let began = try #require(report.movie.startTime)
    #expect(began >= wanted - 0.001 && began <= max(seen, wanted + 0.04), "\(began), \(wanted)")
  }

  /// The recorder stands by for the start as well, since before the command.
  @Test func standby_requested_during_a_scheduled_start_persists() async throws {
    let clock = TestClock()
    let rig = try await RecorderRig(in: folder, clock: clock.clock)
    clock.stop()
    let soon = clock.read().unixTime + 1
    #expect(try await rig.client.send(.start(TakeSlate(), .date(unixTime: soon))).isDone)
    #expect(try await rig.client.send(.standBy(true)).isDone)
    clock.goOn()
    try await eventually("the take begins") {
      try await rig.client.send(.status).status?.state == .recording
    }
    try await rig.waitForFrames(2)
    #expect(try await rig.client.send(.stop).isDone)
    try await eventually("the recorder is ready again") {
      [.idle, .standingBy].contains(try await rig.client.send(.status).status?.state)
    }
    let status = try #require(try await rig.client.send(.status).status)
    #expect(status.state == .standingBy && status.isStandingBy)
    #expect(try await rig.end().takes.count == 1)
  }

  @Test func a_refused_start_keeps_the_scheduled_one() async throws {
    let rig = try await RecorderRig(name: "{scene}-{take}.mov", in: folder)
    let later = Date().timeIntervalSince1970 + 3600
    let set = try await rig.client.send(.start(TakeSlate(scene: "8"), .date(unixTime: later)))
    #expect(set.status?.state == .armed)
    // Refused because no scene is given.
    let refused = try await rig.client.send(.start(TakeSlate(), nil))
    #expect(!refused.isDone && refused.notes == nil)
    #expect(try await rig.client.send(.status).status?.armed?.date == set.status?.armed?.date)
    let begun = try await rig.client.send(.start(TakeSlate(scene: "9"), nil))
    #expect(begun.isDone && begun.notes?.isEmpty == false)
    #expect(begun.status?.state == .recording && begun.status?.armed == nil)
    #expect(begun.status?.take?.armed == nil, "the take was started manually")
    try await rig.waitForFrames(2)
    #expect(try await rig.client.send(.stop).isDone)
    try await eventually("the recorder is idle again") {
      try await rig.client.send(.status).status?.state == .idle
    }
    #expect(try await rig.end().takes.count == 1)
  }

  @Test func replacing_a_scheduled_start_is_reported() async throws {
    let rig = try await RecorderRig(in: folder)
    let later = Date().timeIntervalSince1970 + 3600
    _ = try await rig.client.send(.start(TakeSlate(), .date(unixTime: later)))
    let second = try await rig.client.send(.start(TakeSlate(), .date(unixTime: later + 60)))
    #expect(second.isDone && second.notes?.contains(TakeRecorder.takenBack) == true, "\(second)")
    #expect(try await rig.end().takes.isEmpty)
    var notices: [String] = []
    for await event in rig.client.events where event.event == .notice {
      notices.append(event.message ?? "")
    }
    #expect(notices.contains("\(TakeRecorder.takenBack): another start is set"), "\(notices)")
  }

  @Test func scheduling_a_start_without_a_valid_name_is_refused() async throws {
    let rig = try await RecorderRig(name: "{scene}-{take}.mov", in: folder)
    let later = ArmedStart.date(unixTime: Date().timeIntervalSince1970 + 3600)
    let nameless = try await rig.client.send(.start(TakeSlate(), later))
    #expect(nameless.error?.code == "invalidArgument", "\(nameless)")
    let long = TakeSlate(name: String(repeating: "x", count: 250))
    #expect(try await rig.client.send(.start(long, later)).error?.code == "invalidArgument")
    try folder.write([], "y-050.mov")
    let taken = try await rig.client.send(.start(TakeSlate(name: "y", take: 50), later))
    #expect(taken.error?.code == "fileAlreadyExists", "\(taken)")
    #expect(try await rig.client.send(.status).status?.state == .idle)
    #expect(try await rig.client.send(.start(TakeSlate(name: "y", take: 51), later)).isDone)
    #expect(try await rig.end().takes.isEmpty)
  }

  @Test func a_stop_right_after_scheduling_a_start_cancels_it() async throws {
    let rig = try await RecorderRig(in: folder)
    let later = ArmedStart.date(unixTime: Date().timeIntervalSince1970 + 3600)
    let recorder = rig.recorder
    let back = await withCheckedContinuation { answer in
      recorder.perform(.start(TakeSlate(), later)) { _ in }
      recorder.perform(.stop) { answer.resume(returning: $0) }
    }
    #expect(back.isDone && back.notes?.isEmpty == false, "\(back)")
    #expect(try await rig.client.send(.status).status?.armed == nil)
    #expect(try await rig.end().takes.isEmpty)
  }

  @Test func a_failed_scheduled_start_is_reported_until_a_take_begins() async throws {
    let clock = TestClock()
    let rig = try await RecorderRig(in: folder, clock: clock.clock)
    let slate = TakeSlate(name: "z", take: 7)
    clock.stop()
    let soon = clock.read().unixTime + 1
    #expect(try await rig.client.send(.start(slate, .date(unixTime: soon))).isDone)
    try folder.write([], "z-007.mov")
    clock.goOn()
    try await eventually("the start fails") {
      try await rig.client.send(.status).status?.message?.contains("scheduled start failed")
        == true
    }
    #expect(try await rig.client.send(.status).status?.armed == nil)
    try await eventually("a take begins") {
      try await rig.client.send(.start(TakeSlate(), nil)).isDone
    }
    #expect(try await rig.client.send(.status).status?.message == nil)
    #expect(try await rig.end().takes.count == 1)
  }

  /// Before the moment, at the moment, and while the take is starting.
  @Test(.tags(.slow), arguments: [-0.02, 0, 0.002, 0.01, 0.03, 0.06])
  func a_stop_at_the_scheduled_moment_leaves_no_take_running(delay: Double)
    async throws
  {
    let rig = try await RecorderRig(in: folder)
    let (moment, reply) = try await rig.setStart()
    #expect(reply.isDone, "\(reply)")
    let wait = moment + delay - Date().timeIntervalSince1970
    try await Task.sleep(for: .seconds(max(wait, 0)))
    #expect(try await rig.client.send(.stop).isDone)
    // Longer than a take needs to start.
    try await Task.sleep(for: .milliseconds(400))
    try await eventually("the recorder is idle") {
      try await rig.client.send(.status).status?.state == .idle
    }
    _ = try await rig.end()
  }
}
