import ArgumentParser
import MediaCore
import MovieTools
import Takes
import VideoRecorder

/// `recordctl check`
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Checks whether a recording would work and how long the disk will last.",
    discussion: """
      Looks up the device, format and codec, then measures for a few seconds how fast this machine \
      encodes complex frames and how fast the disk writes them. The exit status is 0 if all is \
      well, 2 if the recording would fail or drop frames.
      """)

  @OptionGroup var recording: RecordingArguments

  @Option(
    name: [.short, .customLong("output")],
    help:
      """
      Movie or folder to record to, as for record (default: the configured folder, or the working \
      folder).
      """,
    completion: .file(extensions: ["mov"]), transform: GivenPath.argument)
  var output: String?

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let defaults = try RecorderDefaults()
    let request = try recording.request(defaults, recording.overrides)
    let defaulted = recording.defaulted + (output == nil ? [.outputFolder] : [])
    if let line = defaults.summary(of: defaulted) { Console.note(line) }
    let place = output ?? defaults[.outputFolder]
    let check = await RecordingCheck.run(request, output: place)
    // A name that cannot be is among the answers.
    let second = SecondPlace(secondFolder: try? request.secondFolder(beside: place))
    second.secondFolder?.warn()
    if json {
      try Console.print(JSONDocument(.check, check, Prospect(isGood: check.isGood), second))
    } else {
      var table = TextTable()
      for item in check.items {
        table.add(item.isGood ? "ok" : "NO", item.name, Remedies.spoken(item.message))
      }
      Console.print(table.lines)
    }
    if !check.isGood { throw ExitStatus.badInput.exit }
  }
}
