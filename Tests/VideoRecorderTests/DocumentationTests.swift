import Foundation
import TestSupport
import Testing

/// The documentation's programs, and the articles that explain them.
@Suite struct DocumentationTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardized

  /// Runs a program that the build put beside the tests; returns its standard output.
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
    process.waitForExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: text, as: UTF8.self)
  }

  @Test func the_recording_example_writes_all_frames() throws {
    let folder = try TemporaryFolder()
    let file = folder.url("take.mov").path
    // A pattern without pacing waits for the encoder, so even a busy machine drops nothing.
    let text = try run("record-take", [file, "pattern:bars?pace=none"])
    let frames = try #require(try /(\d+) frames written, 0 dropped\n/.wholeMatch(in: text)?.1)
    #expect(try #require(Int(frames)) >= 47)
    #expect(FileManager.default.fileExists(atPath: file))
  }

  @Test func the_selection_example_names_a_format_or_why_none_fits() throws {
    let chosen = try run("select-format", ["pattern", "1280", "720"])
    #expect(chosen.contains("\nchosen: ") && chosen.contains("1280x720"))
    #expect(try run("select-format", ["pattern", "1", "1"]).contains("\nnone fits: "))
  }

  @Test(arguments: [
    ("AssetWriter", "AppendingSamples", "AppendSamples"),
    ("VideoRecorder", "RecordingATake", "RecordTake"),
    ("VideoRecorder", "SelectingAFormat", "SelectFormat"),
  ])
  func code_in_articles_matches_the_example_programs(
    module: String, article: String, program: String
  ) throws {
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
