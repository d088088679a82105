import MediaCore
import Testing

@testable import HyperDeck
@testable import RecorderControl

struct SessionTests {
  private var idle: Conversation { Conversation(.example(.status(.example(.idle)))) }
  private var recording: Conversation {
    Conversation(.example(.status(.example(.recording, frames: 75, timecode: "10:00:02:24"))))
  }

  @Test func a_client_is_greeted_with_protocol_and_model() {
    var session = HyperDeckSession(
      DeckIdentity(model: "HyperDeck Studio 4K Pro"), deck: .example(), at: 0)
    #expect(
      session.open() == [
        .send(
          Array(
            "500 connection info:\r\nprotocol version: 1.11\r\nmodel: HyperDeck Studio 4K Pro\r\n\r\n"
              .utf8))
      ])
  }

  @Test func queries_get_exact_replies() {
    var deck = Conversation(
      .example(
        .status(.example(.recording, frames: 75, timecode: "10:00:02:24")),
        .finished("A-000.mov")))
    #expect(
      deck.ask("transport info") == """
        208 transport info:\r
        status: record\r
        speed: 0\r
        slot id: 1\r
        clip id: 2\r
        single clip: false\r
        display timecode: 10:00:02:24\r
        timecode: 00:00:03:00\r
        video format: 1080p25\r
        loop: false\r
        input video format: 1080p25\r
        \r

        """)
    #expect(
      deck.ask("slot info") == """
        202 slot info:\r
        slot id: 1\r
        status: mounted\r
        volume name: card\r
        recording time: 5400\r
        video format: 1080p25\r
        \r

        """)
    #expect(
      deck.ask("configuration") == """
        211 configuration:\r
        audio input: embedded\r
        video input: SDI\r
        file format: QuickTimeProResHQ\r
        audio codec: PCM\r
        record trigger: none\r
        \r

        """)
    #expect(
      deck.ask("clips get") == """
        205 clips info:\r
        clip count: 1\r
        1: A-000.mov 10:00:00:00 00:00:10:00\r
        \r

        """)
    #expect(
      deck.ask("clips get: version: 2").contains(
        "\r\n1: 10:00:00:00 00:00:10:00 00:00:00:00 00:00:10:00 A-000.mov\r\n"))
    #expect(
      deck.ask("disk list") == """
        206 disk list:\r
        slot id: 1\r
        1: A-000.mov QuickTimeProResHQ 1080p25 00:00:10:00\r
        \r

        """)
    #expect(deck.ask("clips count") == "214 clips count:\r\nclip count: 1\r\n\r\n")
    #expect(deck.ask("remote") == "210 remote info:\r\nenabled: true\r\noverride: false\r\n\r\n")
    deck.now = 61.5
    #expect(deck.ask("uptime") == "215 uptime:\r\nuptime: 61\r\n\r\n")
    #expect(deck.ask("ping") == "200 ok\r\n")
  }

  @Test func device_info_describes_the_device() {
    var deck = Conversation(
      .example(), DeckIdentity(name: "Camera A", uniqueID: "0123456789ab", softwareVersion: "1.2"))
    #expect(
      deck.ask("device info") == """
        204 device info:\r
        protocol version: 1.11\r
        model: HyperDeck Studio HD Plus\r
        unique id: 0123456789ab\r
        slot count: 1\r
        software version: 1.2\r
        name: Camera A\r
        \r

        """)
    #expect(DeckIdentity(name: "A").uniqueID != DeckIdentity(name: "B").uniqueID)
    #expect(DeckIdentity(name: "A").uniqueID.count == 12)
  }

  @Test func help_lists_only_supported_commands() {
    var deck = idle
    for command in ["help", "?", "commands"] {
      let text = deck.ask(command)
      #expect(text.contains("record spill") && text.hasSuffix("\r\n\r\n"))
      #expect(!text.contains("format:") && !text.contains("\"format\"") && !text.contains("reboot"))
    }
  }

  @Test func a_take_is_started_named_split_and_stopped() {
    var deck = idle
    #expect(deck.say("record\r\n").isEmpty, "the reply follows completion")
    #expect(deck.complete() == ["200 ok\r\n"])
    deck.say("record: name: {scene}-interview 4\r\n")
    #expect(deck.complete() == ["200 ok\r\n"])
    deck.say("record spill\r\n")
    #expect(deck.complete() == ["200 ok\r\n"])
    deck.say("record: spill: slot id: 1\r\n")
    #expect(deck.complete() == ["200 ok\r\n"])
    deck.say("stop\r\n")
    #expect(deck.complete() == ["200 ok\r\n"])
    #expect(
      deck.orders == [
        .record(name: nil), .record(name: "{scene}-interview 4"), .split, .split, .stop,
      ])
  }

  @Test(arguments: ["../../etc/passwd", "/tmp/a", "a/b", "{home}", "a}"])
  func a_take_name_is_never_a_path(name: String) {
    var deck = idle
    #expect(deck.ask("record: name: \(name)") == "102 invalid value\r\n")
    #expect(deck.ask("record:\r\nname: \(name)\r\n") == "102 invalid value\r\n")
    #expect(deck.orders.isEmpty)
  }

  @Test(arguments: [
    ("invalidState", DeckOrder.record(name: nil), "150 invalid state\r\n"),
    ("invalidState", .split, "150 invalid state\r\n"),
    ("invalidState", .stop, "200 ok\r\n"), ("diskFull", .record(name: nil), "104 disk full\r\n"),
    ("fileAlreadyExists", .record(name: nil), "102 invalid value\r\n"),
    ("signalLost", .record(name: nil), "110 no input\r\n"),
    ("connectionClosed", .record(name: nil), "105 no disk\r\n"),
    ("outputFailed", .record(name: nil), "106 disk error\r\n"),
    ("timedOut", .stop, "108 internal error\r\n"),
  ])
  func recorder_refusals_map_to_deck_codes(
    code: String, order: DeckOrder, reply: String
  ) {
    var deck = idle
    deck.say(order == .stop ? "stop\n" : order == .split ? "record spill\n" : "record\n")
    #expect(deck.orders == [order])
    #expect(deck.complete(.refused(ErrorSummary(code: code, message: "a: b"))) == [reply])
  }

  @Test func replies_keep_the_order_of_commands() {
    var deck = idle
    #expect(deck.say("ping\r\nrecord\r\nclips count\r\nstop\r\n") == ["200 ok\r\n"])
    #expect(!deck.session.wantsInput)
    #expect(deck.orders == [.record(name: nil)])
    #expect(deck.complete() == ["200 ok\r\n", "214 clips count:\r\nclip count: 0\r\n\r\n"])
    #expect(deck.orders.last == .stop)
    #expect(deck.complete() == ["200 ok\r\n"] && deck.session.wantsInput)
  }

  @Test func harmful_and_playback_commands_are_unsupported() {
    var deck = idle
    for command in DeckCommand.refused {
      #expect(deck.ask(command) == "103 unsupported\r\n", "\(command)")
      #expect(deck.ask("\(command): name: x") == "103 unsupported\r\n", "\(command)")
      #expect(deck.ask("\(command):\r\nname: x\r\n") == "103 unsupported\r\n", "\(command)")
    }
    for line in [
      "format: prepare: exFAT", "format: confirm: 1234", "play: speed: 200 loop: true",
      "goto: clip id: +1", "jog: timecode: +00:00:01:00", "nas add: name: x",
      "preview: enable: false", "slot select: video format: PAL",
      "configuration: file format: H.264High",
    ] { #expect(deck.ask(line) == "103 unsupported\r\n", "\(line)") }
    #expect(deck.orders.isEmpty)
  }

  @Test func invalid_parameters_are_refused_with_their_codes() {
    var deck = idle
    for (line, reply) in [
      ("slot info: slot id: 9", "109 out of range"), ("slot info: slot id: x", "102 invalid value"),
      ("slot select: slot id: 2", "105 no disk"), ("slot select", "100 syntax error"),
      ("clips get: clip id: 5", "112 clip not found"),
      ("clips get: version: 3", "102 invalid value"),
      ("preview: enable: maybe", "102 invalid value"), ("preview", "100 syntax error"),
      ("watchdog: period: -1", "102 invalid value"), ("watchdog", "100 syntax error"),
      ("remote: enable: 1", "102 invalid value"), ("notify: slot: yes", "102 invalid value"),
      ("record: volume: 1", "101 unsupported parameter"), ("record: x", "100 syntax error"),
      ("configuration: usb spill: true", "101 unsupported parameter"), ("dance", "103 unsupported"),
      ("record spill: slot id: 2", "105 no disk"),
    ] { #expect(deck.ask(line) == reply + "\r\n", "\(line)") }
    #expect(deck.orders.isEmpty)
    for line in [
      "preview: enable: true", "slot select: slot id: 1", "configuration: video input: SDI",
    ] {
      #expect(deck.ask(line) == "200 ok\r\n", "\(line)")
    }
  }

  @Test func without_a_recorder_the_slot_is_empty() {
    var deck = Conversation(
      .example(.status(.example(.idle)), .away(message: "no recorder at x")))
    #expect(deck.ask("slot info").contains("status: empty\r\n"))
    #expect(deck.ask("transport info").contains("status: stopped\r\n"))
    #expect(deck.ask("record") == "105 no disk\r\n")
    #expect(deck.ask("disk list") == "105 no disk\r\n")
    #expect(deck.ask("slot select: slot id: 1") == "105 no disk\r\n")
  }

  @Test func disabled_remote_control_blocks_commands() {
    var deck = idle
    deck.say("notify: remote: true\r\nremote: enable: false\r\n")
    #expect(deck.orders == [.enableRemote(false)])
    #expect(
      deck.complete() == ["200 ok\r\n", "510 remote info:\r\nenabled: false\r\n\r\n"])
    #expect(deck.ask("record") == "111 remote control disabled\r\n")
    #expect(deck.ask("stop") == "111 remote control disabled\r\n")
    #expect(deck.ask("record spill") == "111 remote control disabled\r\n")
    #expect(
      deck.say("remote: override: true\r\n")
        == ["200 ok\r\n", "510 remote info:\r\noverride: true\r\n\r\n"])
    deck.say("record\r\n")
    #expect(deck.orders.last == .record(name: nil))
  }

  @Test func a_client_silent_longer_than_its_period_is_disconnected() {
    var deck = idle
    deck.now = 1000
    deck.tick()
    #expect(deck.closed == nil)
    #expect(deck.ask("watchdog: period: 6") == "200 ok\r\n")
    deck.now += 5.9
    deck.tick()
    #expect(deck.ask("ping") == "200 ok\r\n")
    deck.now += 5.9
    deck.tick()
    #expect(deck.closed == nil)
    // Silence while the recorder carries out a command is not the client's fault.
    deck.say("record\r\n")
    deck.now += 20
    deck.tick()
    #expect(deck.closed == nil)
    _ = deck.complete()
    #expect(deck.ask("watchdog: period: 0") == "200 ok\r\n")
    deck.now += 100
    deck.tick()
    #expect(deck.closed == nil)
    #expect(deck.ask("watchdog: period: 1") == "200 ok\r\n")
    deck.now += 1.1
    deck.tick()
    #expect(deck.closed == .watchdog)
  }

  @Test func commands_after_quit_are_ignored() {
    var deck = idle
    #expect(deck.say("quit\r\nrecord\r\n") == ["200 ok\r\n"])
    #expect(deck.closed == .quit && deck.orders.isEmpty && deck.say("ping\r\n").isEmpty)
  }

  @Test func browsers_and_overlong_lines_are_disconnected() {
    var deck = idle
    #expect(deck.say("POST / HTTP/1.1\r\nHost: x\r\n\r\nrecord\r\n").isEmpty)
    #expect(deck.closed == .stranger && deck.orders.isEmpty)
    deck = idle
    #expect(deck.ask(String(repeating: "x", count: 5000)) == "100 syntax error\r\n")
    #expect(deck.closed == .tooLong)
  }

  @Test func many_commands_are_answered_in_batches() {
    var deck = idle
    let first = deck.say(String(repeating: "help\n", count: 1000))
    #expect(first.count < 200 && deck.session.hasMore && !deck.session.wantsInput)
    var count = first.count
    while deck.session.hasMore { count += deck.proceed().count }
    #expect(count == 1000 && deck.session.wantsInput)
  }
}
