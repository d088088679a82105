import ArgumentParser
import EncodeJobs
import Foundation
import MediaCore

/// `recordctl encode part JOB [N]`
struct EncodePartCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "part", abstract: "Encodes parts of a planned conversion.",
    discussion: """
      N is the number of a part, or of several: 0-3,7. If omitted, it is taken from the batch \
      engine: SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX, or \
      PARALLEL_SEQ, which counts from 1.

      A part that exists and is complete is kept, so any call can be repeated. Work folders are \
      removed if their worker was killed on this machine, or ran on another machine and has \
      written nothing for a day. Exit status 75 means that the same command may succeed later: the \
      disk is full, a source is unavailable, or a signal arrived.
      """)

  @Argument(help: "Job folder.", completion: .directory)
  var job: String

  @Argument(
    help: "Part numbers, from 0: one, or several such as 0-3,7.", transform: PartNumbers.argument)
  var numbers: PartNumbers?

  @Option(
    help: "Parts per number (default: 1): with 10, number 2 encodes parts 20 to 29.",
    transform: Int.argument(in: 1...1_000_000))
  var batch = 1

  @Option(
    help: """
      Number of threads (default: as many as the batch engine, the control group or the machine \
      provides).
      """,
    transform: Int.argument(in: 1...256))
  var threads: Int?

  @Flag(help: "Print each part's record as one line of JSON.")
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
    case .found: return "part \(part.part): already complete, \(part.frameCount) frames"
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
