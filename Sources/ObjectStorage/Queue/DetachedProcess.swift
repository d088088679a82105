import Glibc
import MediaCore
import SystemPackage

/// A program in a session of its own. It outlives this process, and inherits none of its
/// devices, files and sockets.
final class DetachedProcess: Sendable {
  private let processID: pid_t

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: Where it lies.
  ///   - words: Its name and its arguments.
  ///   - logPath: What it says goes here, in place of what an earlier one said.
  /// - Throws: ``ObjectStorageError/Code/stateFailed``.
  init(_ path: String, _ words: [String], logPath: String) throws(ObjectStorageError) {
    let launch = ProcessLaunch(path, words: words, output: .file(logPath), beginsSession: true)
    do throws(Errno) { processID = try launch.start() } catch {
      throw ObjectStorageError(
        .stateFailed, "\(path) cannot be started: \(error)", errno: error.rawValue)
    }
  }

  /// How it ended; nil while it runs. To be asked until it has.
  func outcome() -> Int32? {
    var status: Int32 = 0
    switch waitpid(processID, &status, WNOHANG) {
    case 0: return nil
    case processID: return status
    default: return -1
    }
  }
}
