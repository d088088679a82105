import MediaCore
import TakeReports
import Takes
import Testing

@testable import OSC
@testable import RecorderControl

struct OSCSessionTests {
  private let peer = OSCPeer(host: "10.0.0.7", port: 4000)

  /// The messages sent, with their receivers' ports.
  private func sent(_ effects: [OSCSession.Effect]) throws -> [String] {
    try effects.compactMap { effect in
      guard case .send(let bytes, let peer) = effect else { return nil }
      guard case .message(let message) = try OSCPacket(bytes) else { return nil }
      return "\(peer.port) \(message.address) \(message.arguments)"
    }
  }

  private func commands(_ effects: [OSCSession.Effect]) -> [RecorderCommand] {
    effects.compactMap { if case .perform(let command, _) = $0 { command } else { nil } }
  }

  private func status(
    _ state: RecorderStatus.StateName, timecode: String? = nil,
    lost: RecordingProgress.LostPlace? = nil, movie: String = "A.mov"
  ) -> RecorderUpdate {
    var progress = RecordingProgress()
    progress.lostPlace = lost
    progress.timecode = timecode
    progress.duration = 1.5
    progress.worstCaseSecondsLeft = 60
    return .status(
      RecorderStatus(
        state: state, take: .init(number: 1, path: "/media/card/\(movie)"), isStandingBy: false,
        isPaused: false, takesFinishing: 0, takesFinished: 0,
        source: .init(
          deviceID: "a", deviceName: "b", format: "c", preset: "p", codec: "hq", hasSignal: true),
        progress: progress, processID: 1))
  }

  @Test(arguments: [
    (OSCMessage("/recorder/start"), RecorderCommand.start(TakeSlate(), nil)),
    (OSCMessage("/recorder/start", .string("a-{take}")), .start(TakeSlate(name: "a-{take}"), nil)),
    (OSCMessage("/recorder/start", .float(1)), .start(TakeSlate(), nil)),
    (OSCMessage("/recorder/record", .int(1)), .start(TakeSlate(), nil)),
    (OSCMessage("/recorder/record", .bool(true)), .start(TakeSlate(), nil)),
    (OSCMessage("/recorder/record", .float(0)), .stop), (OSCMessage("/recorder/stop"), .stop),
    (OSCMessage("/recorder/stop", .impulse), .stop), (OSCMessage("/recorder/split"), .split),
    (OSCMessage("/recorder/mark", .string("good")), .mark("good")),
    (OSCMessage("/recorder/mark"), .mark("")),
  ])
  func messages_map_to_recorder_commands(message: OSCMessage, command: RecorderCommand) {
    var session = OSCSession()
    #expect(commands(session.receive(message.bytes, from: peer, at: 0)) == [command])
  }

  @Test(arguments: [
    OSCMessage("/recorder/start", .float(0)), OSCMessage("/recorder/stop", .int(0)),
    OSCMessage("/recorder/split", .bool(false)), OSCMessage("/other/start"), OSCMessage("/start"),
    OSCMessage("/recorderstart"),
  ])
  func button_releases_and_foreign_addresses_are_ignored(message: OSCMessage) {
    var session = OSCSession()
    #expect(session.receive(message.bytes, from: peer, at: 0).isEmpty)
  }

  @Test(arguments: [
    OSCMessage("/recorder/start", .string("../a")), OSCMessage("/recorder/start", .string("{x}")),
    OSCMessage("/recorder/record"), OSCMessage("/recorder/record", .string("yes")),
    OSCMessage("/recorder/format"), OSCMessage("/recorder/*"),
    OSCMessage("/recorder/subscribe", .int(0)),
  ])
  func invalid_messages_are_answered_with_an_error(message: OSCMessage) throws {
    var session = OSCSession()
    let effects = session.receive(message.bytes, from: peer, at: 0)
    #expect(commands(effects).isEmpty)
    #expect(try sent(effects).first?.hasPrefix("4000 /recorder/error ") == true)
  }

  /// Otherwise a server subscribed to itself, or two that are each other's receivers, would never stop.
  @Test func own_messages_are_never_answered() throws {
    var session = OSCSession()
    _ = session.update(status(.recording, timecode: "10:00:00:00"))
    let own = OSCMessage("/recorder/subscribe", .int(8000)).bytes
    let refused = session.receive(OSCMessage("/recorder/format").bytes, from: peer, at: 0)
    let reported =
      session.receive(own, from: peer, at: 0) + refused + session.complete(nil, for: peer, .stop)
    #expect(reported.count == 17)
    for effect in reported {
      guard case .send(let bytes, _) = effect else { continue }
      #expect(session.receive(bytes, from: peer, at: 0).isEmpty, "\(bytes)")
    }
  }

  @Test func the_outcome_of_a_command_is_reported() throws {
    var session = OSCSession(prefix: "/a")
    #expect(commands(session.receive(OSCMessage("/a/stop").bytes, from: peer, at: 0)) == [.stop])
    #expect(
      try sent(session.complete(nil, for: peer, .stop)) == [
        "4000 /a/done \([OSCMessage.Argument.string("stop")])"
      ])
    let refused = session.complete(
      ErrorSummary(code: "invalidState", message: "no take"), for: peer, .stop)
    #expect(try sent(refused).first?.contains("invalidState") == true)
    let taken = session.complete(
      ErrorSummary(code: "fileAlreadyExists", message: "/media/card/A.mov exists"), for: peer, .stop
    )
    #expect(try sent(taken).first?.contains("\"A.mov exists\"") == true, "folders are not revealed")
  }

  @Test func a_subscriber_receives_the_full_state_and_then_changes() throws {
    var session = OSCSession()
    _ = session.update(status(.idle))
    let subscribe = OSCMessage("/recorder/subscribe", .int(9000)).bytes
    let all = try sent(session.receive(subscribe, from: peer, at: 0))
    #expect(all.count == 15 && all.allSatisfy { $0.hasPrefix("9000 /recorder/") }, "\(all)")
    #expect(session.update(status(.idle)).isEmpty)
    let changes = try sent(session.update(status(.recording, timecode: "10:00:00:00")))
    func has(_ end: String, _ argument: OSCMessage.Argument) -> Bool {
      changes.contains("9000 /recorder/\(end) \([argument])")
    }
    #expect(has("tally", .int(1)) && has("state", .string("recording")), "\(changes)")
    #expect(has("timecode", .string("10:00:00:00")) && has("take", .string("A.mov")))
    #expect(has("elapsed", .float(1.5)) && changes.count == 5)
    // As text, the mark forms one character with the slash before it.
    let marked = try sent(
      session.update(status(.recording, timecode: "10:00:00:00", movie: "\u{301}A.mov")))
    #expect(marked.contains("9000 /recorder/take \([OSCMessage.Argument.string("\u{301}A.mov")])"))
    // Values that are no longer known are reset.
    let gone = try sent(session.update(.away(message: "no recorder at /run/a.socket")))
    let unknown: [(String, OSCMessage.Argument)] = [
      ("state", .string("away")), ("message", .string("no recorder at a.socket")),
      ("tally", .int(0)), ("take", .string("")), ("timecode", .string("")), ("elapsed", .float(0)),
      ("signal", .int(0)), ("remaining", .float(-1)),
    ]
    #expect(gone == unknown.map { "9000 /recorder/\($0) \([$1])" })
    let unsubscribe = OSCMessage("/recorder/unsubscribe").bytes
    let end = "9000 /recorder/subscription \([OSCMessage.Argument.int(0)])"
    #expect(try sent(session.receive(unsubscribe, from: peer, at: 0)) == [end])
    #expect(session.update(status(.idle)).isEmpty)
  }

  @Test func remaining_time_between_takes_is_that_of_the_disk() throws {
    var session = OSCSession()
    guard case .status(var idle) = status(.idle) else { return }
    (idle.progress, idle.disk) = (nil, .init(freeSpace: 7_000, worstCaseSecondsLeft: 90.5))
    _ = session.update(.status(idle))
    let reported = try sent(
      session.receive(OSCMessage("/recorder/status").bytes, from: peer, at: 0))
    #expect(
      reported.contains("4000 /recorder/remaining \([OSCMessage.Argument.float(90)])"),
      "\(reported)")
  }

  /// Other programs and the system change it all the time.
  @Test func remaining_time_is_reported_in_steps_of_one_or_ten_seconds() throws {
    var session = OSCSession()
    guard case .status(var shown) = status(.idle) else { return }
    _ = session.receive(OSCMessage("/recorder/subscribe").bytes, from: peer, at: 0)
    func reported(_ state: RecorderStatus.StateName, _ seconds: Double?) throws -> [String] {
      shown.state = state
      shown.progress?.worstCaseSecondsLeft = seconds
      return try sent(session.update(.status(shown))).filter { $0.contains("/remaining") }
    }
    func remaining(_ seconds: Float) -> [String] {
      ["4000 /recorder/remaining \([OSCMessage.Argument.float(seconds)])"]
    }
    #expect(try reported(.idle, 91_197.235) == remaining(91_197))
    #expect(try reported(.idle, 91_197.9).isEmpty && reported(.idle, 91_188).isEmpty)
    #expect(try reported(.idle, 91_186.5) == remaining(91_186))
    #expect(try reported(.recording, 91_185.7).isEmpty && reported(.recording, 91_186.4).isEmpty)
    #expect(try reported(.recording, 91_185) == remaining(91_185))
    #expect(try reported(.idle, nil) == remaining(-1) && reported(.idle, 3.5) == remaining(3))
  }

  @Test func a_lost_disk_is_reported_while_recording() throws {
    var session = OSCSession()
    _ = session.update(status(.recording))
    _ = session.receive(OSCMessage("/recorder/subscribe").bytes, from: peer, at: 0)
    let lost = RecordingProgress.LostPlace(path: "/b/A.mov", isSecond: true, message: "gone")
    let two = "4000 /recorder/lostdisk \([OSCMessage.Argument.int(2)])"
    #expect(try sent(session.update(status(.recording, lost: lost))) == [two])
    let none = "4000 /recorder/lostdisk \([OSCMessage.Argument.int(0)])"
    #expect(try sent(session.update(status(.idle, lost: lost))).contains(none))
  }

  @Test func an_expired_subscription_ends_and_is_reported() throws {
    var session = OSCSession()
    let subscribe = OSCMessage("/recorder/subscribe").bytes
    func term(_ seconds: Int32) -> String {
      "4000 /recorder/subscription \([OSCMessage.Argument.int(seconds)])"
    }
    #expect(try sent(session.receive(subscribe, from: peer, at: 0)).last == term(60))
    #expect(session.tick(at: OSCSession.subscriptionTime - 1).isEmpty)
    #expect(try sent(session.receive(subscribe, from: peer, at: 1000)).last == term(60))
    #expect(session.tick(at: OSCSession.subscriptionTime).isEmpty)
    #expect(session.peers == [peer])
    #expect(try sent(session.tick(at: OSCSession.subscriptionTime + 1000)) == [term(0)])
    #expect(session.peers.isEmpty)
  }

  @Test func configured_receivers_use_no_slots_and_get_the_state_each_minute() throws {
    let receivers = (1...3).map { OSCPeer(host: "10.0.0.9", port: $0) }
    var session = OSCSession(receivers: receivers)
    let subscribe = OSCMessage("/recorder/subscribe").bytes
    for port in 1...100 {
      _ = session.receive(subscribe, from: OSCPeer(host: "10.0.0.7", port: port), at: 0)
    }
    #expect(session.peers.count == OSCSession.subscriberLimit + 3)
    _ = session.receive(
      OSCMessage("/recorder/unsubscribe").bytes, from: OSCPeer(host: "10.0.0.7", port: 1), at: 0)
    #expect(session.peers == Set(receivers))
    #expect(try sent(session.update(status(.idle))).count == 3 * 14)
    #expect(session.tick(at: 0).isEmpty && session.tick(at: 1).isEmpty)
    #expect(try sent(session.tick(at: OSCSession.subscriptionTime)).count == 3 * 14)
    #expect(session.tick(at: OSCSession.subscriptionTime + 1).isEmpty)
    // A receiver that asks is answered, too.
    #expect(try sent(session.receive(subscribe, from: receivers[0], at: 2)).count == 14)
  }

  @Test func pending_commands_are_limited_in_number() throws {
    var session = OSCSession()
    let stop = OSCMessage("/recorder/stop")
    let bundle = OSCPacket.bundle(timeTag: 1, .init(repeating: .message(stop), count: 40))
    let effects = session.receive(bundle.bytes, from: peer, at: 0)
    #expect(commands(effects).count == OSCSession.commandLimit)
    #expect(try sent(effects).count == 40 - OSCSession.commandLimit)
    _ = session.complete(nil, for: peer, .stop)
    #expect(commands(session.receive(stop.bytes, from: peer, at: 0)) == [.stop])
  }
}
