import Foundation
import MediaCore
import Monitor
import TakeReports
import Takes
import Testing

@testable import RecorderControl

@Suite struct MessageTests {
  private static func line(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static let commands: [RecorderCommand] = [
    .status, .stop, .split, .quit, .retire, .mark("a \"note\""), .standBy(true),
    .preset("1080p25-hq"),
    .events(false), .acknowledge(7),
    .start(TakeSlate(name: "{scene}-{take}", reel: "A1", scene: "12", take: 3), nil),
    .start(TakeSlate(), .date(unixTime: 1_795_426_200)),
    .monitor(
      .init(pictureRate: 15, scopes: [.waveform, .histogram], levels: true, alarms: true)),
  ]

  @Test(arguments: commands) func a_command_survives_a_round_trip_through_its_line(
    command: RecorderCommand
  ) throws {
    let line = try CommandMessage(command, id: 5).line()
    #expect(line.last == 0x0A && line.dropLast().firstIndex(of: 0x0A) == nil)
    let message = try CommandMessage(line: line.dropLast())
    #expect(message.command == command && message.id == 5 && message.notes.isEmpty)
  }

  @Test(arguments: [0, 0.01, 60]) func the_lowest_and_highest_picture_rates_are_accepted(
    rate: Double
  ) throws {
    let line = try CommandMessage(.monitor(.init(pictureRate: rate))).line().dropLast()
    #expect(try CommandMessage(line: Array(line)).command == .monitor(.init(pictureRate: rate)))
  }

  /// A client that may only watch must not be able to end a take.
  @Test func acknowledging_at_an_impossible_rate_stops_previews_safely() {
    var client = ServerClient(id: 1, descriptor: -1, lastProgress: 0)
    for rate in [1e-300, Double.leastNonzeroMagnitude, 0.01, 60, 0] {
      client.subscription.pictureRate = rate
      client.turn = .unacknowledged(7, sent: 5)
      let isOther = client.acknowledge(8)
      #expect(!isOther && client.turn == .unacknowledged(7, sent: 5))
      let isShown = client.acknowledge(7)
      let due: Int64 = rate == 0.01 ? 100_000_000_005 : rate == 60 ? 16_666_671 : .max
      #expect(isShown && client.turn == .ready(from: due), "\(rate)")
    }
  }

  @Test func a_start_timecode_is_a_time_of_day() throws {
    let message = try CommandMessage(
      line: Self.line(#"{"command":"start","timecode":"09:30:00:12"}"#))
    let time = try #require(StartTime("09:30:00:12"))
    #expect(message.command == .start(TakeSlate(), .timeOfDay(time, text: "09:30:00:12")))
  }

  @Test(arguments: [
    ("nonsense", "invalidMessage", "JSON"), ("[]", "invalidMessage", "JSON object"),
    ("{}", "invalidMessage", "command"), (#"{"command":"strat"}"#, "unknownCommand", "start"),
    (#"{"command":"status","version":99}"#, "unsupportedVersion", "99"),
    (#"{"command":"standby"}"#, "invalidMessage", "isOn"),
    (#"{"command":"standby","isOn":"yes"}"#, "invalidMessage", "isOn"),
    (#"{"command":"start","at":"noon"}"#, "invalidMessage", "noon"),
    (#"{"command":"start","timecode":"25:00"}"#, "invalidMessage", "25:00"),
    (
      #"{"command":"start","timecode":"09:00","at":"2026-11-23T09:30:00Z"}"#, "invalidMessage",
      "both"
    ),
    (#"{"command":"start","take":-1}"#, "invalidMessage", "-1"),
    (#"{"command":"monitor","pictureRate":1000}"#, "invalidMessage", "60"),
    (#"{"command":"monitor","pictureRate":-1}"#, "invalidMessage", "60"),
    (#"{"command":"monitor","pictureRate":1e-300}"#, "invalidMessage", "0.01"),
    (#"{"command":"monitor","pictureRate":0.009}"#, "invalidMessage", "0.01"),
    (#"{"command":"monitor","scopes":["radar"]}"#, "invalidMessage", "waveform"),
    (
      #"{"command":"monitor","region":{"x":0,"y":0,"width":4000,"height":9}}"#, "invalidMessage",
      "1920"
    ),
    (
      #"{"command":"monitor","region":{"x":-1,"y":0,"width":4,"height":9}}"#, "invalidMessage",
      "negative"
    ),
  ]) func invalid_commands_are_refused_with_a_reason(line: String, code: String, word: String) {
    do throws(ControlError) {
      let message = try CommandMessage(line: Self.line(line))
      Issue.record("\(message)")
    } catch {
      #expect(error.code.name == code && error.message.contains(word), "\(error)")
    }
  }

  @Test func unknown_keys_are_ignored_and_reported() throws {
    let message = try CommandMessage(
      line: Self.line(#"{"command":"start","scne":"12","note":"x"}"#))
    #expect(message.command == .start(TakeSlate(), nil))
    #expect(message.notes.count == 2 && message.notes.contains { $0.contains("'scne'") })
  }

  @Test func every_documented_command_is_valid() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../docs/remote.md").standardized
    let text = try String(contentsOf: file, encoding: .utf8)
    let lines = text.matches(of: /\{"command":[^{}]*\}/).map { String($0.output) }
      .filter { !$0.contains("recorder-reply") }
    #expect(lines.count >= 3)
    for line in lines {
      let message = try CommandMessage(line: Self.line(line))
      #expect(message.notes.isEmpty, "\(line)")
    }
    for name in RecorderCommand.names { #expect(text.contains("| `\(name)` |"), "\(name)") }
    for state in RecorderStatus.StateName.allCases {
      #expect(text.contains("| `\(state.rawValue)` |"), "\(state)")
    }
  }

  @Test func lines_are_assembled_from_any_pieces_and_limited_in_length() throws {
    let text = Self.line("one\r\ntwo\n\nthree\n")
    for size in 1...text.count {
      var buffer = LineBuffer(limit: 100)
      var lines: [String] = []
      for start in stride(from: 0, to: text.count, by: size) {
        buffer.append(text[start..<min(start + size, text.count)])
        while let line = try buffer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
      }
      #expect(lines == ["one", "two", "", "three"], "\(size)")
    }
    var buffer = LineBuffer(limit: 100)
    buffer.append([UInt8](repeating: 32, count: 100))
    #expect(try buffer.next() == nil)
    buffer.append([32])
    #expect(throws: ControlError.self) { try buffer.next() }
  }

  /// If a take has more markers and movies than fit in a line, the rest is omitted.
  @Test func a_take_with_thousands_of_markers_fits_in_one_line() throws {
    let markers = (0..<4000).map {
      RecordingReport.Marker(
        note: "goal \"\($0)\" \u{1}ü", frame: Int64($0), timecode: "10:00:00:00",
        seconds: Double($0) / 25)
    }
    var event = RecorderEvent(.takeFinished)
    for count in [400, 4000] {
      var take = RecorderEvent.FinishedTake(
        number: 1, path: "/takes/a.mov", outcome: .complete,
        movies: (0..<count).map { "/takes/a-\($0).mov" }, frameCount: 1, dropped: 0, repeated: 0,
        damaged: 0, duration: 1, startTimecode: nil)
      take.movieFrames = take.movies.map { _ in 250 }
      take.markers = Array(markers.prefix(count))
      take.shorten(to: MessageLine.answerLimit / 4 * 3)
      event.finished = take
      let line = try MessageLine.bytes(.recorderEvent, event)
      var buffer = LineBuffer(limit: MessageLine.answerLimit)
      buffer.append(line)
      let read = try JSONDecoder().decode(
        RecorderEvent.self, from: Data(try #require(try buffer.next())))
      let reported = try #require(read.finished)
      #expect(reported.movies.count == reported.movieFrames?.count)
      #expect(
        reported.movies.count + (reported.markers?.count ?? 0) + (reported.omitted ?? 0) == 2
          * count)
      #expect((reported.omitted == nil) == (count == 400))
    }
  }

  @Test func queued_output_is_sent_in_order_from_the_last_position() {
    var queue = OutputQueue()
    queue.append([1, 2, 3])
    queue.append([])
    queue.append([4])
    #expect(queue.byteCount == 4)
    #expect(queue.withNext { Array($0) } == [1, 2, 3])
    queue.drop(2)
    #expect(queue.withNext { Array($0) } == [3] && queue.byteCount == 2)
    queue.drop(1)
    #expect(queue.withNext { Array($0) } == [4])
    queue.drop(1)
    #expect(queue.isEmpty && queue.byteCount == 0)
  }

  @Test func codes_are_sent_in_little_endian_order() throws {
    let frame = try PreviewFrame(
      width: 2, height: 1, color: .bt709, luma: [0x104, 0x3FB], cb: [0x207], cr: [0x301])
    var queue = OutputQueue()
    for plane in frame.sentPlanes { queue.append(.codes(plane)) }
    #expect(queue.byteCount == 8)
    var sent: [UInt8] = []
    // One byte at a time, because a code may be sent in two pieces.
    while let next = queue.withNext({ $0[0] }) {
      sent.append(next)
      queue.drop(1)
    }
    #expect(sent == [0x04, 0x01, 0xFB, 0x03, 0x07, 0x02, 0x01, 0x03])
    #expect(sent == frame.bytes)
  }
}
