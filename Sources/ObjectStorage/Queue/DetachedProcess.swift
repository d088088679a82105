import Glibc
import MediaCore
import SystemPackage

/// A program in its own session. It outlives this process and inherits none of its devices, files
/// and sockets.
final class DetachedProcess: Sendable {
  private let processID: pid_t

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: The program's path.
  ///   - words: Its name and arguments.
  ///   - logPath: The file for its output, which is overwritten.
  /// - Throws: ``ObjectStorageError/Code/stateFailed``.
  init(_ path: String, _ words: [String], logPath: String) throws(ObjectStorageError) {
    let launch = ProcessLaunch(path, words: words, output: .file(logPath), beginsSession: true)
    do throws(Errno) { processID = try launch.start() } catch {
      throw ObjectStorageError(
        .stateFailed, "\(path) cannot be started: \(error)", errno: error.rawValue)
    }
  }

  /// The exit status; nil while it runs. Must be called until it has ended.
  func outcome() -> Int32? {
    var status: Int32 = 0
    switch waitpid(processID, &status, WNOHANG) {
    case 0: return nil
    case processID: return status
    default: return -1
    }
  }
}
