import AssetReader
import AssetWriter
import Foundation
import MediaCore
import ProRes
import QuickTime
import Synchronization

/// Makes one part of a job. If the part exists and is intact, only it, or the movie that has its
/// frames, is read.
public struct PartEncoder: Sendable {
  /// The result of a call.
  public enum Outcome: Sendable {
    /// The part was made.
    case made(EncodePart)
    /// It already existed, or another worker was first.
    case found(EncodePart)

    /// The part.
    public var part: EncodePart {
      switch self {
      case .made(let part), .found(let part): part
      }
    }
  }

  /// The job.
  public let job: EncodeJob
  /// The part's number, from 0.
  public let number: Int
  /// The number of threads for decoding and encoding.
  public var threads = WorkerThreads.count
  /// Called after each frame, on any thread. Must return quickly.
  public var onProgress: (@Sendable (_ frames: Int, _ total: Int) -> Void)?
  /// Called with one line about anything at the part's path that was set aside, and about a folder that cannot be
  /// removed.
  public var onNotice: (@Sendable (String) -> Void)?
  /// Faults in movies that have the frames of parts. Encoders that share this read each movie once.
  public var movieFaults = JoinedMovieFaults()
  /// Called with each removed folder that a worker had left behind.
  public var onLeaving: (@Sendable (JobLeaving) -> Void)?

  /// Creates an encoder of a part.
  ///
  /// - Throws: ``EncodeJobError/Code/invalidArgument`` for a part that the job does not have.
  public init(_ job: EncodeJob, part number: Int) throws(EncodeJobError) {
    guard job.plan.parts.indices.contains(number) else {
      throw EncodeJobError(
        .invalidArgument,
        "\(job.folder) has no part \(number); its parts are 0 to \(job.plan.parts.count - 1)")
    }
    self.job = job
    self.number = number
  }

  /// Makes the part, unless it exists. Cancelling the task leaves nothing of it.
  ///
  /// - Throws: ``EncodeJobError``; ``EncodeJobError/isWorthRetrying`` tells whether to try again.
  public func run() async throws(EncodeJobError) -> Outcome {
    let place = PartFolder(job: job, number: number)
    switch try place.state(readsMovie: true, joined: movieFaults) {
    case .complete(let part), .joined(let part): return .found(part)
    case .absent: try checkMaking()
    case .unusable(let reason):
      // Checked first, so that an unusable part is set aside only if this call can make it again.
      try checkMaking()
      try place.setAside(because: reason) { onNotice?($0) }
    }
    let work = try place.makeWorkFolder()
    let leavings = JobLeavings(job: job).remove(except: work, telling: { onNotice?($0) })
    for leaving in leavings { onLeaving?(leaving) }
    do throws(EncodeJobError) {
      let outcome = try await make(in: work, place)
      if case .found = outcome, let left = job.calls.remains(afterRemoving: work) {
        onNotice?(left)
      }
      return outcome
    } catch {
      throw error.adding(job.calls.remains(afterRemoving: work))
    }
  }

  /// Encodes the part in a folder, which is then renamed, unless another worker was first.
  private func make(
    in work: String, _ place: PartFolder
  ) async throws(EncodeJobError) -> Outcome {
    let part: EncodePart
    do {
      part = try await encode(into: work)
    } catch {
      if !Task.isCancelled, !FileManager.default.fileExists(atPath: work) {
        throw EncodeJobError(
          .temporary,
          "\(work) was removed while part \(number) was encoded in it; run the command again")
      }
      throw Self.judged(error, number)
    }
    switch try place.publish(work, part, telling: { onNotice?($0) }) {
    case .published: return .made(part)
    case .anotherWas(let other): return .found(other)
    }
  }

  /// Checks that this program can make the part from the planned source.
  private func checkMaking() throws(EncodeJobError) {
    guard job.plan.versions == .current else {
      let now = EncodeJobPlan.Versions.current
      throw EncodeJobError(
        .otherVersion,
        "the job was planned by recordctl \(job.plan.versions.recordctl) with libavcodec "
          + "\(job.plan.versions.libavcodec), and this is \(now.recordctl) with \(now.libavcodec); use "
          + "the same on all machines, or plan again")
    }
    let source = job.plan.sources[job.plan.parts[number].source]
    let location: AssetLocation
    do { location = try AssetLocation(source.input) } catch { throw Self.judged(error, number) }
    try SourceIdentity.check(source, path: location.path)
  }

  /// Converts a failure to this module's error.
  static func judged(_ error: any Error, _ number: Int) -> EncodeJobError {
    if Task.isCancelled {
      return EncodeJobError(
        .interrupted,
        "part \(number) was interrupted by a signal; run the command again to encode it")
    }
    if let passing = RetryJudgment.passing(error) { return passing }
    return RetryJudgment.lasting(error)
  }

  private func encode(into work: String) async throws -> EncodePart {
    let began = MonotonicClock.now
    let range = job.plan.parts[number]
    let source = job.plan.sources[range.source]
    let location = try AssetLocation(source.input)
    let index = try job.index(of: source)
    let movie = work + "/" + EncodePart.movieName
    let session = try job.plan.options.session(location, outputPath: movie)
    let scheduled = index.schedule
    let schedule = scheduled[range.firstFrame..<range.firstFrame + range.frameCount]
    let next = scheduled.dropFirst(range.firstFrame + range.frameCount).first
    let first = schedule.first ?? 0
    let opening = try JobOpening(
      session, for: first...(next ?? schedule.last ?? first), of: index, threads: threads)
    var writing = try PartWriting(opening, source, movie: movie, threads: threads)
    let frames = try await writing.run(
      index, schedule: schedule, next: next, onProgress: onProgress)
    let sums = try await writing.finish()
    guard sums.frames.count == range.frameCount else {
      throw EncodeJobError(
        .partsDiffer,
        "part \(number) has \(sums.frames.count) frames instead of \(range.frameCount)")
    }
    let part = EncodePart(
      part: number, plan: job.planChecksum, versions: .current, frameCount: range.frameCount,
      fileSize: sums.fileSize, xxHash64: sums.file, frames: sums.frames,
      firstPicture: frames.first, nextPicture: frames.next, pictures: frames.account,
      captions: frames.captions,
      work: EncodePart.Work(
        host: PartFolder.host, threads: threads,
        seconds: Double(MonotonicClock.now - began) * 1e-9,
        kernels: (try? KernelChoice.automatic().rawValue) ?? "?"))
    let document = JSONDocument(.encodePart, part)
    try SmallFile(path: work + "/" + EncodePart.recordName).write(
      [[UInt8](try document.data(isOneLine: true))], isExclusive: true)
    return part
  }
}
