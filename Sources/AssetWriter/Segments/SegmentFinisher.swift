import MediaCore
import QuickTime

/// Completes movies of segments on a separate thread, so that the writing thread can continue.
final class SegmentFinisher: Sendable {
  /// A movie that nothing more is written into.
  struct Job: @unchecked Sendable {
    // Sendable: given away by the writing thread, which keeps no reference.
    let movie: any SegmentMovie
    let span: SegmentTimeline.Span
    /// What comes with the end of the movie.
    let facts: MovieFacts

    var path: String { movie.file.name }

    /// The segment for the report; nil if nothing of it is left. `summary` is nil if the file is not a complete
    /// movie.
    func segment(_ summary: MovieSummary?) -> Segment? {
      guard !movie.isRemoved else { return nil }
      let held = summary ?? movie.remainder
      return Segment(
        number: span.number, path: path, firstFrame: span.start,
        startTimecode: movie.startTimecode?.description,
        frameCount: Int64(held?.tracks.first { $0.mediaType == .video }?.sampleCount ?? 0),
        duration: held.map { $0.duration.isNumeric ? $0.duration.seconds : 0 } ?? 0,
        fileSize: Int64(clamping: held?.fileSize ?? 0),
        end: span.reason, isValid: summary != nil,
        checksum: summary?.checksums.map { XXHash64.text($0.file) },
        fileChange: movie.fileChange,
        copies: movie.file.copies.isEmpty ? nil : movie.file.copies,
        omitted: movie.omitted.isEmpty ? nil : movie.omitted)
    }
  }

  /// What became of a movie: its segment, and what went wrong.
  typealias Completion = @Sendable (Job, MovieSummary?, QuickTimeError?) -> Void

  private struct State {
    var jobs = FIFO<Job>()
    var isClosed = false
    var thread: MediaThread?
    /// The completed movies, in case they have to be removed.
    var done: [Job] = []
  }

  private let shared = WaitableMutex(State())
  private let didFinish: Completion

  init(didFinish: @escaping Completion) { self.didFinish = didFinish }

  /// Completes a movie, soon.
  func finish(_ job: Job) {
    shared.update { $0.jobs.append(job) }
    let isRunning = shared.withLock { $0.thread != nil }
    guard !isRunning else { return }
    if let thread = try? MediaThread(name: "movie-finisher", role: .writing, { [self] in run() }) {
      shared.withLock { $0.thread = thread }
    } else {
      // No thread is to be had: late is better than never.
      while let job = shared.withLock({ $0.jobs.popFirst() }) { complete(job) }
    }
  }

  /// Waits until all that was given is complete.
  func close() {
    let thread = shared.update { state in
      defer { state.thread = nil }
      state.isClosed = true
      return state.thread
    }
    thread?.join()
  }

  private func run() {
    while let job = next() { complete(job) }
  }

  private func next() -> Job? {
    let job: Job?? = shared.wait { state in
      if let job = state.jobs.popFirst() { return .some(job) }
      return state.isClosed ? .some(nil) : nil
    }
    return job ?? nil
  }

  private func complete(_ job: Job) {
    do throws(QuickTimeError) {
      didFinish(job, try job.movie.finish(end: nil, facts: job.facts), nil)
    } catch {
      didFinish(job, job.movie.rescue(job.facts), error)
    }
    shared.withLock { $0.done.append(job) }
  }

  /// Removes the files that are complete, and says which those were.
  func removeAll() -> [String] {
    let done = shared.withLock { state in
      defer { state.done = [] }
      return state.done
    }
    for job in done { job.movie.remove() }
    return done.map(\.path)
  }
}
