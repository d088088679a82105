import CLinux
import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A program that gives way to others: it gets a small share of a busy processor and disk, and none while something is
/// recorded.
///
/// The kernel's classes for idle work are not used: on a machine that is always busy, such a program never ends.
struct BackgroundProcess: Sendable {
  /// Whether a program is held.
  struct Hold: Sendable {
    /// True while it must not run.
    var isWanted: @Sendable () -> Bool
    /// Called when it is held and when it runs again.
    var changed: @Sendable (_ isHeld: Bool) -> Void
  }

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
  ///   - hold: When the program is stopped; nil for ordinary priority, if somebody waits for the program.
  /// - Throws: ``ServiceError/Code/launchFailed``.
  static func run(
    _ words: [String], logPath: String, hold: Hold?
  ) async throws(ServiceError) -> Result {
    let process = try RecorderProcess(words, logPath: logPath)
    defer { unlink(logPath) }
    if hold != nil { stepBack(process.processID) }
    var isHeld = false
    var status: Int32 = 0
    while case let reaped = waitpid(process.processID, &status, WNOHANG),
      reaped != process.processID
    {
      guard reaped == 0 else { throw ServiceError(.launchFailed, "\(words[0]) was lost") }
      if Task.isCancelled { kill(process.processID, SIGKILL) }
      if let hold, hold.isWanted() != isHeld {
        isHeld.toggle()
        kill(process.processID, isHeld ? SIGSTOP : SIGCONT)
        hold.changed(isHeld)
      }
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

  private static func stepBack(_ process: pid_t) {
    process_step_back(process)
    // Niceness counts within a session only; how sessions share processors is set here (sched_autogroup).
    let group = open("/proc/\(process)/autogroup", O_WRONLY | O_CLOEXEC)
    guard group >= 0 else { return }
    _ = "19".withCString { write(group, $0, 2) }
    close(group)
  }
}
