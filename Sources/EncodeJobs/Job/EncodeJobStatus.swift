import Foundation
import MediaCore

/// The status of a job.
public struct EncodeJobStatus: Sendable, Codable {
  /// A problem with a part.
  public struct Problem: Sendable, Codable {
    /// The part's number.
    public var part: Int
    /// The problem, in one line.
    public var message: String
  }

  /// A problem with a joined movie.
  public struct MovieProblem: Sendable, Codable {
    /// The movie's path.
    public var movie: String
    /// The problem, in one line.
    public var message: String
  }

  /// The job's folder.
  public var folder: String
  /// The number of parts.
  public var partCount: Int
  /// The number of complete parts.
  public var completeCount: Int
  /// The missing parts, in the syntax of job arrays: `0-3,7`; nil if all are complete.
  public var missing: String?
  /// The parts that cannot be used.
  public var problems: [Problem]
  /// The number of movies.
  public var movieCount: Int
  /// The number of joined movies.
  public var joinedCount: Int
  /// The joined movies that are damaged; nil if there are none or they were not read.
  public var movieProblems: [MovieProblem]?
  /// How many parts of ``completeCount`` had their frames removed because their movie has them.
  public var removedCount: Int
  /// The disk space of the parts, in bytes.
  public var partBytes: Int64
  /// The number of folders of workers that are active or ended abruptly.
  public var workFolderCount: Int
  /// How many of these belonged to workers on this machine that no longer exist.
  public var leftFolderCount: Int
  /// The disk space of workers' folders, in bytes.
  public var workFolderBytes: Int64
  /// The number of folders that were set aside.
  public var asideCount: Int
  /// The disk space of folders that were set aside, in bytes.
  public var asideBytes: Int64

  /// True if every part and every movie is complete.
  public var isComplete: Bool { completeCount == partCount && joinedCount == movieCount }

  /// Determines the status of a job.
  ///
  /// - Parameters:
  ///   - job: The job.
  ///   - readsMovies: True to compare all bytes of parts and joined movies with their records.
  /// - Throws: ``EncodeJobError/Code/temporary`` if the folder cannot be read now.
  public init(of job: EncodeJob, readsMovies: Bool = false) throws(EncodeJobError) {
    folder = job.folder
    partCount = job.plan.parts.count
    var missing: [Int] = []
    problems = []
    removedCount = 0
    partBytes = 0
    let movies = readsMovies ? JoinedMovieFaults() : nil
    for number in job.plan.parts.indices {
      let part = PartFolder(job: job, number: number)
      partBytes += JobLeavings.bytes(part.path)
      switch try part.state(readsMovie: readsMovies, joined: movies) {
      case .complete: break
      case .joined: removedCount += 1
      case .absent: missing.append(number)
      case .unusable(let reason):
        missing.append(number)
        problems.append(Problem(part: number, message: reason))
      }
    }
    completeCount = partCount - missing.count
    self.missing = missing.isEmpty ? nil : PartNumbers(missing).text
    movieCount = job.plan.sources.count
    joinedCount = 0
    var movieProblems: [MovieProblem] = []
    for source in job.plan.sources.indices where job.isJoined(source) {
      if let fault = try movies?.fault(of: source, job) {
        let movie = job.path(job.plan.sources[source].movie)
        movieProblems.append(MovieProblem(movie: movie, message: "it is damaged: \(fault)"))
      } else {
        joinedCount += 1
      }
    }
    self.movieProblems = movieProblems.isEmpty ? nil : movieProblems
    let folders = JobLeavings(job: job).folders()
    let (aside, work) = (folders.filter(\.isAside), folders.filter { !$0.isAside })
    workFolderCount = work.count
    leftFolderCount = work.count { $0.worker?.presence() == .gone }
    workFolderBytes = work.reduce(0) { $0 + JobLeavings.bytes($1.path) }
    asideCount = aside.count
    asideBytes = aside.reduce(0) { $0 + JobLeavings.bytes($1.path) }
  }
}
