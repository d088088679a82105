import AssetReader
import AssetWriter
import Foundation
import MediaCore
import QuickTime
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
  }

  /// The job.
  public let job: EncodeJob
  /// The source's place in the plan, from 0.
  public let source: Int
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

  /// Joins, unless the movie is there. Cancelling the task leaves nothing of it.
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
    if let outcome = try finished() { return outcome }
    guard job.plan.versions == .current else {
      throw EncodeJobError(
        .otherVersion,
        "the job was planned by recordctl \(job.plan.versions.recordctl) with libavcodec "
          + "\(job.plan.versions.libavcodec); join it with the same")
    }
    let parts = try PartChecklist(job: job, source: source).complete()
    let location = try AssetLocation(planned.input)
    try SourceIdentity.check(planned, path: location.path)
    let folder = (moviePath as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let name = (moviePath as NSString).lastPathComponent
    let work = folder + "/.join-\(PartFolder.host)-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: work) }
    let export = try JoinedExport(
      job: job, planned: planned, parts: parts, outputPath: work + "/" + name,
      moviePath: moviePath, onProgress: onProgress)
    let outcome = try await export.run()
    try verify(export.outputPath)
    try publish(export.outputPath)
    try writeRecord(outcome)
    return outcome
  }

  /// What a movie that is there came to; nil where none is.
  private func finished() throws -> Outcome? {
    guard let bytes = try SmallFile(path: job.joinRecord(of: source)).read(limit: 1 << 24),
      let record = try? JSONDecoder().decode(Record.self, from: Data(bytes)),
      record.plan == job.planChecksum, FileManager.default.fileExists(atPath: moviePath)
    else { return nil }
    try verify(moviePath)
    var outcome = record.outcome
    outcome.movie = moviePath
    outcome.wasThere = true
    return outcome
  }

  /// What lies in the job's folder once a movie is joined.
  private struct Record: Codable {
    /// The xxHash64 of the plan.
    var plan: String
    var outcome: Outcome
  }

  private func writeRecord(_ outcome: Outcome) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let record = Record(plan: job.planChecksum, outcome: outcome)
    try SmallFile(path: job.joinRecord(of: source)).write([[UInt8](try encoder.encode(record))])
  }

  /// Reads the movie again and compares it with its sidecar.
  private func verify(_ path: String) throws {
    var verifier = MovieVerifier(path: path)
    verifier.depth = .quick
    let report = try verifier.run()
    guard report.isValid, let sums = report.checksums, sums.fileAgrees == true else {
      let finding = report.findings.first { $0.severity == .error }?.message
      throw EncodeJobError(
        .joinFailed, "\(path) does not pass its verification: \(finding ?? "no checksums")")
    }
  }

  /// The sidecar first: what has the movie's name is whole.
  private func publish(_ path: String) throws(EncodeJobError) {
    for suffix in [".json", ""] {
      guard rename(path + suffix, moviePath + suffix) == 0 else {
        let number = errno
        throw EncodeJobError(
          .temporary, "\(moviePath)\(suffix): \(String(cString: strerror(number)))", errno: number)
      }
    }
  }
}
