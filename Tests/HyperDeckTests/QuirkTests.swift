import Foundation
import Testing

@testable import HyperDeck
@testable import RecorderControl

/// Peculiarities of existing clients.
struct QuirkTests {
  private let full = DeckState.example(
    .status(.example(.recording, frames: 75, timecode: "10:00:02:24")), .finished("A-000.mov"))
  private let empty = DeckState.example()

  /// What Companion's module sends when it starts, in its multi-line form, and then every five seconds.
  static let companion = [
    "watchdog:\r\nperiod: 6\r\n\r\n",
    "notify:\r\nremote: true\r\ntransport: true\r\nslot: true\r\nconfiguration: true\r\n\r\n",
    "device info\r\n", "slot info:\r\nslot id: 1\r\n\r\n", "transport info\r\n",
    "configuration\r\n", "remote\r\n", "clips get\r\n", "ping\r\n",
  ]

  @Test func companion_completes_its_startup_with_and_without_a_recorder() {
    for deck in [full, empty] {
      var client = Conversation(deck)
      let codes = Self.companion.map { String(client.say($0).joined().prefix(4)) }
      #expect(codes == ["200 ", "200 ", "204 ", "202 ", "208 ", "211 ", "210 ", "205 ", "200 "])
    }
    // Other slots that it asks for are empty, not an error.
    var client = Conversation(full)
    #expect(
      client.say("slot info:\r\nslot id: 2\r\n\r\n")
        == ["202 slot info:\r\nslot id: 2\r\nstatus: empty\r\n\r\n"])
    // It accepts an empty list.
    client = Conversation(empty)
    #expect(client.ask("clips get") == "205 clips info:\r\nclip count: 0\r\n\r\n")
  }

  @Test func the_startup_of_companion_gets_exact_replies() {
    var client = Conversation(full, DeckIdentity(name: "Camera A", uniqueID: "0123456789ab"))
    let replies = Self.companion.flatMap { client.say($0) }.joined()
    #expect(
      replies == """
        200 ok\r
        200 ok\r
        204 device info:\r
        protocol version: 1.11\r
        model: HyperDeck Studio HD Plus\r
        unique id: 0123456789ab\r
        slot count: 1\r
        software version: 0.0.0\r
        name: Camera A\r
        \r
        202 slot info:\r
        slot id: 1\r
        status: mounted\r
        volume name: card\r
        recording time: 5400\r
        video format: 1080p25\r
        \r
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
        211 configuration:\r
        audio input: embedded\r
        video input: SDI\r
        file format: QuickTimeProResHQ\r
        audio codec: PCM\r
        record trigger: none\r
        \r
        210 remote info:\r
        enabled: true\r
        override: false\r
        \r
        205 clips info:\r
        clip count: 1\r
        1: A-000.mov 10:00:00:00 00:00:10:00\r
        \r
        200 ok\r

        """)
    // However the network divides what it sends.
    var other = Conversation(full, DeckIdentity(name: "Camera A", uniqueID: "0123456789ab"))
    let pieces = Self.companion.joined().unicodeScalars.flatMap { other.say(String($0)) }
    #expect(pieces.joined() == replies)
  }

  /// What ATEM switchers ask a deck when they connect, as far as is public: what deck emulators tested with ATEM
  /// Mini and its software have to answer, each in one line. No recording of a switcher's own bytes is known.
  private static let switcher = [
    "remote\r\n", "remote: enable: true\r\n",
    "notify: remote: true transport: true slot: true configuration: true\r\n",
    "device info\r\n", "slot info: slot id: 1\r\n", "slot info: slot id: 2\r\n",
    "transport info\r\n", "disk list\r\n", "clips count\r\n", "clips get\r\n", "ping\r\n",
  ]

  @Test func the_startup_of_a_switcher_gets_exact_replies() {
    let identity = DeckIdentity(name: "Camera A", uniqueID: "0123456789ab")
    let expected = """
      210 remote info:\r
      enabled: true\r
      override: false\r
      \r
      200 ok\r
      200 ok\r
      204 device info:\r
      protocol version: 1.11\r
      model: HyperDeck Studio HD Plus\r
      unique id: 0123456789ab\r
      slot count: 1\r
      software version: 0.0.0\r
      name: Camera A\r
      \r
      202 slot info:\r
      slot id: 1\r
      status: mounted\r
      volume name: card\r
      recording time: 5400\r
      video format: 1080p25\r
      \r
      202 slot info:\r
      slot id: 2\r
      status: empty\r
      \r
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
      206 disk list:\r
      slot id: 1\r
      1: A-000.mov QuickTimeProResHQ 1080p25 00:00:10:00\r
      \r
      214 clips count:\r
      clip count: 1\r
      \r
      205 clips info:\r
      clip count: 1\r
      1: A-000.mov 10:00:00:00 00:00:10:00\r
      \r
      200 ok\r

      """
    // Line by line, as a whole as in a single read, and byte by byte, because a network may divide it anywhere.
    let whole = Self.switcher.joined()
    for pieces in [Self.switcher, [whole], whole.unicodeScalars.map(String.init)] {
      var client = Conversation(full, identity)
      var replies = ""
      for piece in pieces {
        replies += client.say(piece).joined()
        // A command that changes the deck is answered once it has been carried out.
        while !client.orders.isEmpty, case let more = client.complete(), !more.isEmpty {
          replies += more.joined()
        }
      }
      #expect(replies == expected)
    }
  }

  @Test func single_line_replies_have_no_colon_and_blocks_are_complete() {
    for code in 100..<600 {
      guard let code = DeckCode(rawValue: code) else { continue }
      #expect(!code.text.contains(":"))
      #expect(DeckReply(code).bytes.filter { $0 == 0x0A }.count == 1)
    }
    var client = Conversation(full)
    for command in ["device info", "transport info", "clips get", "help", "notify"] {
      let blocks = client.say(command + "\r\n")
      #expect(blocks.count == 1)
      #expect(blocks.first?.hasSuffix("\r\n\r\n") == true)
      // The block contains no earlier end.
      #expect(blocks.first?.dropLast(2).contains("\r\n\r\n") == false)
    }
  }

  @Test func values_are_never_empty_and_contain_no_separator() {
    var client = Conversation(empty, DeckIdentity(name: "", model: "A: b", videoInput: "a\r\nb"))
    for command in ["device info", "transport info", "slot info", "configuration", "remote"] {
      for line in client.ask(command).split(separator: "\r\n").dropFirst() {
        let parts = line.components(separatedBy: ": ")
        #expect(parts.count == 2 && parts.allSatisfy { !$0.isEmpty }, "\(line)")
        #expect(!line.hasSuffix("slot id: none") && !line.hasPrefix("clip id: none"))
        #expect(!line.hasPrefix("active slot"))
      }
    }
    var deck = full
    deck.adopt(.finished("a: b\nc.mov"))
    client = Conversation(deck)
    #expect(client.ask("clips get").contains("\r\n2: a- b?c.mov 10:00:00:00 00:00:10:00\r\n"))
  }

  @Test func the_timeline_position_is_notified_under_both_names() {
    var client = Conversation(empty)
    client.say("notify: timeline position: true\r\n")
    #expect(client.update(full).joined().contains("timeline position: 75\r\ntimeline: 75\r\n"))
  }

  @Test func a_switcher_gets_remote_enabled_and_single_spaced_lists() {
    var client = Conversation(full)
    #expect(client.ask("remote").contains("\r\nenabled: true\r\n"))
    let start =
      "device info\r\nremote: enable: true\r\nnotify: slot: true transport: true remote: true\r\n"
    client.say(start)
    #expect(client.complete() == ["200 ok\r\n", "200 ok\r\n"])
    for command in ["disk list", "clips get"] {
      let lines = client.ask(command).split(separator: "\r\n").filter { $0.first?.isNumber == true }
      #expect(lines.count == 2)
      #expect(lines.last?.hasPrefix("1: A-000.mov ") == true, "one space after the number")
      #expect(lines.last?.contains("  ") == false)
    }
  }

  @Test(arguments: [
    ("30000/1001", "10:00:59;29", "10:00:59;29"), ("60000/1001", "10:00:59;59", "10:00:59;59"),
    ("25", "10:00:59;24", "10:00:59:24"), ("24000/1001", "10:00:59;23", "10:00:59:23"),
    ("30", "10:00:59;29", "10:00:59:29"), ("30000/1001", "10:00:59:29", "10:00:59:29"),
  ])
  func a_semicolon_appears_only_at_drop_frame_rates(rate: String, reported: String, shown: String) {
    var client = Conversation(
      .example(.status(.example(.recording, frames: 1800, timecode: reported, rate: rate))))
    let text = client.ask("transport info")
    #expect(text.contains("\r\ndisplay timecode: \(shown)\r\n"))
    #expect(text.contains(";") == shown.contains(";"))
  }

  @Test func spill_is_accepted_with_and_without_a_slot() {
    var client = Conversation(full)
    for line in ["record spill", "record spill: slot id: 1", "record: spill: slot id: 1"] {
      client.say(line + "\r\n")
      #expect(client.orders.last == .split, "\(line)")
      #expect(client.complete() == ["200 ok\r\n"])
    }
  }
}
