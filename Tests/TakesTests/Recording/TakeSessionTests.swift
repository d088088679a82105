import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import CaptureDevices
@testable import TakeReports
@testable import Takes
@testable import VideoRecorder

/// Successive takes in one session.
@Suite(.timeLimit(.minutes(10)))
struct TakeSessionTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func request(
    _ device: String, _ duration: RecordingDuration? = .frames(10),
    _ policy: InterruptionPolicy = .newSegment
  ) -> RecordingRequest {
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.deviceID = device
    request.duration = duration
    request.preset.video.dimensions = VideoDimensions(width: 640, height: 360)
    request.preset.video.frameRate = .fps25
    request.preset.video.codec = .proRes422Proxy
    request.preset.timecode = .start("01:00:00:00")
    request.preset.faults.interruption = policy
    return request
  }

  /// Runs a session; `answer` returns the commands to send after each event.
  private func run(
    _ request: RecordingRequest, name: String = "s-{take}.mov",
    _ answer: @escaping @Sendable (TakeSession.Event) -> [TakeSession.Command]
  ) async throws -> (outcome: TakeSession.Outcome, events: [String]) {
    let session = try TakeSession(request, name: folder.url(name).path)
    let events = Mutex<[String]>([])
    let outcome = try await session.run { event in
      events.withLock { $0.append(Self.word(event)) }
      for command in answer(event) { session.send(command) }
    }
    return (outcome, events.withLock { $0 })
  }

  private static func word(_ event: TakeSession.Event) -> String {
    switch event {
    case .standingBy(let number): "standing by \(number)"
    case .idle(let number): "idle \(number)"
    case .cut: "cut"
    case .marked: "marked"
    case .changed: "changed"
    case .started(let number, _): "started \(number)"
    case .paused: "paused"
    case .resumed: "resumed"
    case .series: "series"
    case .finished(let take): "finished \(take.number)"
    case .refused: "refused"
    case .sourceLost(_, let isAwaited): isAwaited ? "lost" : "lost for good"
    }
  }

  @Test func timecode_does_not_continue_into_another_preset() async throws {
    let first = request("pattern?pace=none")
    var second = first
    second.preset.timecode = .start("05:00:00:00")
    let session = try TakeSession(first, name: folder.url("s-{take}.mov").path)
    let outcome = try await session.run { [second] event in
      switch event {
      case .standingBy(1): session.send(.toggle(.now))
      case .finished(let take) where take.number == 1: session.change(to: second)
      case .changed: session.send(.toggle(.now))
      case .finished(let take) where take.number == 2: session.send(.end)
      default: break
      }
    }
    #expect(
      outcome.takes.map(\.report.movie.startTimecode) == ["01:00:00:00", "05:00:00:00"])
  }

  @Test func further_movies_of_a_take_keep_its_slate() async throws {
    let slate = TakeSlate(reel: "A002", scene: "12")
    let session = try TakeSession(
      request("pattern?pace=none&signal=20,1,20", nil), name: folder.url("s.mov").path)
    let outcome = try await session.run { event in
      switch event {
      case .standingBy(1): session.send(.startTake(slate, .now))
      case .series(.resumed): session.send(.end)
      default: break
      }
    }
    let take = try #require(outcome.takes.first?.report)
    #expect(!take.continuations.isEmpty)
    for movie in [take] + take.continuations {
      #expect(movie.label?.reel == "A002" && movie.label?.scene == "12")
    }
  }

  @Test func successive_takes_continue_names_numbers_and_timecode() async throws {
    try Data().write(to: folder.url("s-001.mov"))
    var request = request("pattern?pace=none")
    request.names.scene = "12"
    let (outcome, events) = try await run(request) { event in
      switch event {
      case .standingBy(let number): number <= 3 ? [.toggle(.now)] : [.end]
      default: []
      }
    }
    #expect(outcome.failure == nil && outcome.worst == .complete)
    #expect(outcome.takes.map(\.number) == [1, 2, 3])
    #expect(
      outcome.takes.map { URL(filePath: $0.report.movie.path).lastPathComponent }
        == ["s-002.mov", "s-003.mov", "s-004.mov"])
    #expect(outcome.takes.map(\.report.label?.take) == [2, 3, 4])
    #expect(outcome.takes.allSatisfy { $0.report.label?.scene == "12" })
    #expect(outcome.takes.map(\.report.movie.frameCount) == [10, 10, 10])
    #expect(
      outcome.takes.map(\.report.movie.startTimecode)
        == ["01:00:00:00", "01:00:00:10", "01:00:00:20"])
    #expect(
      events.filter { $0.hasPrefix("finished") } == ["finished 1", "finished 2", "finished 3"])
    let identifiers = Set(
      try outcome.takes.map { try TakeIdentifier.read($0.report.movie.path) })
    #expect(identifiers.count == 3)
  }

  @Test func the_sidecar_contains_the_counted_take_number() async throws {
    let (outcome, _) = try await run(request("pattern?pace=none")) { event in
      if case .standingBy(let number) = event { number == 1 ? [.toggle(.now)] : [.end] } else { [] }
    }
    let path = try #require(outcome.takes.first).report.movie.path + ".json"
    let sidecar = try JSONDecoder().decode(
      TakeSidecar.self, from: Data(contentsOf: URL(filePath: path)))
    #expect(sidecar.request.take == 1)
    #expect(sidecar.state == .complete)
  }

  @Test func a_take_after_a_paused_and_resumed_one_begins_at_its_mark() async throws {
    var request = request("pattern", nil)
    request.preset.timecode = .timeOfDay
    let pressed = Mutex<[StartMark]>([])
    let (outcome, events) = try await run(request) { event in
      switch event {
      case .standingBy(let number):
        guard number <= 2 else { return [.end] }
        let mark = StartMark.now
        pressed.withLock { $0.append(mark) }
        return [.toggle(mark)]
      case .started: return [.togglePause]
      case .paused: return [.togglePause]
      case .resumed: return [.toggle(.now)]
      // The first frame has not arrived yet.
      case .refused:
        Thread.sleep(forTimeInterval: 0.01)
        return [.togglePause]
      default: return []
      }
    }
    let turn = ["started", "paused", "resumed", "standing by"]
    #expect(
      events.filter { !$0.hasPrefix("finished") && $0 != "refused" }.map {
        $0.filter { !$0.isNumber }
      }
      .map { $0.trimmingCharacters(in: .whitespaces) } == ["standing by"] + turn + turn)
    #expect(outcome.takes.count == 2)
    // The first take begins with the first frame of the device, which had just been opened.
    for (take, mark) in zip(outcome.takes, pressed.withLock { $0 }).dropFirst() {
      let age = Double(MonotonicClock.now) * 1e-9 - mark.instant.seconds
      let wanted = Timecode(timeOfDay: Date().timeIntervalSince1970 - age, rate: .fps25)
      let text = try #require(take.report.movie.startTimecode)
      let start = try #require(Timecode(text, frameRate: .fps25))
      // The take starts with the next frame to be exposed, which is at this address or the next one.
      #expect(wanted.distance(to: start) <= 1)
    }
  }

  @Test func a_device_lost_between_takes_is_awaited() async throws {
    let hasEnded = Mutex(false)
    let (outcome, events) = try await run(request("pattern?pace=none&unplug=1500")) { event in
      switch event {
      case .standingBy(1): return [.toggle(.now)]
      case .standingBy:
        // First after the take, then when the device is back.
        let isSecond = hasEnded.withLock { state in
          defer { state = true }
          return state
        }
        return isSecond ? [.end] : []
      default: return []
      }
    }
    #expect(outcome.worst == .complete)
    #expect(events.contains("lost"))
    #expect(events.filter { $0 == "standing by 2" }.count == 2)
  }

  @Test func under_the_stop_policy_a_device_lost_between_takes_ends_the_session() async throws {
    let (outcome, events) = try await run(
      request("pattern?pace=none&unplug=1500", .frames(10), .stop)
    ) {
      if case .standingBy(1) = $0 { [.toggle(.now)] } else { [] }
    }
    #expect(outcome.takes.count == 1 && outcome.takes.first?.outcome == .complete)
    #expect(outcome.failure != nil && outcome.worst == .endedEarly)
    #expect(events.last == "lost for good")
  }

  @Test func a_take_that_loses_its_signal_continues_as_the_same_take() async throws {
    let resumed = Mutex(0)
    let (outcome, events) = try await run(request("pattern?pace=none&signal=200,1,200", nil)) {
      event in
      switch event {
      case .standingBy(1): return [.toggle(.now)]
      case .series(.resumed):
        return resumed.withLock {
          $0 += 1; return $0
        } == 1 ? [.toggle(.now)] : []
      case .finished: return [.end]
      default: return []
      }
    }
    #expect(events.contains("series"))
    let take = try #require(outcome.takes.first)
    #expect(take.report.end == .signalLost && take.report.continuations.count >= 1)
    #expect(take.outcome == .imperfect)
    let paths = [take.report.movie.path] + take.report.continuations.map(\.movie.path)
    #expect(Set(try paths.map(TakeIdentifier.read)).count == 1)
    #expect(take.report.continuations.first?.label?.take == 1)
  }

  @Test func a_session_without_a_take_throws_an_error() async throws {
    await #expect(throws: CaptureError.self) {
      _ = try await run(request("pattern?pace=none")) { _ in [.end] }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func impossible_commands_are_refused_and_the_session_continues() async throws {
    let (outcome, events) = try await run(request("pattern?pace=none")) { event in
      switch event {
      case .standingBy(1): [.togglePause, .cut, .toggle(.now)]
      case .standingBy: [.end]
      default: []
      }
    }
    #expect(events.filter { $0 == "refused" }.count == 2)
    #expect(outcome.takes.count == 1)
  }

  /// As when a preset with another rate is chosen while a start is scheduled.
  @Test func a_start_timecode_of_another_rate_is_dropped() throws {
    let session = try TakeSession(request("pattern"), name: folder.path("t-{take}.mov"))
    let loop = TakeLoop(session) { _ in }
    let instant = StartMark.now.instant
    func address(_ rate: FrameRate) throws -> Timecode? {
      let timecode = try StartTime("10:00:00:05")?.timecode(at: rate)
      return loop.suited(StartMark(instant: instant, timecode: timecode)).timecode
    }
    #expect(try address(.fps25)?.description == "10:00:00:05")
    for rate in [FrameRate.fps30, .fps29_97] { #expect(try address(rate) == nil) }
    #expect(loop.suited(StartMark(instant: instant)).instant == instant)
  }

  @Test func sessions_sharing_a_folder_choose_different_names() async throws {
    @Sendable func takes() async throws -> [String] {
      let (outcome, _) = try await run(request("pattern?pace=none", .frames(2))) { event in
        switch event {
        case .standingBy(let number): number <= 6 ? [.start(.now)] : [.end]
        case .refused: [.end]
        default: []
        }
      }
      return outcome.takes.map(\.report.movie.path)
    }
    async let one = takes()
    async let other = takes()
    let paths = try await one + other
    #expect(paths.count == 12 && Set(paths).count == 12, "\(paths)")
  }

  @Test func a_name_without_a_take_number_gets_one() throws {
    #expect(try MovieName("a.mov").tellingTakes.path(.init()) { _ in false } == "a-001.mov")
    #expect(try MovieName("x/a").tellingTakes.path(.init()) { _ in false } == "x/a-001")
    var values = MovieName.Values()
    values.scene = "2"
    #expect(try MovieName("{scene}.mov").tellingTakes.path(values) { _ in false } == "2-001.mov")
    #expect(try MovieName("a{counter}.mov").tellingTakes.path(.init()) { _ in false } == "a001.mov")
    let found = try MovieName("a{take}.mov").resolve(.init(), from: 7) { $0 == "a007.mov" }
    #expect(found == .init(path: "a008.mov", take: 8))
  }
}
