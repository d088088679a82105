import ArgumentParser
import AssetReader
import AssetWriter
import EncodeJobs
import Foundation
import MediaCore
import MovieExport
import VideoRecorder

/// `recordctl encode plan INPUT… -o JOB`
struct EncodePlanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Plans a conversion in parts that several machines can encode.",
    discussion: """
      Finds every frame of each INPUT, divides the frames into parts and writes the plan to the \
      job folder. Encode each part with recordctl encode part JOB N on any machine that can read \
      the folder and the inputs; then recordctl encode join JOB makes the movies. The movies are \
      the same, bit for bit, however many parts there are.

      --deinterlace, --rate, --lut and --burn-in need frames from several parts and are refused.
      """)

  @Argument(help: "Movies, and folders of movies.", completion: .file())
  var inputs: [String] = []

  @Option(help: "File with more inputs, one per line.", completion: .file())
  var list: String?

  @Option(
    name: [.short, .customLong("output")], help: "Job folder to create.",
    completion: .directory)
  var output: String

  @Option(help: "Name of each movie, with {name}, {ext} and {codec}.")
  var name = "{name}"

  @Option(
    help: ArgumentHelp(
      "Length of a part in seconds (default: 30).", valueName: "seconds"),
    transform: Double.argument(in: 0.1...86_400)
  )
  var partDuration: Double?

  @Option(
    help: "Number of parts for each input, instead of --part-duration.",
    transform: Int.argument(in: 1...100_000))
  var parts: Int?

  @Option(
    help: "Number of frames after which the encoder restarts (default: five seconds of frames).",
    transform: Int.argument(in: 1...1_000_000))
  var restart: Int?

  @Option(
    help: """
      Codec: proxy, lt, 422, hq, 4444 or xq (default: keep ProRes 4444 and 4444 XQ; 4444 for other \
      inputs with alpha; hq for all others).
      """,
    completion: VideoCodecType.completions, transform: VideoCodecType.argument)
  var codec: VideoCodecType?

  @Option(help: "Timecode of the first frame (default: the input's).")
  var timecode: String?

  @OptionGroup(title: "Edits") var edits: EncodeArguments

  @Flag(help: "Print the plan as JSON.")
  var json = false

  func validate() throws {
    guard !inputs.isEmpty || list != nil else {
      throw ValidationError("no input; name movies or folders, or a --list")
    }
    guard parts == nil || partDuration == nil else {
      throw ValidationError("--parts and --part-duration exclude each other; give only one")
    }
  }

  func run() async throws {
    let folder = output.count > 1 && output.hasSuffix("/") ? String(output.dropLast()) : output
    let sources = try ExportSources(
      inputs + listed(), folder: folder + "/" + EncodeJobLayout.movies, name: name,
      codec: codec?.shortName ?? "auto", reusesNames: false)
    for note in sources.notes { Console.note(note.message) }
    guard let first = sources.items.first else { return }
    var template = AssetExportSession(location: first.location, outputPath: "")
    template.codec = codec
    template.startTimecode = timecode
    template.scan =
      edits.scan.map(AssetExportSession.Scan.given) ?? (edits.detectScan ? .detected : .source)
    template.edit = edits.edit
    var planner = EncodeJobPlanner(sources, as: template, folder: folder)
    planner.division =
      parts.map(EncodeJobPlanner.Division.parts) ?? .seconds(partDuration ?? 30)
    planner.restartInterval = restart
    let progress = ProgressLine()
    let count = sources.items.count
    planner.onSource = { number in
      progress.show { "reads \(sources.items[number].input), \(number + 1) of \(count)" }
    }
    let job = try planner.run()
    progress.clear()
    if json {
      let omissions = Omissions(notes: sources.notes.isEmpty ? nil : sources.notes)
      try Console.print(JSONDocument(.encodePlan, job.plan, omissions))
    } else {
      Console.print(Self.lines(job))
    }
  }

  /// What was left out of the folders, in the JSON of `encode plan`.
  private struct Omissions: Encodable {
    /// nil for nothing.
    let notes: [ExportNote]?
  }

  private func listed() throws -> [String] {
    guard let list else { return [] }
    let bytes: Data
    do { bytes = try Data(contentsOf: URL(filePath: list)) } catch {
      throw ValidationError("\(list) cannot be read as a list of inputs; check the path")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let place = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
      throw ValidationError(
        "\(list), line \(place + 1): '\(String(decoding: lines[place], as: UTF8.self))' is not UTF-8, so the "
          + "file cannot be found; rename it")
    }
    return text.split(whereSeparator: \.isNewline).map(String.init)
      .filter { !$0.allSatisfy(\.isWhitespace) }
  }

  private static func lines(_ job: EncodeJob) -> [String] {
    let plan = job.plan
    let frames = plan.sources.reduce(0) { $0 + $1.frameCount }
    var table = TextTable()
    table.add("job", job.folder)
    table.add(
      "inputs", plan.sources.count == 1 ? plan.sources[0].input : "\(plan.sources.count) files")
    table.add("frames", "\(frames)")
    table.add(
      "parts",
      plan.parts.count == 1
        ? "1, number 0" : "\(plan.parts.count), numbers 0 to \(plan.parts.count - 1)")
    table.add(
      "next",
      "recordctl encode part \(job.folder) N for each N, then recordctl encode join \(job.folder)")
    let notes = plan.sources.flatMap { source in
      source.notes.map { "\(source.input): \($0.kind.rawValue): \(Remedies.spoken($0.message))" }
    }
    return table.lines + notes
  }
}
