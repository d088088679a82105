import Foundation
import Monitor
import MovieTools
import TestSupport
import Testing

/// The monitor page in a browser of others: Debian's Chromium, driven by Playwright.
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
    var regions: [PictureRegion]
    var viewer_may_start: Bool
    var viewer_status: Int
    var stranger: String
  }

  @Test func a_take_is_made_in_a_browser_that_outlives_the_gateway() throws {
    guard let chromium = Self.browser else { try Test.cancel("chromium is not installed") }
    let python: PythonEnvironment
    do { python = try Self.python.get() } catch { try Test.cancel("no Playwright: \(error)") }
    let folder = try TemporaryFolder()
    let gateway = try ServeProcess(channels: ["a", "b"], in: folder)
    defer { gateway.end() }
    let link = "http://127.0.0.1:\(gateway.port)/#token="
    let script = try #require(Bundle.module.path(forResource: "drive_page", ofType: "py"))
    let output = try drive(
      python,
      [script, chromium.path, link + ServeProcess.operate, link + ServeProcess.view, folder.path],
      gateway)
    let line = try #require(
      output.split(separator: "\n").first { $0.hasPrefix("RESULT ") }, "\(output)")
    let found = try JSONDecoder().decode(Finding.self, from: Data(line.dropFirst(7).utf8))
    #expect(found.errors.isEmpty, "\(found.errors)")
    #expect(!found.token_in_address)
    // A figure, and no test of the machine's speed.
    print(
      "a picture was shown \(found.latency_ms) ms after its capture (median), "
        + "\(found.latency_95) ms in 95 of 100")
    // The number that is drawn in the picture and the time that is told with it are of one frame.
    #expect(found.numbers_agree)
    #expect(found.snapshot.hasPrefix("Camera a ") && found.snapshot.hasSuffix(".jpg"))
    #expect(found.armed.hasPrefix("START IS SET"), "\(found.armed)")
    // White of 75 % is 191.
    #expect(found.pixel.prefix(3).allSatisfy { abs($0 - 191) <= 3 }, "\(found.pixel)")
    #expect(found.axe?.isEmpty == true, "\(found.axe ?? [])")
    #expect(found.take_axe?.isEmpty == true, "\(found.take_axe ?? [])")
    #expect(found.back.contains("so far") && found.back_axe?.isEmpty == true, "\(found.back)")
    // The movie, and three forms of its markers.
    #expect(found.links.count == 4 && found.links.first?.contains("a-001.mov") == true)
    if let inverted = found.inverted, let edges = found.edges {
      #expect(inverted.allSatisfy { abs($0 - 64) <= 4 }, "\(inverted)")
      // The bars' edges at least, and not the whole picture.
      #expect((500..<100_000).contains(edges), "\(edges)")
    } else {
      print("the browser has no WebGL 2: LUT and focus peaking were not looked at")
    }
    #expect(found.phone_axe?.isEmpty == true, "\(found.phone_axe ?? [])")
    #expect(found.lost_text.contains("lost"), "\(found.lost_text)")
    #expect(found.takes.contains("a-001.mov") && found.takes.contains("no frame dropped"))
    #expect(found.phone_width <= 360)
    // As wide as the page's frame, in the middle; then moved, the rest the same.
    try #require(found.regions.count == 3)
    let (first, right, down) = (found.regions[0], found.regions[1], found.regions[2])
    #expect((200..<360).contains(first.width) && abs(first.x + first.width / 2 - 320) <= 2)
    #expect(right.x > first.x && (right.y, right.width) == (first.y, first.width))
    #expect(down.y > right.y && (down.x, down.height) == (right.x, right.height))
    #expect(!found.viewer_may_start && found.viewer_status == 403)
    #expect(found.stranger.contains("token is wrong"))
    #expect(try MovieVerifier(path: folder.path("a-001.mov")).run().isValid)
    if let keep = ProcessInfo.processInfo.environment["KEEP_SCREENSHOTS"] {
      for name in ["page.png", "phone.png", "take.png", "back.png"] {
        try FileManager.default.copyItem(atPath: folder.path(name), toPath: "\(keep)/\(name)")
      }
    }
  }

  /// Runs the script, and does what it asks for.
  private func drive(
    _ python: PythonEnvironment, _ arguments: [String], _ gateway: ServeProcess
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
        case "STEP kill": gateway.kill()
        case "STEP restart": try gateway.restart()
        default: continue
        }
        input.fileHandleForWriting.write(Data("done\n".utf8))
      }
    }
    process.waitUntilExit()
    return text
  }
}
