import CLinux
import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A program that runs when nothing else wants to: of the scheduling class for idle work, as its disk's
/// requests are.
struct IdleProcess: Sendable {
  /// What became of it.
  struct Result: Sendable {
    /// The exit status; nil where a signal ended it.
    var status: Int32?
    /// What it said, standard output and error.
    var output: [UInt8]

    /// Its last line; nil for none.
    var lastLine: String? {
      String(decoding: output, as: UTF8.self).split(separator: "\n").last.map {
        String($0.prefix(400))
      }
    }
  }

  /// Bytes of what a program says at most; the rest is not read.
  private static let outputLimit = 16 << 20

  /// Runs a program to its end. Where the task is cancelled, so is the program.
  ///
  /// - Parameters:
  ///   - words: Its path and arguments.
  ///   - logPath: The file that takes what it says; removed at the end.
  ///   - stepsBack: False for one that somebody waits for: it runs as others do.
  /// - Throws: ``ServiceError/Code/launchFailed``.
  static func run(
    _ words: [String], logPath: String, stepsBack: Bool = true
  ) async throws(ServiceError) -> Result {
    let process = try RecorderProcess(words, logPath: logPath)
    defer { unlink(logPath) }
    if stepsBack { process_step_back(process.processID) }
    var status: Int32 = 0
    while case let reaped = waitpid(process.processID, &status, WNOHANG),
      reaped != process.processID
    {
      guard reaped == 0 else { throw ServiceError(.launchFailed, "\(words[0]) was lost") }
      if Task.isCancelled { kill(process.processID, SIGKILL) }
      // Sleeping ends at once in a task that is cancelled, and the process soon.
      do { try await Task.sleep(for: .milliseconds(50)) } catch { await Task.yield() }
    }
    let output = SmallFile.read(logPath, limit: outputLimit) ?? []
    // WIFEXITED and WEXITSTATUS.
    return Result(status: status & 0x7F == 0 ? (status >> 8) & 0xFF : nil, output: output)
  }
}
