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

/// Joins the parts of one source: frames are copied, and audio and everything else comes from the
/// source.
public struct MovieJoiner: Sendable {
  /// The result of a join.
  public struct Outcome: Sendable, Codable {
    /// The source, as in the plan.
    public var input: String
    /// The movie's path.
    public var movie: String
    /// True if the movie already existed, intact and made by this plan.
    public var wasThere: Bool
    /// The number of parts joined.
    public var partCount: Int
    /// The number of frames in the movie, including repeated ones.
    public var frameCount: Int
    /// The size of the movie in bytes.
    public var fileSize: Int64
    /// The xxHash64 of the movie.
    public var xxHash64: String
    /// What the movie drops, changes or assumes compared with its source.
    public var notes: [ExportNote]
    /// True if the source had to be repaired or is damaged.
    public var wasRepaired: Bool
    /// What was removed after the movie was verified; nil for nothing.
    public var removed: Removal?

    /// What a job no longer needs.
    public struct Removal: Sendable, Codable {
      /// The number of parts whose frames were removed.
      public var partCount: Int
      /// The removed folders that workers left behind.
      public var leavings: [JobLeaving]
      /// The total disk space freed, in bytes.
      public var bytes: Int64
    }
  }

  /// The job.
  public let job: EncodeJob
  /// The source's index in the plan, from 0.
  public let source: Int
  /// True to remove the parts' frames, and parts that were set aside, after the movie is verified.
  public var removesParts = false
  /// Called with one line about a damaged movie that is made again, and about a folder that cannot be removed.
  public var onNotice: (@Sendable (String) -> Void)?
  /// Called while frames are copied, on any thread. Must return quickly.
  public var onProgress: (@Sendable (AssetExportSession.Progress) -> Void)?

  /// Creates a joiner of a source's parts.
  ///
  /// - Throws: ``EncodeJobError/Code/invalidArgument`` for a source that the job does not have.
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

  /// Joins the parts, unless the movie exists. A movie that this job joined and that was damaged
  /// since is made again from intact parts and then replaced. Cancelling the task leaves nothing of
  /// the new movie.
  ///
  /// - Throws: ``EncodeJobError``; ``EncodeJobError/isWorthRetrying`` tells whether to try again.
  public func run() async throws(EncodeJobError) -> Outcome {
    var work: String?
    do {
      let outcome = try await join(&work)
      if let left = work.flatMap({ job.calls.remains(afterRemoving: $0) }) { onNotice?(left) }
      return outcome
    } catch {
      let left = work.flatMap { job.calls.remains(afterRemoving: $0) }
      if Task.isCancelled {
        throw EncodeJobError(
          .interrupted, "the join was ended by a signal; call it again to start over"
        ).adding(left)
      }
      throw (RetryJudgment.passing(error) ?? RetryJudgment.lasting(error)).adding(left)
    }
  }

  /// Joins the parts.
  ///
  /// - Parameter made: The folder that the movie is made in, once it exists; the caller removes it.
  private func join(_ made: inout String?) async throws -> Outcome {
    let planned = job.plan.sources[source]
    var fault: String?
    switch try standing() {
    case .absent: break
    case .whole(let outcome): return try clean(outcome, except: nil)
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
    if let fault { onNotice?("\(moviePath) is damaged: \(fault); it is made again from its parts") }
    let location = try AssetLocation(planned.input)
    try SourceIdentity.check(planned, path: location.path)
    let frames = PartFrames(parts)
    if fault == nil { try checkName(frames) }
    let folder = moviePath.parentPath
    try job.calls.makeFolders(folder)
    let name = moviePath.pathName
    let work = folder + "/" + PartFolder.joinPrefix + WorkerMark.current().text
    try job.calls.makeNewFolder(work)
    made = work
    let export = try JoinedExport(
      job: job, planned: planned, parts: parts, frames: frames, outputPath: work + "/" + name,
      moviePath: moviePath, onProgress: onProgress)
    let joined = try await export.run()
    let outcome = joined.outcome
    try verify(export.outputPath, frames, joined.checksums)
    try publish(export.outputPath)
    try JoinRecord(plan: job.planChecksum, outcome: outcome).write(of: source, job)
    return try clean(outcome, except: work)
  }

  /// Removes what the job no longer needs after the join.
  ///
  /// - Parameter own: The folder that the movie was made in; nil if it already existed.
  private func clean(_ outcome: Outcome, except own: String?) throws(EncodeJobError) -> Outcome {
    let parts = job.plan.parts(of: source)
    var removal = Outcome.Removal(
      partCount: 0,
      leavings: JobLeavings(job: job).remove(
        except: own, joined: Set(parts), removesAside: removesParts,
        telling: { onNotice?($0) }), bytes: 0)
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

  /// What exists at the movie's path.
  private enum Standing {
    case absent
    case whole(Outcome)
    /// The job's own movie, damaged for this reason.
    case damaged(String)
  }

  /// Checks whether the movie exists, and verifies it.
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

  /// Checks that no unrelated file is replaced. A movie of a join that was killed before it wrote
  /// its record has these same frames; it is made again.
  ///
  /// - Throws: ``EncodeJobError/Code/joinFailed`` if another file has the movie's name.
  private func checkName(_ parts: PartFrames) throws {
    do throws(Errno) { try job.calls.find(moviePath) } catch {
      guard error != .noSuchFileOrDirectory else { return }
      throw EncodeJobError.refusal(
        "\(moviePath) cannot be examined: \(error)", at: moviePath, error)
    }
    var check = JoinedMovieCheck(path: moviePath)
    check.frames = parts.checksums
    guard let fault = try check.fault() else { return }
    throw EncodeJobError(
      .joinFailed,
      "\(moviePath) exists and was not joined by this job (\(fault)); move it away, and join again"
    )
  }

  /// Verifies the movie against its sidecar, and its frames against the parts' checksums.
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

  /// Moves the movie and its sidecar to their final names. The sidecar goes first, so that a movie
  /// under its final name is complete.
  private func publish(_ path: String) throws(EncodeJobError) {
    for suffix in [".json", ""] {
      do throws(Errno) { try job.calls.rename(path + suffix, moviePath + suffix) } catch {
        let isPassing = RetryJudgment.isPassing(error)
        throw EncodeJobError(
          isPassing ? .temporary : .unsuitableFolder,
          "\(moviePath)\(suffix): the movie cannot be renamed to its final name (\(error)); "
            + (isPassing
              ? "join again" : "check the folder's permissions and file system, and join again"),
          errno: error)
      }
    }
    // The names must be on disk before parts are removed.
    PartFolder.synchronize(moviePath.parentPath)
  }
}
