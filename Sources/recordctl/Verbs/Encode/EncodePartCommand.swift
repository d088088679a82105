import ArgumentParser
import EncodeJobs
import Foundation
import MediaCore

/// `recordctl encode part JOB [N]`
struct EncodePartCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "part", abstract: "Makes parts of a planned conversion.",
    discussion: """
      N is a part's number, or several: 0-3,7. If omitted, it is the number that the engine gives: \
      SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or AWS_BATCH_JOB_ARRAY_INDEX, or PARALLEL_SEQ, \
      which counts from 1.

      A part that is there and whole is left alone, so every call can be repeated. Folders of \
      workers that were killed on this machine, and of those elsewhere that wrote nothing for a day, \
      are removed. Exit status 75 \
      says that the same call may succeed later: a full disk, a source that is away, a signal.
      """)

  @Argument(help: "The job's folder.", completion: .directory)
  var job: String

  @Argument(help: "The part's number, from 0, or several: 0-3,7.", transform: PartNumbers.argument)
  var numbers: PartNumbers?

  @Option(
    help: "Parts for each number: with 10, number 2 makes the parts 20 to 29.",
    transform: Int.argument(in: 1...1_000_000))
  var batch = 1

  @Option(
    help: "Threads; if omitted, those of the engine, the control group or the machine.",
    transform: Int.argument(in: 1...256))
  var threads: Int?

  @Flag(help: "Print each part's record as a line of JSON.")
  var json = false

  func run() async throws {
    let opened = try EncodeJob(folder: job)
    let given = try numbers ?? PartNumbers(ofEngine: ProcessInfo.processInfo.environment)
    let count = opened.plan.parts.count
    // Encode nothing for a wrong list, or its missing parts would be taken for done.
    if let beyond = given.beyond(count, batchesOf: batch) {
      throw EncodeJobError(.invalidArgument, refusal(beyond, count))
    }
    let joined = JoinedMovieFaults()
    for number in given.batches(of: batch, limit: count) {
      try await make(number, of: opened, joined)
    }
  }

  private func refusal(_ beyond: PartNumbers, _ count: Int) -> String {
    let parts = "its parts are 0 to \(count - 1)"
    guard batch > 1 else { return "\(job) has no part \(beyond.text); \(parts)" }
    return "\(job) has no batch \(beyond.text) of \(batch) parts; \(parts), its batches 0 to "
      + "\((count - 1) / batch)"
  }

  private func make(_ number: Int, of job: EncodeJob, _ joined: JoinedMovieFaults) async throws {
    var encoder = try PartEncoder(job, part: number)
    encoder.movieFaults = joined
    if let threads { encoder.threads = threads }
    let progress = ProgressLine()
    encoder.onProgress = { frames, total in
      progress.show { "part \(number): \(frames) of \(total) frames" }
    }
    encoder.onNotice = { Console.note($0) }
    let leavings = WaitableMutex<[JobLeaving]>([])
    encoder.onLeaving = { leaving in
      Console.note(leaving.message)
      leavings.withLock { $0.append(leaving) }
    }
    let work = encoder
    let outcome: PartEncoder.Outcome
    do {
      defer { progress.clear() }
      outcome = try await TrapRemedy.run(TrapRemedy.part(number, of: job.folder)) {
        try await InterruptibleWork.run { () throws(EncodeJobError) in try await work.run() }
      }
    }
    if json {
      let listing = Listing(part: outcome.part, removed: leavings.withLock { $0 })
      try Console.print(JSONDocument(.encodePart, listing), isOneLine: true)
    } else {
      Console.print(Self.line(outcome))
    }
  }

  /// A part's record, with what was removed on the way.
  private struct Listing: Encodable {
    private enum Keys: CodingKey { case removed }

    let part: EncodePart
    let removed: [JobLeaving]

    func encode(to encoder: any Encoder) throws {
      try part.encode(to: encoder)
      guard !removed.isEmpty else { return }
      var keys = encoder.container(keyedBy: Keys.self)
      try keys.encode(removed, forKey: .removed)
    }
  }

  private static func line(_ outcome: PartEncoder.Outcome) -> String {
    let part = outcome.part
    switch outcome {
    case .found: return "part \(part.part): is there, \(part.frameCount) frames"
    case .made:
      let rate = part.work.seconds > 0 ? Double(part.frameCount) / part.work.seconds : 0
      return "part \(part.part): \(part.frameCount) frames, \(Quantity.bytes(part.fileSize)), "
        + "\(Int(rate.rounded())) frames per second"
    }
  }
}

extension PartNumbers {
  static func argument(_ text: String) throws -> PartNumbers {
    guard let numbers = PartNumbers(text) else {
      throw ValidationError("invalid part number '\(text)'; write 7, 0-3 or 0-3,7")
    }
    return numbers
  }
}
