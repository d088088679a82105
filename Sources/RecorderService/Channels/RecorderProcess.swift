import MediaCore
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A recorder that a gateway started, and that outlives it: a process in its own session, whose output goes
/// to a file.
struct RecorderProcess: Sendable {
  let processID: pid_t
  /// The file of the process's output.
  let logPath: String

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - words: The program's path and its arguments.
  ///   - logPath: The file for its output. The output of an earlier process, which may say why it crashed, is
  ///     kept beside it as `.old`.
  /// - Throws: ``ServiceError/Code/launchFailed``.
  init(_ words: [String], logPath: String) throws(ServiceError) {
    guard let program = words.first else {
      throw ServiceError(.launchFailed, "no program is given for the recorder")
    }
    rename(logPath, logPath + ".old")
    let launch = ProcessLaunch(program, words: words, output: .file(logPath), beginsSession: true)
    do throws(Errno) { processID = try launch.start() } catch {
      throw ServiceError(
        .launchFailed, "\(program) cannot be started: \(error)", errno: error.rawValue)
    }
    self.logPath = logPath
  }

  /// True until it has ended; then it is forgotten by the system.
  func isRunning() -> Bool {
    var status: Int32 = 0
    return waitpid(processID, &status, WNOHANG) == 0
  }

  /// The last line of its output; nil for none.
  var lastLine: String? {
    guard
      let file = try? FileDescriptor.open(FilePath(logPath), .readOnly, options: .closeOnExec)
    else { return nil }
    return try? file.closeAfter { () -> String? in
      let end = try file.seek(offset: 0, from: .end)
      let count = Int(min(end, 4096))
      let bytes = try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        initialized = try file.read(
          fromAbsoluteOffset: end - Int64(count), into: UnsafeMutableRawBufferPointer(buffer))
      }
      return String(decoding: bytes, as: UTF8.self)
        .split(separator: "\n").last.map(String.init)
    }
  }
}
