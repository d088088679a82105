import MediaCore
import Testing

@testable import Monitor
@testable import RecorderControl

/// The lines sent with each frame are written and read without a JSON coder; the result must be equivalent.
@Suite struct FrameLineTests {
  private static func event(_ change: (inout MonitorFrameHeader) -> Void = { _ in })
    -> RecorderEvent
  {
    var header = MonitorFrameHeader(
      number: 17, width: 960, height: 540, sourceWidth: 3840, sourceHeight: 2160,
      pixelAspectRatio: "1:1", color: "1-1-1", layout: "yuv422p10le", captureTime: 1234.5,
      maps: [], byteCount: 2_073_600)
    change(&header)
    var event = RecorderEvent(.picture)
    event.picture = header
    return event
  }

  @Test(arguments: [
    event(), event { $0.captureTime = 86_400 }, event { $0.timecode = "10:00:00;12" },
    event { $0.captureTime = 0.1 + 0.2 },
    event { $0.region = FrameRegion(x: 64, y: 0, width: 1920, height: 1080) },
    event {
      $0.maps = [
        .init(name: "waveform", width: 960, height: 256), .init(name: "b", width: 1, height: 2),
      ]
    },
  ])
  func a_picture_line_equals_the_encoders(_ event: RecorderEvent) throws {
    #expect(FrameLine.bytes(event) == (try MessageLine.bytes(.recorderEvent, event)))
  }

  @Test func unsupported_picture_events_are_left_to_the_encoder() {
    var other = Self.event()
    other.message = "more"
    #expect(FrameLine.bytes(other) == nil)
    #expect(FrameLine.bytes(RecorderEvent(.picture)) == nil)
    #expect(FrameLine.bytes(Self.event { $0.captureTime = .infinity }) == nil)
    #expect(FrameLine.bytes(Self.event { $0.excess = LegalRange.Excess() }) == nil)
    #expect(
      FrameLine.bytes(
        Self.event { $0.histogram = .init(luma: [], red: [], green: [], blue: []) }) == nil)
  }

  @Test(arguments: [1, 9, 10, 1_234_567_890, 999_999_999_999_999_999])
  func an_acknowledgement_survives_a_round_trip(_ number: Int) throws {
    let line = Array(try CommandMessage(.acknowledge(number)).line().dropLast())
    #expect(CommandMessage.acknowledged(in: line) == number)
    #expect(try CommandMessage(line: line) == CommandMessage(.acknowledge(number)))
  }

  @Test func unusual_acknowledgements_are_left_to_the_decoder() throws {
    for number in [0, -1, Int.max] {
      let line = Array(try CommandMessage(.acknowledge(number)).line().dropLast())
      #expect(CommandMessage.acknowledged(in: line) == nil)
      #expect(try CommandMessage(line: line) == CommandMessage(.acknowledge(number)))
    }
    let written = String(
      decoding: try CommandMessage(.acknowledge(17)).line().dropLast(), as: UTF8.self)
    for number in ["017", "1 7", "1e1", "", "17,\"id\":3", String(repeating: "1", count: 40)] {
      let line = written.replacing(":17,", with: ":\(number),")
      #expect(CommandMessage.acknowledged(in: Array(line.utf8)) == nil, "\(number)")
    }
    let numbered = try CommandMessage(.acknowledge(17), id: 3).line()
    #expect(try CommandMessage(line: numbered).id == 3)
  }
}
