import MediaCore
import QuickTime
import Synchronization
import TakeReports

/// The joined movies of a job as they were found when they were read: each is read once, however many parts
/// have their frames in it.
public final class JoinedMovieFaults: Sendable {
  // By the sources' places in the plan. A lock held while a movie is read lets others wait for the answer.
  private let faults = Mutex<[Int: String?]>([:])

  /// Movies of which none was read.
  public init() {}

  /// What is wrong with the movie of a source; nil for a movie that is whole.
  ///
  /// - Throws: ``EncodeJobError/Code/temporary`` where it cannot be read now.
  func fault(of source: Int, _ job: EncodeJob) throws(EncodeJobError) -> String? {
    let result = faults.withLock { faults -> Result<String?, EncodeJobError> in
      if let known = faults[source] { return .success(known) }
      do throws(EncodeJobError) {
        let fault = try JoinedMovieCheck(path: job.path(job.plan.sources[source].movie)).fault()
        faults.updateValue(fault, forKey: source)
        return .success(fault)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

extension JoinedMovieCheck {
  /// What is wrong with a movie that was there, in words; nil for nothing.
  ///
  /// - Throws: ``EncodeJobError/Code/temporary`` where it cannot be read now.
  func fault() throws(EncodeJobError) -> String? {
    do {
      return switch try run() {
      case .whole: nil
      case .frameDiffers(let frame, of: _): "frame \(frame) is not what was written"
      case .invalid(let reason): reason
      }
    } catch {
      if let passing = RetryJudgment.passing(error) { throw passing }
      return RetryJudgment.lasting(error).message
    }
  }
}

extension JoinRecord {
  /// True where a movie, damaged or not, is the one that was joined: it has its size and its sidecar. Another
  /// one that was given its name is not the job's to replace.
  func isOf(_ path: String) -> Bool {
    guard let file = try? PosixMovieFile(path: path, mode: .read), let size = try? file.size(),
      size == UInt64(clamping: outcome.fileSize),
      let sidecar = try? SidecarFile(ofMovie: path).read(),
      let sum = sidecar.checksums?.file
    else { return false }
    return sum.description == outcome.xxHash64
  }
}
