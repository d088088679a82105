import ArgumentParser
import AssetReader
import AssetWriter
import CSignals
import Foundation
import MediaCore
import MovieExport
import VideoRecorder

/// `recordctl encode movie INPUT -o FILE`, `… INPUT… --output-folder FOLDER`, which is what
/// `recordctl encode` does.
struct EncodeMovieCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "movie", abstract: "Encodes on this machine.",
    discussion: """
      INPUT is any movie that libavformat reads; a Y4M file; - for Y4M on standard input; a named \
      pipe of Y4M; a sequence of image files, such as 'img_%04d.dpx?rate=24'; or raw video with \
      its format after a question mark, such as 'clip.v210?size=1920x1080&rate=29.97&format=v210'.

      To encode several inputs or folders of movies, use --output-folder. An input that fails is \
      reported, and the others are still encoded. With --skip-existing an interrupted batch can be \
      continued: complete movies are kept, the others are encoded again.
      """)

  @Argument(
    help: "Movies, Y4M or raw files, or folders; - for standard input.", completion: .file())
  var inputs: [String]

  @Option(
    name: [.short, .customLong("output")], help: "Movie to write.",
    completion: .file(extensions: ["mov"]))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Folder to write movies to, one for each input.", valueName: "folder"), completion: .directory
  )
  var outputFolder: String?

  @Option(
    help: """
      With --output-folder: name of each movie, with {name}, {ext}, {codec}, {date}, {time} and \
      {counter}.
      """)
  var name = "{name}"

  @Flag(help: "With --output-folder: skip inputs whose movie exists and is complete.")
  var skipExisting = false

  @Option(
    help: "With --output-folder: number of inputs to encode at the same time (default: 1).",
    transform: Int.argument(in: 1...64))
  var jobs = 1

  @Option(
    help: """
      Codec: proxy, lt, 422, hq, 4444 or xq (default: keep ProRes 4444 and 4444 XQ; 4444 for other \
      inputs with alpha; hq for all others).
      """,
    completion: VideoCodecType.completions, transform: VideoCodecType.argument)
  var codec: VideoCodecType?

  @Option(
    help: "Encoder: auto, native, libavcodec, libavcodec:prores_ks or libavcodec:prores_aw.",
    completion: .list(EncoderChoice.names), transform: EncoderChoice.argument)
  var encoder = EncoderChoice.automatic

  @Option(help: "Timecode of the first frame (default: the input's).")
  var timecode: String?

  @OptionGroup(title: "Edits") var edits: EncodeArguments

  @Flag(help: "Overwrite an existing file.")
  var overwrite = false

  @Flag(
    inversion: .prefixedNo,
    help:
      "Write a sidecar, FILE.json, with the report and the checksums that `recordctl verify` uses.")
  var sidecar = true

  @Flag(help: "Print the report as JSON.")
  var json = false

  func validate() throws {
    guard (output == nil) != (outputFolder == nil) else {
      throw ValidationError(
        output == nil
          ? "no output; give --output FILE, or --output-folder for several inputs"
          : "--output and --output-folder exclude each other; give only one")
    }
    guard outputFolder != nil || inputs.count == 1 else {
      throw ValidationError("--output takes one input; give --output-folder for several")
    }
    guard outputFolder != nil || (!skipExisting && jobs == 1 && name == "{name}") else {
      throw ValidationError("--skip-existing, --jobs and --name go with --output-folder")
    }
    guard !skipExisting || !overwrite else {
      throw ValidationError("--skip-existing and --overwrite exclude each other; give only one")
    }
    guard !skipExisting || sidecar else {
      throw ValidationError(
        "--skip-existing reads from sidecars whether the source of a movie was complete; leave --no-sidecar out"
      )
    }
  }

  func run() async throws {
    if let outputFolder {
      try await runBatch(into: outputFolder)
    } else if let input = inputs.first, let output {
      try await run(input, to: output)
    }
  }

  /// What all inputs have in common.
  private func session(
    _ location: AssetLocation, _ path: String
  ) -> AssetExportSession {
    var session = AssetExportSession(location: location, outputPath: path)
    session.codec = codec
    session.encoder = encoder
    session.startTimecode = timecode
    session.scan =
      edits.scan.map(AssetExportSession.Scan.given) ?? (edits.detectScan ? .detected : .source)
    session.edit = edits.edit
    session.writesSidecar = sidecar
    session.overwritePolicy = overwrite ? .replace : .refuse
    session.openMovieHandler = TrapMovies.note
    return session
  }

  // MARK: One

  private func run(_ input: String, to output: String) async throws {
    let progress = ProgressLine()
    var session = session(try AssetLocation(input), output)
    let line = ExportLine()
    session.onProgress = { now in progress.show { line.text(now) } }
    session.onNotice = { Console.note($0) }
    let export = session
    let task = Task { try await export.export() }
    let interruption = Interruption { task.cancel() }
    defer { _ = interruption }
    let result = await task.result
    progress.clear()
    if case .failure = result,
      let note = UnfinishedMovies(besides: output, isReplaced: false).text(of: output)
    {
      Console.note(note)
    }
    let outcome = try result.get()
    let listing = EncodeListing(input: input, path: output, outcome)
    if json { try Console.print(.encoding, listing) } else { Console.print(listing.lines) }
    if let error = outcome.sidecarError { Console.note("\(error)") }
    if let problem = outcome.prematureEnd { Console.note(problem.message) }
    let status = ExitStatus(of: outcome)
    if status != .success { throw status.exit }
  }

  // MARK: Several

  private func runBatch(into folder: String) async throws {
    let sources = try ExportSources(
      inputs, folder: folder, name: name, codec: codec?.shortName ?? "auto",
      reusesNames: skipExisting)
    for note in sources.notes { Console.note(note.message) }
    guard let first = sources.items.first else { return }
    var batch = ExportBatch(sources, as: session(first.location, ""))
    batch.jobs = jobs
    batch.skipsExisting = skipExisting
    if jobs > 1 {
      let processors = ProcessInfo.processInfo.activeProcessorCount
      batch.template.encoderThreads = max(1, processors / jobs)
    }
    let printer = EncodeBatchPrinter(sources, isJSON: json)
    batch.onEvent = { printer.show($0) }
    let work = batch
    let task = Task { await work.run() }
    let interruption = Interruption { task.cancel() }
    defer { _ = interruption }
    let results = await task.value
    printer.finish()
    let listing = EncodeBatchListing(sources, results, seconds: printer.seconds)
    if json { try Console.print(.encodings, listing) } else { Console.print(listing.summary) }
    if listing.status != .success { throw listing.status.exit }
  }
}

extension ExitStatus {
  /// The status of an encode that made a movie.
  init(of outcome: AssetExportSession.Outcome) {
    let isTouched = outcome.report.segments.contains { $0.fileChange != nil }
    if outcome.prematureEnd != nil || outcome.wasCancelled {
      self = .endedEarly
    } else if outcome.framesUndecoded > 0 || outcome.wasRepaired || isTouched {
      self = .imperfect
    } else {
      self = .success
    }
  }
}
