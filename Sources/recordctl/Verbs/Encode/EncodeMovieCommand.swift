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
    commandName: "movie", abstract: "Encodes here and now.",
    discussion: """
      INPUT is a movie of any kind that libavformat reads, a Y4M file, - for Y4M on standard \
      input, a named pipe of Y4M, images in files of their own: 'img_%04d.dpx?rate=24', or raw \
      video with its format behind a question mark: \
      'clip.v210?size=1920x1080&rate=29.97&format=v210'.

      Several inputs, and folders of movies, go with --output-folder. One that fails is named, and \
      the others are done. With --skip-existing a batch that was ended goes on where it was: movies \
      that are complete are left alone, others are made anew.
      """)

  @Argument(help: "Movies, Y4M or raw files, folders; - for standard input.", completion: .file())
  var inputs: [String]

  @Option(
    name: [.short, .customLong("output")], help: "The movie to write.",
    completion: .file(extensions: ["mov"]))
  var output: String?

  @Option(help: "The folder to write movies to, one for each input.", completion: .directory)
  var outputFolder: String?

  @Option(
    help: "With --output-folder: names, with {name}, {ext}, {codec}, {date}, {time}, {counter}.")
  var name = "{name}"

  @Flag(help: "With --output-folder: leave out inputs whose movie is there and complete.")
  var skipExisting = false

  @Option(
    help: "With --output-folder: inputs to encode at a time; 1 if omitted.",
    transform: Int.argument(in: 1...64))
  var jobs = 1

  @Option(
    help: """
      proxy, lt, 422, hq, 4444 or xq. If omitted: ProRes 4444 and 4444 XQ stay as they are, inputs with \
      alpha become 4444, all others hq.
      """,
    completion: VideoCodecType.completions, transform: VideoCodecType.argument)
  var codec: VideoCodecType?

  @Option(
    help: "auto, native, libavcodec, libavcodec:prores_ks or libavcodec:prores_aw.",
    completion: .list(EncoderChoice.names), transform: EncoderChoice.argument)
  var encoder = EncoderChoice.automatic

  @Option(help: "The first frame's timecode; that of the input if omitted.")
  var timecode: String?

  @OptionGroup(title: "Edits") var edits: EncodeArguments

  @Flag(help: "Overwrite an existing file.")
  var overwrite = false

  @Flag(
    inversion: .prefixedNo,
    help: "Write a sidecar, FILE.json, with the report and checksums for verify.")
  var sidecar = true

  @Flag(help: "Print the report as JSON.")
  var json = false

  func validate() throws {
    guard (output == nil) != (outputFolder == nil) else {
      throw ValidationError(
        output == nil
          ? "no output; give --output FILE, or --output-folder for several inputs"
          : "--output and --output-folder exclude each other; give one of them")
    }
    guard outputFolder != nil || inputs.count == 1 else {
      throw ValidationError("--output takes one input; give --output-folder for several")
    }
    guard outputFolder != nil || (!skipExisting && jobs == 1 && name == "{name}") else {
      throw ValidationError("--skip-existing, --jobs and --name go with --output-folder")
    }
    guard !skipExisting || !overwrite else {
      throw ValidationError("--skip-existing and --overwrite exclude each other; give one of them")
    }
    guard !skipExisting || sidecar else {
      throw ValidationError(
        "--skip-existing reads in sidecars whether the source of a movie was whole; leave --no-sidecar out"
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
      edits.scan.map(AssetExportSession.Scan.told) ?? (edits.detectScan ? .detected : .source)
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
