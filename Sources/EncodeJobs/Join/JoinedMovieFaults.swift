import MediaCore
import QuickTime
import Synchronization
import TakeReports

/// Faults found in a job's joined movies. Each movie is read once, however many parts it contains.
public final class JoinedMovieFaults: Sendable {
  // By the sources' index in the plan. The lock is held while a movie is read, so that others wait
  // for the result.
  private let faults = Mutex<[Int: String?]>([:])

  /// Creates an empty record: no movie was read.
  public init() {}

  /// The fault of a source's movie; nil if it is intact.
  ///
  /// - Throws: ``EncodeJobError/Code/temporary`` if it cannot be read now.
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
  /// The fault of an existing movie, as a message; nil if it is intact.
  ///
  /// - Throws: ``EncodeJobError/Code/temporary`` if it cannot be read now.
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
  /// True if a movie, damaged or not, is the one that was joined: it has the same size and sidecar.
  /// The job must not replace another movie of the same name.
  func isOf(_ path: String) -> Bool {
    guard let file = try? PosixMovieFile(path: path, mode: .read), let size = try? file.size(),
      size == UInt64(clamping: outcome.fileSize),
      let sidecar = try? SidecarFile(ofMovie: path).read(),
      let sum = sidecar.checksums?.file
    else { return false }
    return sum.description == outcome.xxHash64
  }
}
