import CLinux
import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A program that runs only when nothing else needs the processor: in the scheduling class for idle work,
/// likewise for its disk requests.
struct IdleProcess: Sendable {
  /// The result of a program.
  struct Result: Sendable {
    /// The exit status; nil if a signal ended it.
    var status: Int32?
    /// Its standard output and error; if they cannot be read, a line that says why.
    var output: [UInt8]

    /// The last line of its output; nil for none.
    var lastLine: String? {
      String(decoding: output, as: UTF8.self).split(separator: "\n").last.map {
        String($0.prefix(400))
      }
    }
  }

  /// The most bytes of output to read. A longer output is not read at all.
  private static let outputLimit = 16 << 20

  /// Runs a program to its end. If the task is cancelled, the program is killed.
  ///
  /// - Parameters:
  ///   - words: Its path and arguments.
  ///   - logPath: A file for its output, which is removed at the end.
  ///   - stepsBack: False for ordinary priority, if somebody waits for the program.
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
      // Sleeping ends immediately in a cancelled task, and the process soon after.
      do { try await Task.sleep(for: .milliseconds(50)) } catch { await Task.yield() }
    }
    let output: [UInt8]
    do throws(ServiceError) {
      output = try GatewayFile.read(logPath, limit: outputLimit) ?? []
    } catch {
      output = Array("its output is lost: \(error.message)".utf8)
    }
    // WIFEXITED and WEXITSTATUS.
    return Result(status: status & 0x7F == 0 ? (status >> 8) & 0xFF : nil, output: output)
  }
}
