import ArgumentParser
import Foundation
import MediaCore
import VideoRecorder

/// `recordctl record`
struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Records a device into a ProRes movie.",
    discussion: """
      Records until the duration is reached or the command is interrupted (Ctrl-C, SIGTERM); the \
      file is a valid movie either way. The report on standard output tells what happened to each \
      frame.
      """)

  @OptionGroup var recording: RecordingArguments

  @Option(
    help: "How long: 10, 10s, 1m30s, or 300f for frames; else until interrupted.",
    transform: RecordingDuration.argument)
  var duration: RecordingDuration?

  @Option(help: "The first frame's timecode: HH:MM:SS:FF, or HH:MM:SS;FF for drop-frame.")
  var timecode: String?

  @Option(
    name: [.short, .customLong("output")],
    help: "The movie to write; else a name of date and time in the working folder.",
    completion: .file(extensions: ["mov"]))
  var output: String?

  @Flag(help: "Replace the file where it exists.")
  var overwrite = false

  @Flag(help: "Print the report as JSON.")
  var json = false

  func run() async throws {
    var request = try recording.request()
    request.duration = duration
    request.overwritesExistingFile = overwrite
    if let timecode { request.preset.timecode = .start(timecode) }
    let setup = try RecordingSetup(request)
    let path = output ?? Self.standardName()
    if !setup.selection.tier.isTrue10Bit422 {
      Console.note(
        "recordctl: fallback: the input is tier \(setup.selection.tier.rawValue) "
          + "(\(setup.selection.tier.displayName)), not 10-bit 4:2:2")
    }
    let report = try await Self.record(setup, to: path)
    if json { try Console.print(json: report) } else { Console.print(RecordingText.text(report)) }
    if let error = report.error, !report.end.isIntended { Console.complain(error) }
    let status = setup.exitStatus(of: report)
    if status != 0 { throw ExitCode(status) }
  }

  private static func record(
    _ setup: RecordingSetup, to path: String
  ) async throws -> RecordingReport {
    let progress = ProgressLine()
    let task = Task { try await setup.record(to: path) }
    let interruption = Interruption { task.cancel() }
    let drawing = Task {
      while !Task.isCancelled {
        if let now = setup.output.progress { progress.show { RecordingText.line(now) } }
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
    let result = await task.result
    drawing.cancel()
    await drawing.value
    progress.clear()
    withExtendedLifetime(interruption) {}
    return try result.get()
  }

  /// `2026-11-21-143000.mov`
  private static func standardName() -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd-HHmmss"
    return formatter.string(from: Date()) + ".mov"
  }
}
