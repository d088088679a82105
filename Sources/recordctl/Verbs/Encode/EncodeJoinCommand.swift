import ArgumentParser
import EncodeJobs
import MediaCore
import MovieExport

/// `recordctl encode join JOB`
struct EncodeJoinCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Joins the parts of a planned conversion into movies.",
    discussion: """
      Copies the frames and compares them with their checksums; audio, timecode and metadata come \
      from the inputs. The movies are written to JOB/movies, each with a sidecar. If a part is \
      missing or differs, the command fails and names it. Movies that are already joined are \
      verified and kept; a damaged one is made again from its parts. Work folders left behind for \
      the joined parts are removed.
      """)

  @Argument(help: "Job folder.", completion: .directory)
  var job: String

  @Option(
    help: "Join only this movie, given by its number in the plan, from 0.",
    transform: Int.argument(in: 0...1_000_000))
  var movie: Int?

  @Flag(
    help: ArgumentHelp(
      "Remove the parts' frames once their movie is verified.",
      discussion: "Their records are kept, so status and part still count them as encoded."))
  var removeParts = false

  @Flag(help: "Print the report as JSON.")
  var json = false

  /// What is printed.
  private struct Listing: Encodable {
    var movies: [MovieJoiner.Outcome]
  }

  func run() async throws {
    let opened = try EncodeJob(folder: job)
    var outcomes: [MovieJoiner.Outcome] = []
    for source in movie.map({ [$0] }) ?? Array(opened.plan.sources.indices) {
      let outcome = try await join(source, of: opened)
      outcomes.append(outcome)
      if !json { Console.print(Self.lines(outcome)) }
    }
    if json { try Console.print(.encodeJoin, Listing(movies: outcomes)) }
    if outcomes.contains(where: \.wasRepaired) { throw ExitStatus.imperfect.exit }
  }

  private func join(_ source: Int, of job: EncodeJob) async throws -> MovieJoiner.Outcome {
    var joiner = try MovieJoiner(job, source: source)
    joiner.removesParts = removeParts
    joiner.onNotice = { Console.note($0) }
    let progress = ProgressLine()
    let line = ExportLine()
    joiner.onProgress = { now in progress.show { line.text(now) } }
    let work = joiner
    defer { progress.clear() }
    return try await TrapRemedy.run(TrapRemedy.join(joiner.moviePath)) {
      try await InterruptibleWork.run { () throws(EncodeJobError) in try await work.run() }
    }
  }

  private static func lines(_ outcome: MovieJoiner.Outcome) -> [String] {
    let state = outcome.wasThere ? "exists, complete" : Quantity.count(outcome.partCount, "part")
    return [
      "\(outcome.movie): \(state), \(outcome.frameCount) frames, \(Quantity.bytes(outcome.fileSize)), "
        + "xxHash64 \(outcome.xxHash64)"
    ] + outcome.notes.map { "\($0.kind.rawValue): \(Remedies.spoken($0.message))" }
      + (outcome.removed.map(lines) ?? [])
  }

  private static func lines(_ removal: MovieJoiner.Outcome.Removal) -> [String] {
    let parts =
      removal.partCount > 0
      ? [
        "removed: the frames of \(removal.partCount) parts; \(Quantity.bytes(removal.bytes)) in all"
      ]
      : []
    return parts + removal.leavings.map { "removed: \($0.message)" }
  }
}
