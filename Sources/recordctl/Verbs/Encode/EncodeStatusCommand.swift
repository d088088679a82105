import ArgumentParser
import EncodeJobs
import MediaCore

/// `recordctl encode status JOB`
struct EncodeStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Shows which parts and movies of a planned conversion are complete.",
    discussion:
      "Missing parts are listed in the form that batch arrays and encode part accept: 0-3,7.")

  @Argument(help: "Job folder.", completion: .directory)
  var job: String

  @Flag(help: "Read all parts and joined movies and compare them with their checksums.")
  var read = false

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let status = try EncodeJobStatus(of: EncodeJob(folder: job), readsMovies: read)
    if json { try Console.print(.encodeStatus, status) } else { Console.print(Self.lines(status)) }
  }

  private static func lines(_ status: EncodeJobStatus) -> [String] {
    var table = TextTable()
    // Scripts of engines read this line and that of the movies.
    table.add("parts", "\(status.completeCount) of \(status.partCount)")
    if let missing = status.missing { table.add("missing", missing) }
    table.add("movies", "\(status.joinedCount) of \(status.movieCount)")
    table.add(
      "on disk",
      "\(Quantity.bytes(status.partBytes)) of parts"
        + (status.removedCount > 0
          ? "; the frames of \(status.removedCount) were removed and are in the movies" : ""))
    if status.workFolderCount > 0 {
      table.add(
        "at work",
        "\(Quantity.count(status.workFolderCount, "folder")) of workers that are running or were killed, "
          + Quantity.bytes(status.workFolderBytes)
          + (status.leftFolderCount > 0
            ? "; \(status.leftFolderCount) of workers on this machine that no longer run" : ""))
    }
    if status.asideCount > 0 {
      table.add(
        "set aside",
        "\(Quantity.count(status.asideCount, "damaged part")), "
          + "\(Quantity.bytes(status.asideBytes)), which can be removed"
      )
    }
    return table.lines + status.problems.map { "part \($0.part): \($0.message)" }
      + (status.movieProblems ?? []).map { "\($0.movie): \($0.message)" }
  }
}
