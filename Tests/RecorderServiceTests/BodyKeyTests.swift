import Foundation
import Logging
import TestSupport
import Testing

@testable import RecorderControl
@testable import RecorderService

/// An unknown key in a request is refused, because it is a wish that nothing would fulfill.
struct BodyKeyTests {
  private let folder: TemporaryFolder
  private let handler: GatewayHandler
  private static let secret = "operate-0123456789"

  init() throws {
    folder = try TemporaryFolder()
    var configuration = ServiceConfiguration(channels: [.init(name: "a")])
    configuration.tokens = [.init(name: "o", role: .operate, secret: Self.secret)]
    handler = GatewayHandler(
      gateway: try Gateway(
        configuration, folder: RuntimeFolder(path: folder.path("runtime")),
        logger: Logger(label: "test")
      ) { _, _ in [] })
  }

  /// The gateway is not running, so its channel's recorder is away.
  private func ask(_ path: String, _ body: String) async -> (status: Int, text: String) {
    var request = HTTPRequest(
      method: "POST", path: path, body: Array(body.utf8), remoteAddress: "127.0.0.1",
      isSecure: false)
    for (name, value) in [
      ("Host", "127.0.0.1"), ("Authorization", "Bearer \(Self.secret)"),
      ("Content-Type", "application/json"),
    ] {
      request.headers.add(name, value)
    }
    let response = await handler.respond(to: request)
    return (response.status, String(decoding: response.body, as: UTF8.self))
  }

  @Test(arguments: [
    (#"{"note":5}"#, #"\"note\" has a value of another type"#),
    ("null", "not a JSON object"), (#"{"note":"#, "not a JSON object"),
  ])
  func a_value_of_the_wrong_type_is_reported_with_its_key(body: String, words: String) async {
    let answer = await ask("/api/v1/channels/a/marker", body)
    #expect(answer.status == 400 && answer.text.contains(words), "\(answer)")
  }

  @Test(arguments: [
    ("/api/v1/stop", #"{"channels":[]}"#, "not a key of this address, which has none"),
    ("/api/v1/start", #"{"channels":["zz"]}"#, "'channels' is not a key of this address"),
    ("/api/v1/start", #"{"scne":"1"}"#, "(did you mean 'scene'?)"),
    ("/api/v1/channels/a/start", #"{"scne":"1","scene":"1"}"#, "'scne'"),
    ("/api/v1/channels/a/start", #"{"together":false}"#, "'together'"),
    ("/api/v1/marker", #"{"notes":"good"}"#, "(did you mean 'note'?)"),
    ("/api/v1/standby", #"{"isOn":true,"channel":null}"#, "'channel'"),
    ("/api/v1/split", #"{"a":1,"b":{}}"#, "'a', 'b' are not keys"),
    ("/api/v1/session", #"{"token":"x","user":"y"}"#, "'user'"),
    ("/api/v1/channels/a/takes/x/verify", #"{"quick":true}"#, "'quick'"),
    ("/api/v1/stop", #"{"ofTake":1}"#, "'ofTake' is not a key of this address, which has none"),
    ("/api/v1/stop", "[]", "not a JSON object"), ("/api/v1/stop", "null", "not a JSON object"),
  ])
  func unknown_keys_of_an_address_are_refused(
    path: String, body: String, words: String
  ) async {
    let answer = await ask(path, body)
    #expect(answer.status == 400 && answer.text.contains(words), "\(answer)")
  }

  @Test(arguments: [
    ("start", #"{"reel":"A\u202e001"}"#, "the reel has U+202E"),
    ("start", #"{"scene":"12\u2028"}"#, "the scene has the line break U+2028"),
    ("start", #"{"name":"a\u0085"}"#, "the movie's name has the control character U+0085"),
    ("marker", #"{"note":"\u2066good"}"#, "the note has U+2066"),
  ])
  func invisible_characters_are_refused_by_name(action: String, body: String, words: String) async {
    for path in ["/api/v1/", "/api/v1/channels/a/"] {
      let answer = await ask(path + action, body)
      #expect(answer.status == 400 && answer.text.contains(words), "\(answer)")
    }
  }

  @Test(arguments: [
    ("/api/v1/stop", "{}"), ("/api/v1/stop", ""), ("/api/v1/start", #"{"together":false}"#),
    ("/api/v1/start", #"{"name":"n","reel":"r","scene":"s","take":1,"at":"09:30:00"}"#),
    ("/api/v1/marker", #"{"note":null}"#), ("/api/v1/standby", #"{"isOn":true}"#),
  ])
  func known_keys_of_an_address_are_accepted(path: String, body: String) async {
    let answer = await ask(path, body)
    #expect(answer.status == 200 && answer.text.contains("is not connected"), "\(answer)")
  }

  @Test func the_page_sends_only_known_keys() throws {
    let page = try #require(PageFiles.texts["steering.js"])
    for key in ["scene", "reel", "take", "at"] { #expect(Action.start.keys.contains(key)) }
    // The keys of every object literal passed to `order`.
    let orders = page.matches(of: /order\("([a-z]+)", (?:[a-z]+ \? )?\{ ?([A-Za-z]*):/)
    #expect(orders.count >= 4)
    for order in orders {
      let action = try #require(Action(rawValue: String(order.1)))
      #expect(action.keys.contains(String(order.2)), "\(order.0)")
    }
    #expect(
      MonitorStream.fault(
        inKeysOf: #"{"pictureRate":15,"scopes":[],"levels":true,"region":null}"#) == nil)
    #expect(MonitorStream.fault(inKeysOf: #"{"acknowledge":3}"#) == nil)
    #expect(
      MonitorStream.fault(inKeysOf: #"{"picturerate":15}"#)?.contains("'pictureRate'") == true)
  }

  /// Deck clients send keys that other decks know.
  @Test func a_deck_logs_the_keys_that_it_ignores() {
    func note(_ method: String, _ path: String, _ body: String) -> String? {
      DeckHandler.note(
        on: HTTPRequest(
          method: method, path: "/control/api/v1/transports/0/" + path, body: Array(body.utf8),
          remoteAddress: "127.0.0.1", isSecure: false))
    }
    #expect(note("PUT", "record", #"{"recording":true,"clipName":"a"}"#) == nil)
    #expect(note("POST", "record", #"{"clipName":"a"}"#) == nil && note("POST", "stop", "") == nil)
    #expect(
      note("POST", "record", #"{"clipname":"a"}"#)?
        .contains("'clipname' (did you mean 'clipName'?)") == true)
    let line = note("POST", "stop", #"{"a\nb\u2028":1}"#)
    #expect(line?.contains("'a?b?'") == true && line?.contains("\n") == false, "\(line ?? "")")
  }

  @Test(
    arguments: [
      (-4e-05, nil), (0.0, nil), (0.03, nil), (-0.03, nil), (0.0334, 1), (-0.0334, -1), (-0.1, -2),
      (0.1, 2),
    ] as [(Double, Int?)])
  func the_offset_from_a_common_start_is_rounded_to_whole_frames(late: Double, frames: Int?) {
    var status = StubRecorder().status
    status.source = .init(
      deviceID: "p", deviceName: "p", format: "f", width: nil, height: nil, isInterlaced: nil,
      frameRate: "30000/1001", preset: "p", codec: "hq", hasSignal: true)
    let note = CommonStart.note(.init(timecode: nil, late: late), of: status)
    #expect(note == frames.map { "the first frame is \($0) frames off" })
  }
}
