import Foundation
import MediaCore

/// Where a job stands.
public struct EncodeJobStatus: Sendable, Codable {
  /// What is wrong with a part.
  public struct Problem: Sendable, Codable {
    /// The part's number.
    public var part: Int
    /// What is wrong with it, in one line.
    public var message: String
  }

  /// What is wrong with a joined movie.
  public struct MovieProblem: Sendable, Codable {
    /// The movie's path.
    public var movie: String
    /// What is wrong with it, in one line.
    public var message: String
  }

  /// The job's folder.
  public var folder: String
  /// All parts.
  public var partCount: Int
  /// Parts that are there.
  public var completeCount: Int
  /// Parts that are not, in the words of engines of arrays: `0-3,7`; missing where all are there.
  public var missing: String?
  /// Parts that cannot be used.
  public var problems: [Problem]
  /// All movies.
  public var movieCount: Int
  /// Movies that are joined.
  public var joinedCount: Int
  /// Movies that were joined and are damaged; nil where none is, or they were not read.
  public var movieProblems: [MovieProblem]?
  /// Parts of ``completeCount`` whose frames were removed because their movie has them.
  public var removedCount: Int
  /// Bytes of disk that the parts take.
  public var partBytes: Int64
  /// Folders of workers that are at work, or came to a sudden end.
  public var workFolderCount: Int
  /// Those of them whose workers, of this machine, run no more.
  public var leftFolderCount: Int
  /// Bytes of disk that the folders of workers take.
  public var workFolderBytes: Int64
  /// Folders that were set aside.
  public var asideCount: Int
  /// Bytes of disk that they take.
  public var asideBytes: Int64

  /// True where every part and every movie is there.
  public var isComplete: Bool { completeCount == partCount && joinedCount == movieCount }

  /// Looks at a job.
  ///
  /// - Parameters:
  ///   - job: The job.
  ///   - readsMovies: True to compare all bytes of parts and joined movies with the records.
  /// - Throws: ``EncodeJobError/Code/temporary`` where the folder cannot be read now.
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
