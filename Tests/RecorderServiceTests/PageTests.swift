import Foundation
import Monitor
import MovieTools
import TestSupport
import Testing

@testable import RecorderService

/// The monitor page in Debian's Chromium, driven by Playwright.
@Suite(.tags(.judges, .network), .timeLimit(.minutes(10))) struct PageTests {
  private static let browser = ["chromium", "chromium-browser", "google-chrome"]
    .compactMap(Judges.find).first
  private static let python: Result<PythonEnvironment, any Error> = Result {
    try PythonEnvironment(
      "browser-1", packages: ["playwright==1.65.2", "axe-playwright-python==0.1.8"])
  }

  private struct Finding: Decodable {
    var errors: [String]
    var token_in_address: Bool
    var pixel: [Int]
    var latency_ms: Int
    var latency_95: Int
    var numbers_agree: Bool
    var snapshot: String
    var armed: String
    var axe: [String]?
    var phone_axe: [String]?
    var lost_text: String
    var takes: String
    var links: [String]
    var take_axe: [String]?
    var back: String
    var back_axe: [String]?
    var inverted: [Int]?
    var edges: Int?
    var phone_width: Int
    var regions: [FrameRegion]
    var viewer_may_start: Bool
    var viewer_status: Int
    var ninth: String
    var late: Bool
    var stranger: String
  }

  /// The browser, and the Python environment that drives it.
  private func tools() throws -> (chromium: URL, python: PythonEnvironment) {
    guard let chromium = Self.browser else { try Test.cancel("chromium is not installed") }
    do { return (chromium, try Self.python.get()) } catch {
      try Test.cancel("no Playwright: \(error)")
    }
  }

  @Test func a_take_started_in_a_browser_outlives_the_gateway() throws {
    let (chromium, python) = try tools()
    let folder = try TemporaryFolder()
    let gateway = try ServeProcess(channels: ["a", "b"], in: folder)
    defer { gateway.end() }
    let link = "http://127.0.0.1:\(gateway.port)/#token="
    let script = try #require(Bundle.module.path(forResource: "drive_page", ofType: "py"))
    let output = try drive(
      python,
      [script, chromium.path, link + ServeProcess.operate, link + ServeProcess.view, folder.path],
      gateway)
    let found = try result(Finding.self, output)
    #expect(found.errors.isEmpty, "\(found.errors)")
    #expect(!found.token_in_address)
    // Only printed: the machine's speed is not tested.
    print(
      "a frame was shown \(found.latency_ms) ms after its capture (median), "
        + "\(found.latency_95) ms in 95 of 100")
    // The number drawn in the frame and the capture time sent with it belong together.
    #expect(found.numbers_agree)
    #expect(found.snapshot.hasPrefix("Camera a ") && found.snapshot.hasSuffix(".jpg"))
    #expect(found.armed.hasPrefix("START SCHEDULED"), "\(found.armed)")
    // 75 % white is 191.
    #expect(found.pixel.prefix(3).allSatisfy { abs($0 - 191) <= 3 }, "\(found.pixel)")
    #expect(found.axe?.isEmpty == true, "\(found.axe ?? [])")
    #expect(found.take_axe?.isEmpty == true, "\(found.take_axe ?? [])")
    #expect(found.back.contains("so far") && found.back_axe?.isEmpty == true, "\(found.back)")
    // The movie and three marker formats.
    #expect(found.links.count == 4 && found.links.first?.contains("a-001.mov") == true)
    if let inverted = found.inverted, let edges = found.edges {
      #expect(inverted.allSatisfy { abs($0 - 64) <= 4 }, "\(inverted)")
      // At least the edges of the bars, but not the whole frame.
      #expect((500..<100_000).contains(edges), "\(edges)")
    } else {
      print("the browser has no WebGL 2: LUT and focus peaking were not looked at")
    }
    #expect(found.phone_axe?.isEmpty == true, "\(found.phone_axe ?? [])")
    #expect(found.lost_text.contains("lost"), "\(found.lost_text)")
    #expect(found.takes.contains("a-001.mov") && found.takes.contains("no frames dropped"))
    #expect(found.phone_width <= 360)
    // At first as wide as the page's frame and centered; then each move changes one coordinate.
    try #require(found.regions.count == 3)
    let (first, right, down) = (found.regions[0], found.regions[1], found.regions[2])
    #expect((200..<360).contains(first.width) && abs(first.x + first.width / 2 - 320) <= 2)
    #expect(right.x > first.x && (right.y, right.width) == (first.y, first.width))
    #expect(down.y > right.y && (down.x, down.height) == (right.x, right.height))
    #expect(!found.viewer_may_start && found.viewer_status == 403)
    #expect(found.ninth == "1", "without source pixels, the whole frame is chosen again")
    #expect(found.late, "a refused viewer gets the reason")
    #expect(found.stranger.contains("token is wrong"))
    #expect(try MovieVerifier(path: folder.path("a-001.mov")).run().isValid)
    if let keep = ProcessInfo.processInfo.environment["KEEP_SCREENSHOTS"] {
      for name in ["page.png", "phone.png", "take.png", "back.png"] {
        try FileManager.default.copyItem(atPath: folder.path(name), toPath: "\(keep)/\(name)")
      }
    }
  }

  // MARK: Rare events with a simulated gateway

  private struct Played: Decodable {
    struct Stop: Decodable, Equatable {
      var orders: [String]
      var asks: Bool

      static let nothing = Self(orders: [], asks: false)
      static let question = Self(orders: [], asks: true)
      static let done = Self(orders: ["/channels/a/stop"], asks: false)
    }
    struct LookBack: Decodable {
      var says: String
      /// The number of requests for the take near the end.
      var asks: Int
      /// Whether other frames can be requested.
      var steps: Bool
    }
    var errors: [String]
    var tiles: String
    var title_of_b: String
    var title_of_none: String
    var words_of_none: [String]
    var red: Int
    var may_stop_none: Bool
    var takes_of_none: Int
    var title_of_c: String
    var presets_when_back: Int
    var takes_not_listed: Bool
    var tile_of_drone: String
    /// The chosen preset: before it applies, once it does, and after two other ones.
    var presets: [String]
    /// Whether a take is listed that ended while the list was being sent.
    var late_take: Bool
    /// The requested frame rates of each channel, while the page is hidden and afterwards.
    var rates: [[String: Double]]
    var stops: [String: Stop]
    var confirmed: [String]
    var goes_on_after_damage: Bool
    var ninth: [String]
    var turned_away: String
    var tries: Int
    var let_in: Bool
    var asks_for_token: Bool
    var wrong_tokens: Int
    var tiles_after_login: Int?
    var late_link_counts: Bool
    var looks_back: [String: LookBack]
    /// Messages about a lost connection while the page was opening.
    var lost_at_first: [String]
    /// The message for a lost connection while all are ready, one records, and a start is scheduled.
    var words_of_loss: [String]
    /// On a phone, the height of the smallest text in meters and scopes, and the texts that are clipped.
    var smallest_word: Double
    var cut_words: [String]
    var is_lost: Bool
    var is_old: Bool
    var timecode: String
    var timecode_when_old: String
    var scopes_are_old: Bool
    var words_when_lost: [String]
    var may_when_lost: [Bool]
    var gives_up: Bool
    var is_back: Bool
    var title_when_back: String
    var pressed: [String: [String]]
    var starts: [String: [String]]
    var touches: [String: Stop]
    /// The video's transform before and after a drag by finger.
    var dragged: [String]
    /// Columns and rows in which frame lines begin.
    var lines: [String: [[Int]]]
    var alarms: [String: [String]]
    var room_of_b: String
    /// Whether the chosen light theme persists after a reload.
    var theme_stays: Bool
    /// Whether the page reports frames that it cannot show.
    var not_shown: Bool
    /// The text for an input measured for more than a day.
    var days: String
    /// Whether the page says that the gateway does not answer.
    var no_answer: Bool
    /// Whether a take without progress is reported, and (`goes_on`) no longer once it continues.
    var stands_still: Bool
    var stands_still_without_figures: Bool
    /// How often a screen reader announced the stall while its seconds were counted.
    var aloud: Int
    var goes_on: Bool
    var alarms_in_picture: Bool
    var guides: [String]
    var graphics: String?
  }

  @Test(
    .tags(.slow),
    .enabled(
      if: TestRun.isExtended, "takes two minutes; LAB=1 make test and make test-all run it"))
  func the_page_shows_states_stops_the_chosen_take_and_explains_refusals() throws {
    let (chromium, python) = try tools()
    let folder = try TemporaryFolder()
    for (name, text) in PageFiles.texts { try folder.write(text, name) }
    let script = try #require(Bundle.module.path(forResource: "play_gateway", ofType: "py"))
    let output = try drive(python, [script, chromium.path, folder.path])
    let found = try result(Played.self, output)
    #expect(found.errors.isEmpty, "\(found.errors)")

    // Channels that were removed while the page was not connected.
    #expect(found.tiles == "Camera b" && found.title_of_b == "● Camera b: Recording")
    #expect(found.title_of_none == "Recorder: No channel is served")
    #expect(found.words_of_none == ["NO CHANNEL IS SERVED", "", "No channel is served"])
    #expect(found.red == 0 && !found.may_stop_none && found.takes_of_none == 0)
    #expect(found.title_of_c == "Camera c: Ready")
    #expect(found.presets_when_back == 2 && found.takes_not_listed)
    #expect(found.tile_of_drone == "Drone")
    #expect(found.presets == ["hq", "hq", "", ""], "another client's choice replaces ours")
    #expect(found.late_take)
    #expect(found.rates == [["a": 0, "b": 0], ["a": 15, "b": 4]], "hidden pages get none")

    // Holding for a second stops the take of the channel that was chosen when the key was pressed.
    let (nothing, question, stop) = (Played.Stop.nothing, Played.Stop.question, Played.Stop.done)
    #expect(
      found.stops == [
        "let go in a field": question, "Enter let go elsewhere": question,
        "another window": nothing, "another tab": nothing, "a shortcut": nothing,
        "another channel": nothing, "the other button": nothing, "held": stop,
        "the pointer held": stop,
      ])
    #expect(found.confirmed == ["/channels/b/stop"])

    // A refusal is shown, and the request is not repeated over and over.
    #expect(found.goes_on_after_damage)
    #expect(found.ninth == ["1", "8 viewers are already viewing source pixels"])
    #expect(found.turned_away == "32 viewers are already watching")
    #expect((1...8).contains(found.tries), "\(found.tries) in six seconds")
    #expect(found.let_in)

    // The page must not retry a wrong token: the gateway counts them and then locks out the address.
    #expect(found.asks_for_token && found.wrong_tokens == 1, "\(found.wrong_tokens)")
    #expect(found.tiles_after_login == 2)
    #expect(found.late_link_counts, "a link is valid until its token is exchanged")

    // Looking back ends with the take, but not when its next movie cannot be read yet.
    let split = try #require(found.looks_back["split"])
    #expect(split.says.contains("so far") && split.asks > 0 && split.steps)
    for name in ["next take", "stop"] {
      let end = try #require(found.looks_back[name])
      #expect(end.says.contains("is no longer being recorded"), "\(name): \(end.says)")
      #expect(end.asks == 0 && !end.steps, "\(name)")
    }
    judgeConnection(found)
    judgeOrders(found.pressed)
    judgeStarts(found.starts)
    judgeTouches(found)
    judgeAlarms(found)
  }

  /// A cut network sends no notice: the page notices by itself and does not present old values as current.
  private func judgeConnection(_ found: Played) {
    #expect(found.lost_at_first.isEmpty, "\(found.lost_at_first)")
    let lost = "Connection lost, reconnecting"
    #expect(
      found.words_of_loss == [
        lost, "\(lost); recording does not depend on it",
        "\(lost); the scheduled start does not depend on it",
      ])
    #expect(found.is_lost && found.is_old && found.scopes_are_old)
    #expect(found.timecode == "10:00:00:00" && found.timecode_when_old == "")
    let words = found.words_when_lost
    #expect(words.first == "NOT CONNECTED. LAST KNOWN: RECORDING")
    #expect(words.dropFirst().first?.hasPrefix("No new frame for ") == true, "\(words)")
    #expect(words.suffix(2).allSatisfy { $0.contains("the outcome is unknown") })
    #expect(found.gives_up, "a stop attempted without a connection is not delivered later")
    #expect(found.may_when_lost == [false, false, true], "start, split, stop")
    #expect(found.is_back && found.title_when_back == "● Camera a: Recording")
  }

  private func judgeOrders(_ pressed: [String: [String]]) {
    #expect(
      pressed == [
        "another take": ["", "Another take has begun in the meantime: nothing was stopped"],
        "screen reader": ["", "confirm-cancel", "Camera a"],
        "all": ["", "Recording: Camera a, Camera b"], "all, confirmed": ["/stop"],
        "all, in part": ["/start", "a: no signal; done on b"],
        "typed": ["", "srl"], "refused": ["/channels/a/marker", "srl"],
        "twice": ["/channels/a/start"],
        "paused": [
          "PAUSED: FRAMES ARE NOT RECORDED", "READY, A MOVIE IS STILL BEING COMPLETED",
          "Split is not possible now: READY, A MOVIE IS STILL BEING COMPLETED",
        ],
      ])
  }

  /// A scheduled start is canceled; if its take has begun in the meantime, the take is stopped.
  private func judgeStarts(_ starts: [String: [String]]) {
    let stop = "/channels/a/stop"
    #expect(
      starts == [
        "held": [stop, "{}", "Done"], "begun": [stop, #"{"ofTake": 4}"#, "Done"],
        "by hand": ["null", "Another take has begun in the meantime: nothing was stopped"],
        "another": [
          "null", "Another start has been scheduled in the meantime: it was not cancelled",
        ],
        "asked": ["Cancel the scheduled start?", "Cancel the start", "Keep it"],
        "all": ["Recording: Camera b. Start scheduled: Camera a"],
      ])
  }

  /// Touch stops and moves like a mouse, and frame lines refer to the whole frame.
  private func judgeTouches(_ found: Played) {
    #expect(
      found.touches == [
        "held": .done, "tapped": .question, "slid off": .nothing, "taken away": .nothing,
      ])
    #expect(
      found.dragged == ["translate(0%, 0%) scale(2)", "translate(-25%, 0%) scale(2)"])
    // Thirds of 960 and 540, and their positions in the middle quarter; a line is one and a half pixels wide.
    #expect(
      found.lines == [
        "whole": [[319, 639], [179, 359]], "stretch": [[159, 799], [89, 449]], "corner": [[], []],
        "safe": [[], []],
      ])
  }

  private func judgeAlarms(_ found: Played) {
    #expect(
      found.alarms == [
        "a": [
          "4 frames repeated",
          "Second disk lost: the take continues in one place only: a-001.mov: Input/output error",
        ],
        "b": ["b-007.mov IMPERFECT: 3 frames dropped", "2 minutes left on the disk"],
      ])
    #expect(found.smallest_word > 11.9 && found.cut_words.isEmpty, "\(found.cut_words)")
    #expect(found.room_of_b == "2 min at worst")
    #expect(found.theme_stays && found.not_shown && found.no_answer)
    #expect(found.days == "input, 25:01:01, 2 ch")
    #expect(found.stands_still && found.goes_on && found.stands_still_without_figures)
    #expect(found.aloud == 1)
    #expect(found.alarms_in_picture, "a full-screen frame shows them")
    // 2.39:1 in 16:9, and in a video desqueezed to twice its width.
    #expect(found.guides == ["1.000,0.744", "0.672,1.000"])
    if let graphics = found.graphics {
      #expect(graphics == "false,true")
    } else {
      print("the browser has no WebGL 2: a graphics processor that is lost was not looked at")
    }
  }

  // MARK: Helpers

  private func result<Value: Decodable>(_ type: Value.Type, _ output: String) throws -> Value {
    let line = try #require(
      output.split(separator: "\n").first { $0.hasPrefix("RESULT ") }, "\(output)")
    return try JSONDecoder().decode(type, from: Data(line.dropFirst(7).utf8))
  }

  /// Runs the script and performs the steps that it requests.
  private func drive(
    _ python: PythonEnvironment, _ arguments: [String], _ gateway: ServeProcess? = nil
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: python.python)
    process.arguments = arguments
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    try process.run()
    var text = ""
    var rest = ""
    while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
      text += String(decoding: data, as: UTF8.self)
      rest += String(decoding: data, as: UTF8.self)
      while let end = rest.firstIndex(of: "\n") {
        let line = rest[..<end]
        rest = String(rest[rest.index(after: end)...])
        switch line {
        case "STEP kill": gateway?.kill()
        case "STEP restart": try gateway?.restart()
        default: continue
        }
        input.fileHandleForWriting.write(Data("done\n".utf8))
      }
    }
    process.waitForExit()
    return text
  }
}
