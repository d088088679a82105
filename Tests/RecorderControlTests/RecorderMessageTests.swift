import MediaCore
import Testing

@testable import RecorderControl

/// How a client interprets a line.
@Suite struct RecorderMessageTests {
  private static func read(_ text: String) throws(ControlError) -> RecorderMessage {
    try RecorderMessage(line: Array(text.utf8))
  }

  @Test func replies_and_events_are_distinguished_by_their_schema() throws {
    var event = RecorderEvent(.notice)
    event.message = "a line"
    let line = try MessageLine.bytes(.recorderEvent, event)
    #expect(try RecorderMessage(line: line.dropLast()) == .event(event))
    var reply = RecorderReply()
    reply.id = 7
    let answer = try MessageLine.bytes(.recorderReply, reply)
    #expect(try RecorderMessage(line: answer.dropLast()) == .reply(reply))
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH", "", "[]", "7", "{}", #"{"schema":7}"#,
    #"{"schema":"prores-recorder/check"}"#,
  ])
  func lines_of_other_programs_are_not_damaged_messages(_ text: String) throws {
    #expect(try Self.read(text) == .other)
  }

  @Test func unreadable_recorder_messages_fail_with_a_reason() {
    let error = #expect(throws: ControlError.self) {
      try Self.read(#"{"schema":"prores-recorder/recorder-event","event":"notice","date":7}"#)
    }
    #expect(error?.code == .invalidMessage && error?.message.contains("date") == true)
  }
}
