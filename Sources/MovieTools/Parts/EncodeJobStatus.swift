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
  /// Folders of workers that are at work, or came to a sudden end.
  public var workFolderCount: Int
  /// Folders that were set aside.
  public var asideCount: Int

  /// True where every part and every movie is there.
  public var isComplete: Bool { completeCount == partCount && joinedCount == movieCount }

  /// Looks at a job.
  ///
  /// - Parameter readsMovies: True to compare all bytes with the records.
  /// - Throws: ``EncodeJobError/Code/temporary`` where the folder cannot be read now.
  public init(of job: EncodeJob, readsMovies: Bool = false) throws(EncodeJobError) {
    folder = job.folder
    partCount = job.plan.parts.count
    var missing: [Int] = []
    problems = []
    for number in job.plan.parts.indices {
      switch try PartFolder(job: job, number: number).state(readsMovie: readsMovies) {
      case .complete: break
      case .absent: missing.append(number)
      case .unusable(let reason):
        missing.append(number)
        problems.append(Problem(part: number, message: reason))
      }
    }
    completeCount = partCount - missing.count
    self.missing = missing.isEmpty ? nil : PartNumbers(missing).text
    movieCount = job.plan.sources.count
    joinedCount = job.plan.sources.indices.count { source in
      [job.path(job.plan.sources[source].movie), job.joinRecord(of: source)]
        .allSatisfy { FileManager.default.fileExists(atPath: $0) }
    }
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: job.path(EncodeJob.partsFolder))) ?? []
    workFolderCount = names.count { $0.hasPrefix(PartFolder.workPrefix) }
    asideCount = names.count { $0.hasPrefix(PartFolder.asidePrefix) }
  }
}
