import MediaCore
import Testing

@testable import HyperDeck
@testable import RecorderControl

struct RESTTests {
  private let idle = DeckState.example(.status(.example(.idle)))
  private let recording = DeckState.example(
    .status(.example(.recording, frames: 75, timecode: "10:00:02:24")), .finished("A-000.mov"))

  private func answer(
    _ method: String, _ path: String, _ body: String = "", deck: DeckState? = nil
  ) -> HyperDeckREST.Answer {
    HyperDeckREST.answer(
      method, path, body: Array(body.utf8), deck: deck ?? idle, DeckIdentity(name: "Camera A"))
  }

  /// The body of an answer with status 200; otherwise the status.
  private func text(_ path: String, deck: DeckState? = nil) -> String {
    guard case .respond(let response) = answer("GET", path, deck: deck) else { return "an order" }
    guard response.status == 200 else { return "\(response.status)" }
    return String(decoding: response.body ?? [], as: UTF8.self)
  }

  private func status(_ answer: HyperDeckREST.Answer) -> Int {
    if case .respond(let response) = answer { response.status } else { 0 }
  }

  @Test func deck_properties_and_state_are_readable() {
    #expect(
      text("/system/product")
        == #"{"deviceName":"Camera A","productName":"HyperDeck Studio HD Plus","softwareVersion":"0.0.0"}"#
    )
    #expect(
      text("/system") == """
        {"codecFormat":{"codec":"ProRes:HQ","container":"MOV"},"videoFormat":{"frameRate":"25",\
        "height":1080,"interlaced":false,"name":"1920x1080p25","width":1920}}
        """)
    #expect(text("/transports/0", deck: recording) == #"{"mode":"InputRecord"}"#)
    #expect(text("/transports/0/stop") == "true" && text("/transports/0/play") == "false")
    #expect(text("/transports/0/record") == #"{"recording":false}"#)
    #expect(
      text("/transports/0/record", deck: recording)
        == #"{"clipName":"A-001.mov","recording":true}"#)
    #expect(
      text("/transports/0/timecode", deck: recording)
        == #"{"display":"10:00:02:24","timeline":"00:00:03:00"}"#)
    #expect(text("/media/workingset", deck: recording).contains(#""remainingRecordTime":5400"#))
    #expect(text("/media/workingset", deck: .example()) == #"{"size":1,"workingset":[null]}"#)
    #expect(text("/clips", deck: recording).contains(#""durationTimecode":"00:00:10:00","#))
    #expect(!text("/clips", deck: recording).contains("/media/card"), "folders are not revealed")
    for path in DeckResources.paths {
      #expect(!text(path, deck: recording).hasPrefix("5"), "\(path)")
    }
  }

  @Test func uptime_is_read_only() {
    func uptime(_ method: String, _ seconds: Int?) -> HyperDeckREST.Answer {
      HyperDeckREST.answer(method, "/system/uptime", deck: idle, DeckIdentity(), uptime: seconds)
    }
    #expect(uptime("GET", 75) == .respond(.init(200, .object(["uptimeSeconds": .int(75)]))))
    #expect(status(uptime("GET", nil)) == 501 && status(uptime("PUT", 75)) == 501)
  }

  @Test func clips_with_gaps_have_equal_length_in_frames_and_timecode() {
    let deck = DeckState.example(
      .status(.example(.idle)), .finished("a.mov", frames: 90, slots: 108))
    #expect(text("/clips", deck: deck).contains(#""durationTimecode":"00:00:04:08""#))
    #expect(text("/clips", deck: deck).contains(#""frameCount":108"#))
    #expect(text("/timelines/0", deck: deck).contains(#""frameCount":108"#))
  }

  @Test func the_transport_clip_matches_the_protocols_clip_id() {
    for deck in [
      recording, DeckState.example(.status(.example(.recording))),
      .example(.status(.example(.idle)), .finished("a.mov")), idle,
    ] {
      let named = deck.transportFields["clip id"]
      let index = named.flatMap { Int($0) }.map { "\($0 - 1)" } ?? "null"
      #expect(text("/transports/0/clipIndex", deck: deck) == #"{"clipIndex":\#(index)}"#)
      let clip = text("/transports/0/clip", deck: deck)
      let isNamed = named.map { clip.contains(#""clipUniqueId":\#($0),"#) }
      #expect(isNamed ?? (clip == #"{"clip":null}"#), "\(clip)")
    }
    #expect(
      text("/transports/0/clip", deck: recording) == """
        {"clip":{"clipUniqueId":2,"codecFormat":{"codec":"ProRes:HQ","container":"MOV"},\
        "filePath":"A-001.mov","videoFormat":{"frameRate":"25","height":1080,"interlaced":false,\
        "name":"1920x1080p25","width":1920}}}
        """)
    let later = DeckState.example(
      .status(.example(.recording, frames: 90, timecode: "10:00:03:14")), .finished("A-000.mov"))
    #expect(
      text("/transports/0/clip", deck: later) == text("/transports/0/clip", deck: recording),
      "the clip is reported once, not per frame")
  }

  @Test func clips_have_a_file_size_if_the_recorder_reports_it() {
    let deck = DeckState.example(
      .status(.example(.idle)), .finished("a.mov", size: 5_000_000_000), .finished("b.mov"))
    #expect(text("/clips", deck: deck).contains(#""fileSize":5000000000,"frameCount""#))
    #expect(text("/transports/0/clip", deck: deck).contains("fileSize") == false)
  }

  /// As in Blackmagic's description of its API.
  @Test func formats_are_always_json_objects() {
    let video = """
      {"frameRate":"25","height":1080,"interlaced":false,"name":"1920x1080p25","width":1920}
      """
    #expect(
      text("/clips", deck: recording).contains(
        #""codecFormat":{"codec":"ProRes:HQ","container":"MOV"},"#))
    #expect(text("/clips", deck: recording).contains(#""videoFormat":\#(video)"#))
    #expect(text("/system/supportedVideoFormats") == #"{"formats":[\#(video)]}"#)
    // Nothing is known yet.
    #expect(text("/system/supportedVideoFormats", deck: .example()) == #"{"formats":[]}"#)
    #expect(!text("/system", deck: .example()).contains("videoFormat"))
    #expect(text("/system/videoFormat", deck: .example()) == "null")
  }

  @Test func frame_rates_are_written_with_two_decimals() {
    let deck = DeckState.example(.status(.example(.idle, rate: "24000/1001")))
    #expect(text("/system/videoFormat", deck: deck).contains(#""frameRate":"23.98""#))
    let other = DeckState.example(.status(.example(.idle, rate: "30000/1001")))
    #expect(text("/system/videoFormat", deck: other).contains(#""name":"1920x1080p29.97""#))
  }

  @Test func takes_are_started_split_and_stopped() {
    #expect(answer("POST", "/transports/0/record") == .perform(.record(name: nil)))
    #expect(
      answer("POST", "/transports/0/record", #"{"clipName":"a {take}"}"#)
        == .perform(.record(name: "a {take}")))
    #expect(
      answer("PUT", "/transports/0/record", #"{"recording":true,"clipName":"a"}"#)
        == .perform(.record(name: "a")))
    #expect(answer("PUT", "/transports/0/record", #"{"recording":false}"#) == .perform(.stop))
    #expect(answer("POST", "/transports/0/stop") == .perform(.stop))
    #expect(answer("PUT", "/transports/0/stop") == .perform(.stop))
    #expect(answer("POST", "/transports/0/record/spillToNewFile") == .perform(.split))
    #expect(HyperDeckREST.response(to: .done, of: .stop) == .init(204))
    for (code, status) in [
      ("invalidState", 409), ("invalidArgument", 400), ("connectionClosed", 503),
      ("timedOut", 500), ("diskFull", 409),
    ] {
      let response = HyperDeckREST.response(
        to: .refused(ErrorSummary(code: code, message: "m")), of: .record(name: nil))
      #expect(response.status == status)
      #expect(
        response.body.map { String(decoding: $0, as: UTF8.self) }
          == #"{"error":{"code":"\#(code)","message":"m"}}"#)
    }
    #expect(
      HyperDeckREST.response(
        to: .refused(ErrorSummary(code: "invalidState", message: "m")), of: .stop) == .init(204))
  }

  @Test func a_refusal_reveals_no_folder() {
    let error = ErrorSummary(code: "fileAlreadyExists", message: "/media/card/A.mov exists")
    let response = HyperDeckREST.response(to: .refused(error), of: .record(name: nil))
    let body = String(decoding: response.body ?? [], as: UTF8.self)
    #expect(response.status == 400 && body.contains("A.mov exists") && !body.contains("card"))
  }

  @Test func harmful_playback_and_invalid_requests_are_refused() {
    for path in [
      "/transports/0/play", "/transports/0/clipIndex", "/media/devices/sd1/doformat",
      "/media/nas/devices", "/system/codecFormat", "/timelines/0/add", "/system/identify",
    ] {
      #expect(status(answer("PUT", path, "{}")) == 501, "\(path)")
      #expect(status(answer("DELETE", path)) == 501, "\(path)")
    }
    #expect(status(answer("GET", "/nowhere")) == 404)
    #expect(status(answer("POST", "/../etc/passwd")) == 404)
    #expect(status(answer("GET", "/media/devices/sd1")) == 501)
    #expect(status(answer("PUT", "/transports/0/record", "{}")) == 400)
    #expect(status(answer("PUT", "/transports/0/record", "nonsense")) == 400)
    for name in [#""../a""#, #""""#, "7", #""a\nb""#, #""{x}""#] {
      #expect(status(answer("POST", "/transports/0/record", #"{"clipName":\#(name)}"#)) == 400)
    }
    for body in [#""a""#, "7", "[]", "true", "null"] {
      #expect(status(answer("POST", "/transports/0/record", body)) == 400, "\(body)")
    }
    #expect(
      status(answer("PUT", "/transports/0/record", #"{"recording":false,"clipName":{}}"#)) == 400)
    let long = #"{"clipName":""# + String(repeating: "x", count: 70_000) + #""}"#
    #expect(status(answer("POST", "/transports/0/record", long)) == 400)
    let deep = String(repeating: "[", count: 30_000)
    #expect(status(answer("POST", "/transports/0/record", deep)) == 400)
  }
}

struct DeckEventTests {
  private let idle = DeckState.example(.status(.example(.idle)))

  private func request(_ action: String, _ properties: [String], id: Int = 1) -> [UInt8] {
    let list = properties.map { "\"\($0)\"" }.joined(separator: ",")
    return Array(
      #"{"type":"request","id":\#(id),"data":{"action":"\#(action)","properties":[\#(list)]}}"#.utf8
    )
  }

  @Test func a_subscribed_client_receives_changes() {
    var session = DeckEventSession(DeckIdentity(), deck: idle)
    #expect(session.open() == #"{"data":{"action":"websocketOpened"},"type":"event"}"#)
    #expect(
      session.receive(request("subscribe", ["/transports/0/record"], id: 7)) == """
        {"data":{"action":"subscribe","properties":["/transports/0/record"],"success":true,\
        "values":{"/transports/0/record":{"recording":false}}},"id":7,"type":"response"}
        """)
    #expect(session.update(idle).isEmpty)
    #expect(
      session.update(.example(.status(.example(.recording)))) == [
        """
        {"data":{"action":"propertyValueChanged","property":"/transports/0/record",\
        "value":{"clipName":"A-001.mov","recording":true}},"type":"event"}
        """
      ])
    _ = session.receive(request("unsubscribe", ["/transports/0/record"]))
    #expect(session.update(idle).isEmpty)
  }

  @Test func a_wildcard_subscribes_to_many_properties() {
    var session = DeckEventSession(DeckIdentity(), deck: idle)
    _ = session.receive(request("subscribe", ["/transports/0/*"]))
    let list = session.receive(request("listSubscriptions", []))
    #expect(list.contains("/transports/0/timecode") && !list.contains("/media"))
    #expect(session.update(.example(.status(.example(.recording)))).count >= 2)
    #expect(session.receive(request("listProperties", [])).contains("/event/list"))
  }

  @Test(arguments: [
    "", "nonsense", "{}", "[]", #"{"type":"request"}"#,
    #"{"type":"request","data":{"action":"dance"}}"#,
    #"{"type":"request","data":{"action":"subscribe"}}"#,
    #"{"type":"request","data":{"action":"subscribe","properties":["/nowhere"]}}"#,
    #"{"type":"request","data":{"action":"subscribe","properties":[7]}}"#,
  ])
  func invalid_requests_are_answered_without_success(text: String) {
    var session = DeckEventSession(DeckIdentity(), deck: idle)
    #expect(session.receive(Array(text.utf8)).contains(#""success":false"#))
  }
}
