import Testing

@testable import HyperDeck
@testable import RecorderControl

struct NotificationTests {
  private let idle = DeckState.example(.status(.example(.idle)))

  @Test func only_requested_changes_are_notified() {
    var deck = Conversation(idle)
    #expect(deck.ask("notify: transport: true") == "200 ok\r\n")
    #expect(deck.update(idle).isEmpty)
    let recording = DeckState.example(
      .status(.example(.recording, frames: 1, timecode: "10:00:00:00")))
    #expect(
      deck.update(recording) == [
        """
        508 transport info:\r
        status: record\r
        clip id: 1\r
        display timecode: 10:00:00:00\r
        timecode: 00:00:00:01\r
        \r

        """
      ])
    // A running timecode is not reported as a change.
    let later = DeckState.example(
      .status(.example(.recording, frames: 2, timecode: "10:00:00:01")))
    #expect(deck.update(later).isEmpty)
    #expect(deck.ask("notify: transport: false") == "200 ok\r\n")
    #expect(deck.update(idle).isEmpty)
  }

  @Test func a_reply_precedes_the_notification_it_causes() {
    var deck = Conversation(idle)
    deck.say("notify:\r\ntransport: true\r\n\r\nrecord\r\n")
    let recording = DeckState.example(.status(.example(.recording, frames: 1)))
    #expect(deck.update(recording).isEmpty, "the reply is pending")
    let reported = deck.complete()
    #expect(reported.first == "200 ok\r\n")
    #expect(reported.dropFirst().map { String($0.prefix(3)) } == ["508"])
  }

  @Test func timecode_and_position_are_notified_per_frame_on_request() {
    var deck = Conversation(idle)
    deck.say("notify: display timecode: true timeline position: true\r\n")
    #expect(
      deck.update(
        .example(.status(.example(.recording, frames: 2, timecode: "10:00:00:01")))) == [
          "513 display timecode:\r\ndisplay timecode: 10:00:00:01\r\n\r\n",
          "514 timeline position:\r\ntimeline position: 2\r\ntimeline: 2\r\n\r\n",
        ])
  }

  @Test func slot_configuration_and_input_changes_are_notified() {
    var deck = Conversation(idle)
    deck.say("notify: slot: true configuration: true transport: true\r\n")
    #expect(
      deck.update(
        .example(
          .status(.example(.idle, secondsLeft: 100, hasSignal: false, codec: "lt")))) == [
          "502 slot info:\r\nslot id: 1\r\nrecording time: 100\r\n\r\n",
          "508 transport info:\r\ninput video format: none\r\n\r\n",
          "511 configuration:\r\nfile format: QuickTimeProResLT\r\n\r\n",
        ])
    var away = idle
    away.adopt(.away(message: "gone"))
    #expect(
      deck.update(away).first
        == "502 slot info:\r\nslot id: 1\r\nstatus: empty\r\n\r\n")
  }

  @Test func recording_time_is_notified_in_steps_of_ten_seconds() {
    var deck = Conversation(.example(.status(.example(.recording, secondsLeft: 5400))))
    deck.say("notify: slot: true\r\n")
    func reported(_ left: Double) -> [String] {
      deck.update(.example(.status(.example(.recording, secondsLeft: left))))
    }
    #expect(reported(5399.5) == ["502 slot info:\r\nslot id: 1\r\nrecording time: 5399\r\n\r\n"])
    #expect(reported(5395).isEmpty && reported(5391).isEmpty)
    #expect(reported(5388.7) == ["502 slot info:\r\nslot id: 1\r\nrecording time: 5388\r\n\r\n"])
  }

  @Test func unsupported_notifications_are_refused() {
    var deck = Conversation(idle)
    for key in ["dropped frames", "clips", "disk", "slate", "nas", "device info"] {
      #expect(deck.ask("notify: \(key): true") == "101 unsupported parameter\r\n")
      #expect(deck.ask("notify: \(key): false") == "200 ok\r\n")
    }
    // All or nothing.
    #expect(deck.ask("notify: slot: true clips: true") == "101 unsupported parameter\r\n")
    #expect(deck.ask("notify: playrange: true remote: true") == "200 ok\r\n")
    #expect(
      deck.ask("notify") == """
        209 notify:\r
        transport: false\r
        slot: false\r
        remote: true\r
        configuration: false\r
        dropped frames: false\r
        display timecode: false\r
        timeline position: false\r
        playrange: true\r
        cache: false\r
        dynamic range: false\r
        \r

        """)
  }
}
