import Foundation
import TestSupport
import Testing

/// The programs of the documentation, and the articles that explain them.
@Suite struct DocumentationTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardized

  /// Runs a program that the build put beside the tests; its standard output.
  private func run(_ name: String, _ arguments: [String]) throws -> String {
    let program = URL(filePath: Bundle.main.bundlePath).appending(path: name)
    try #require(FileManager.default.isExecutableFile(atPath: program.path))
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: text, as: UTF8.self)
  }

  @Test("the program that records a take writes two seconds of frames, none dropped")
  func recordTake() throws {
    let folder = try TemporaryFolder()
    let file = folder.url("take.mov").path
    // A pattern without a pace waits for the encoder: no machine is too busy for it.
    let text = try run("record-take", [file, "pattern:bars?pace=none"])
    let frames = try #require(try /(\d+) frames written, 0 dropped\n/.wholeMatch(in: text)?.1)
    #expect(try #require(Int(frames)) >= 47)
    #expect(FileManager.default.fileExists(atPath: file))
  }

  @Test("the program that selects a format names it, or says why none fits")
  func selectFormat() throws {
    let chosen = try run("select-format", ["pattern", "1280", "720"])
    #expect(chosen.contains("\nchosen: ") && chosen.contains("1280x720"))
    #expect(try run("select-format", ["pattern", "1", "1"]).contains("\nnone fits: "))
  }

  @Test(
    "each piece of code in an article is in the program that the article names",
    arguments: [
      ("AssetWriter", "AppendingSamples", "AppendSamples"),
      ("VideoRecorder", "RecordingATake", "RecordTake"),
      ("VideoRecorder", "SelectingAFormat", "SelectFormat"),
    ])
  func articles(module: String, article: String, program: String) throws {
    let text = try String(
      contentsOf: Self.root.appending(path: "Sources/\(module)/\(module).docc/\(article).md"),
      encoding: .utf8)
    let code = try String(
      contentsOf: Self.root.appending(path: "docs/examples/\(program)/main.swift"), encoding: .utf8)
    let pieces = text.components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    #expect(pieces.count >= 4)
    for piece in pieces { #expect(code.contains(piece), "\(piece)") }
  }
}
