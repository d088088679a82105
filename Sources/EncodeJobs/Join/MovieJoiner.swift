import AssetReader
import AssetWriter
import Foundation
import MediaCore
public import MovieExport
import QuickTime
import SystemPackage
import TakeReports

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Joins the parts of one source: frames are copied, sound and all else comes from the source, once.
public struct MovieJoiner: Sendable {
  /// What a call came to.
  public struct Outcome: Sendable, Codable {
    /// The source, as the plan names it.
    public var input: String
    /// The movie's path.
    public var movie: String
    /// True where the movie was there already, whole and by this plan.
    public var wasThere: Bool
    /// Parts that were joined.
    public var partCount: Int
    /// Frames of the movie, repeats among them.
    public var frameCount: Int
    /// Bytes of the movie.
    public var fileSize: Int64
    /// The xxHash64 of the movie.
    public var xxHash64: String
    /// What the movie lacks, changes or assumes, compared with its source.
    public var notes: [ExportNote]
    /// True where something of the source could not be kept in order.
    public var wasRepaired: Bool
    /// What was removed once the movie was verified; nil for nothing.
    public var removed: Removal?

    /// What a job needs no more.
    public struct Removal: Sendable, Codable {
      /// Parts whose frames were removed.
      public var partCount: Int
      /// Folders that workers left behind.
      public var leavings: [JobLeaving]
      /// Bytes of disk of all of them.
      public var bytes: Int64
    }
  }

  /// The job.
  public let job: EncodeJob
  /// The source's place in the plan, from 0.
  public let source: Int
  /// True to remove the frames of the parts, and what was set aside of them, once the movie is verified.
  public var removesParts = false
  /// Told in one line of a movie that is damaged and is made again.
  public var onNotice: (@Sendable (String) -> Void)?
  /// Called while frames are copied, on any thread; it must return quickly.
  public var onProgress: (@Sendable (AssetExportSession.Progress) -> Void)?

  /// A joiner of a source's parts.
  ///
  /// - Throws: ``EncodeJobError/Code/invalidArgument`` for a source that the job has not.
  public init(_ job: EncodeJob, source: Int) throws(EncodeJobError) {
    guard job.plan.sources.indices.contains(source) else {
      throw EncodeJobError(
        .invalidArgument,
        "\(job.folder) has no movie \(source); its movies are 0 to \(job.plan.sources.count - 1)")
    }
    self.job = job
    self.source = source
  }

  /// The movie's path.
  public var moviePath: String { job.path(job.plan.sources[source].movie) }

  /// Joins, unless the movie is there. One that was joined by this job and was damaged since is replaced once
  /// it was made again, of parts that are whole. Cancelling the task leaves nothing of it.
  ///
  /// - Throws: ``EncodeJobError``; ``EncodeJobError/isWorthRetrying`` says whether to try again.
  public func run() async throws(EncodeJobError) -> Outcome {
    do {
      return try await join()
    } catch {
      if Task.isCancelled {
        throw EncodeJobError(
          .interrupted, "the join was ended by a signal; it begins anew when it is called again")
      }
      throw RetryJudgment.passing(error) ?? RetryJudgment.lasting(error)
    }
  }

  private func join() async throws -> Outcome {
    let planned = job.plan.sources[source]
    var fault: String?
    switch try standing() {
    case .absent: break
    case .whole(let outcome): return try clean(outcome, besides: nil)
    case .damaged(let reason): fault = reason
    }
    guard job.plan.versions == .current else {
      throw EncodeJobError(
        .otherVersion,
        (fault.map { "\(moviePath) is damaged: \($0); " } ?? "")
          + "the job was planned by recordctl \(job.plan.versions.recordctl) with libavcodec "
          + "\(job.plan.versions.libavcodec); join it with the same")
    }
    let parts = try PartChecklist(job: job, source: source, movieFault: fault).complete()
    if let fault { onNotice?("\(moviePath) is damaged: \(fault); it is made again of its parts") }
    let location = try AssetLocation(planned.input)
    try SourceIdentity.check(planned, path: location.path)
    let frames = PartFrames(parts)
    if fault == nil { try checkName(frames) }
    let folder = moviePath.parentPath
    try job.calls.makeFolders(folder)
    let name = moviePath.pathName
    let work = folder + "/" + PartFolder.joinPrefix + WorkerMark.current().text
    try job.calls.makeNewFolder(work)
    defer { try? FileManager.default.removeItem(atPath: work) }
    let export = try JoinedExport(
      job: job, planned: planned, parts: parts, frames: frames, outputPath: work + "/" + name,
      moviePath: moviePath, onProgress: onProgress)
    let made = try await export.run()
    let outcome = made.outcome
    try verify(export.outputPath, frames, made.checksums)
    try publish(export.outputPath)
    try JoinRecord(plan: job.planChecksum, outcome: outcome).write(of: source, job)
    return try clean(outcome, besides: work)
  }

  /// Removes what the job no longer needs after the join.
  ///
  /// - Parameter own: The folder that the movie was made in; nil where it was there.
  private func clean(_ outcome: Outcome, besides own: String?) throws(EncodeJobError) -> Outcome {
    let parts = job.plan.parts(of: source)
    var removal = Outcome.Removal(
      partCount: 0,
      leavings: JobLeavings(job: job).remove(
        besides: own, joined: Set(parts), removesAside: removesParts), bytes: 0)
    removal.bytes = removal.leavings.reduce(0) { $0 + $1.bytes }
    if removesParts {
      for number in parts {
        guard let bytes = try PartFolder(job: job, number: number).removeFrames() else { continue }
        removal.partCount += 1
        removal.bytes += bytes
      }
    }
    var outcome = outcome
    outcome.removed = removal.partCount > 0 || !removal.leavings.isEmpty ? removal : nil
    return outcome
  }

  /// What has the movie's name.
  private enum Standing {
    case absent
    case whole(Outcome)
    /// The job's own movie, which is damaged: why.
    case damaged(String)
  }

  /// Looks at the movie, and reads it where it is there.
  ///
  /// - Throws: ``EncodeJobError/Code/joinFailed`` for one that is not the job's.
  private func standing() throws -> Standing {
    guard let record = try JoinRecord(of: source, job),
      FileManager.default.fileExists(atPath: moviePath)
    else { return .absent }
    if let fault = try JoinedMovieCheck(path: moviePath).fault() {
      guard record.isOf(moviePath) else {
        throw EncodeJobError(
          .joinFailed,
          "\(moviePath) does not pass its verification: \(fault); it does not have the size or the sidecar of the "
            + "movie that was joined: remove it, and join again")
      }
      return .damaged(fault)
    }
    var outcome = record.outcome
    outcome.movie = moviePath
    outcome.wasThere = true
    return .whole(outcome)
  }

  /// Makes sure that nothing of somebody else's is replaced. The movie of a join that was killed before it noted that
  /// it is complete has these very frames; it is made again.
  ///
  /// - Throws: ``EncodeJobError/Code/joinFailed`` for a file of the movie's name that is another one.
  private func checkName(_ parts: PartFrames) throws {
    do throws(Errno) { try job.calls.find(moviePath) } catch {
      guard error != .noSuchFileOrDirectory else { return }
      throw EncodeJobError.refusal(
        "\(moviePath) cannot be looked at: \(error)", at: moviePath, error)
    }
    var check = JoinedMovieCheck(path: moviePath)
    check.frames = parts.checksums
    guard let fault = try check.fault() else { return }
    throw EncodeJobError(
      .joinFailed,
      "\(moviePath) is there and was not joined by this job (\(fault)); move it away, and join again"
    )
  }

  /// Reads the movie and compares it with its sidecar, and its frames with what was noted of them.
  private func verify(
    _ path: String, _ parts: PartFrames, _ written: MovieChecksums
  ) throws {
    var check = JoinedMovieCheck(path: path)
    check.written = written
    check.frames = parts.checksums
    check.beginnings = parts.beginnings
    let fault: String
    switch try check.run() {
    case .whole: return
    case .frameDiffers(let frame, let origin):
      if let error = parts.fault(ofFrame: origin) { throw error }
      fault = "frame \(frame) is not what was written"
    case .invalid(let reason): fault = reason
    }
    throw EncodeJobError(
      .joinFailed,
      "\(path) does not pass its verification: \(fault); join again")
  }

  /// The sidecar first: what has the movie's name is whole.
  private func publish(_ path: String) throws(EncodeJobError) {
    for suffix in [".json", ""] {
      do throws(Errno) { try job.calls.rename(path + suffix, moviePath + suffix) } catch {
        let isPassing = RetryJudgment.isPassing(error)
        throw EncodeJobError(
          isPassing ? .temporary : .unsuitableFolder,
          "\(moviePath)\(suffix): the movie cannot be given its name (\(error)); "
            + (isPassing
              ? "join again" : "look at the folder's rights and file system, and join again"),
          errno: error)
      }
    }
    // The names must be on the disk before parts go.
    PartFolder.synchronize(moviePath.parentPath)
  }
}
