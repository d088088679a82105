import ArgumentParser
import AssetReader
import AssetWriter
import CSignals
import Foundation
import MediaCore
import MovieTools
import VideoRecorder

/// `recordctl encode INPUT -o FILE`
struct EncodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "encode", abstract: "Encodes a movie, Y4M or raw video as a ProRes movie.",
    discussion: """
      INPUT is a movie of any kind that libavformat reads, a Y4M file, - for Y4M on standard \
      input, a named pipe of Y4M, or raw video with its format behind a question mark: \
      'clip.v210?size=1920x1080&rate=29.97&format=v210'.
      """)

  @Argument(help: "The movie, Y4M or raw file; - for standard input.", completion: .file())
  var input: String

  @Option(
    name: [.short, .customLong("output")], help: "The movie to write.",
    completion: .file(extensions: ["mov"]))
  var output: String

  @Option(
    help: "proxy, lt, 422, hq, 4444 or xq; else 4444 for inputs with alpha or in 4444, and hq.",
    completion: VideoCodecType.completions, transform: VideoCodecType.argument)
  var codec: VideoCodecType?

  @Option(
    help: "auto, native, libavcodec, libavcodec:prores_ks or libavcodec:prores_aw.",
    completion: .list(EncoderChoice.names), transform: EncoderChoice.argument)
  var encoder = EncoderChoice.automatic

  @Option(help: "The first frame's timecode; that of the input if omitted.")
  var timecode: String?

  @Option(
    help: "The field order, in place of the input's: tff, bff or progressive.",
    completion: .list(FieldOrder.names), transform: FieldOrder.argument)
  var scan: FieldOrder?

  @Flag(help: "Find the field order by looking at the frames.")
  var detectScan = false

  @Flag(help: "Overwrite an existing file.")
  var overwrite = false

  @Flag(
    inversion: .prefixedNo,
    help: "Write a sidecar, FILE.json, with the report and checksums for verify.")
  var sidecar = true

  @Flag(help: "Print the report as JSON.")
  var json = false

  func validate() throws {
    guard scan == nil || !detectScan else {
      throw ValidationError("--scan and --detect-scan exclude each other; give one of them")
    }
  }

  func run() async throws {
    let progress = ProgressLine()
    var session = AssetExportSession(location: try AssetLocation(input), outputPath: output)
    session.codec = codec
    session.encoder = encoder
    session.startTimecode = timecode
    session.scan = scan.map(AssetExportSession.Scan.told) ?? (detectScan ? .detected : .source)
    session.writesSidecar = sidecar
    session.overwritePolicy = overwrite ? .replace : .refuse
    let line = ExportLine()
    let path = URL(filePath: output).path(percentEncoded: false)
    session.onProgress = { now in
      // Only now there is a file of ours.
      if now.frames == 1, !now.isFinishing { trap_report_set_movie(path) }
      progress.show { line.text(now) }
    }
    session.onNotice = { Console.note("recordctl: \($0)") }
    let export = session
    let task = Task { try await export.export() }
    let interruption = Interruption { task.cancel() }
    defer { _ = interruption }
    let result = await task.result
    trap_report_set_movie(nil)
    progress.clear()
    if case .failure = result,
      let note = UnfinishedMovies(besides: output, isReplaced: false).text(of: output)
    {
      Console.note("recordctl: \(note)")
    }
    let outcome = try result.get()
    let listing = EncodeListing(input: input, path: output, outcome)
    if json { try Console.print(.encoding, listing) } else { Console.print(listing.lines) }
    if let error = outcome.sidecarError { Console.note("recordctl: \(error)") }
    if let problem = outcome.prematureEnd { Console.complain(problem.message) }
    if outcome.prematureEnd != nil || outcome.wasCancelled { throw ExitStatus.endedEarly.exit }
    let isTouched = outcome.report.segments.contains { $0.fileChange != nil }
    if outcome.framesUndecoded > 0 || outcome.wasRepaired || isTouched {
      throw ExitStatus.imperfect.exit
    }
  }
}

/// What an encode came to, as it is printed.
struct EncodeListing: Encodable {
  let input: String
  let path: String
  let framesUndecoded: Int
  let prematureEnd: ErrorSummary?
  let notes: [ExportNote]
  let sidecarError: ErrorSummary?
  let writer: AssetWriter.Report

  init(input: String, path: String, _ outcome: AssetExportSession.Outcome) {
    self.input = input
    self.path = path
    framesUndecoded = outcome.framesUndecoded
    prematureEnd = outcome.prematureEnd.map { ErrorSummary($0) }
    notes = outcome.notes
    sidecarError = outcome.sidecarError
    writer = outcome.report
  }

  var lines: [String] {
    let video = writer.video.first
    var table = TextTable()
    table.add("file", "\(path), \(Quantity.bytes(writer.fileBytes))")
    table.add(
      "video",
      "\(video?.framesWritten ?? 0) frames, \(Quantity.seconds(writer.duration)), "
        + "\(VideoCodecType(rawValue: video?.codec ?? "").displayName) by \(video?.encoder ?? "")")
    if let video, writer.duration > 0 {
      table.add(
        "rate",
        Quantity.bitRate(Double(video.bytes) * 8 / writer.duration) + ", largest frame "
          + "\(Quantity.bytes(Int64(video.largestFrame))) of "
          + "\(Quantity.bytes(Int64(video.targetFrameBytes))) at Apple's target")
      table.add("encoding", Quantity.milliseconds(video.encodeTime.mean) + " a frame of one core")
    }
    if let sum = writer.segments.first?.checksum { table.add("xxHash64", sum) }
    if framesUndecoded > 0 { table.add("damaged", "\(framesUndecoded) frames left out") }
    return table.lines + notes.map { "\($0.kind.rawValue): \(Remedies.spoken($0.message))" }
  }
}

extension FieldOrder {
  static let names = ["tff", "bff", "progressive"]

  static func argument(_ text: String) throws -> FieldOrder {
    switch text {
    case "tff": return .topFieldFirst
    case "bff": return .bottomFieldFirst
    case "progressive": return .progressive
    default:
      throw ValidationError(
        "unknown field order '\(text)'" + Suggestion.remark(on: text, among: names)
          + "; choose tff, bff or progressive")
    }
  }
}
