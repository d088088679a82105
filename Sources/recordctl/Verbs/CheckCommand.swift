import ArgumentParser
import MediaCore
import MovieTools
import Takes
import VideoRecorder

/// `recordctl check`
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Tells whether a recording would work here, and how long the disk lasts.",
    discussion: """
      Looks for device, format and codec, and measures for some seconds how fast this machine \
      encodes busy pictures and how fast the disk takes them. Exit status 0 where all is good, 2 \
      where the recording would not work or would drop frames.
      """)

  @OptionGroup var recording: RecordingArguments

  @Option(
    name: [.short, .customLong("output")],
    help:
      "The movie or folder to record to, as for record; else the default or the working folder.",
    completion: .file(extensions: ["mov"]))
  var output: String?

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let defaults = try RecorderDefaults()
    let request = try recording.request(defaults)
    if let line = defaults.summary(of: recording.defaulted) { Console.note("recordctl: \(line)") }
    let check = await RecordingCheck.run(
      request, output: output ?? defaults[.outputFolder])
    if json {
      try Console.print(JSONDocument(.check, check, Prospect(isGood: check.isGood)))
    } else {
      var table = TextTable()
      for item in check.items { table.add(item.isGood ? "ok" : "NO", item.name, item.message) }
      Console.print(table.lines)
    }
    if !check.isGood { throw ExitStatus.badInput.exit }
  }
}
