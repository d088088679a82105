import Foundation
import Testing

/// A process in its own session, with the standard descriptors that a test chooses.
struct Child {
  /// What a standard descriptor is connected to.
  enum Stream {
    case file(String)
    /// A terminal, by its path; the first one becomes the controlling terminal.
    case terminal(String)
    case descriptor(Int32)
    case null
    case closed
  }

  /// How the process ended.
  enum End: Equatable {
    case exited(Int32)
    case signalled(Int32)
    case stillRunning
  }

  let process: pid_t

  /// Starts the binary; `shell` runs first in the same process, for example `trap '' HUP;`.
  init(
    _ arguments: [String], shell: String? = nil, input: Stream = .null, output: Stream = .null,
    errors: Stream = .null, environment: [String: String] = [:]
  ) throws {
    let program = Recordctl.binary.path
    let words =
      shell.map { ["/bin/sh", "-c", $0 + " exec \"$0\" \"$@\"", program] + arguments }
      ?? [program] + arguments
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in [(Int32(0), input), (1, output), (2, errors)] {
      let flags = number == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC
      switch stream {
      case .file(let path): posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o644)
      case .terminal(let path): posix_spawn_file_actions_addopen(&actions, number, path, O_RDWR, 0)
      case .descriptor(let other): posix_spawn_file_actions_adddup2(&actions, other, number)
      case .null: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      case .closed: posix_spawn_file_actions_addclose(&actions, number)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // POSIX_SPAWN_SETSID, SETSIGMASK, SETSIGDEF: signals that the test process ignores are not ignored here.
    posix_spawnattr_setflags(&attributes, 0x80 | 0x08 | 0x04)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for number in [SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2, SIGTERM, SIGALRM] {
      sigaddset(&signals, number)
    }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let values = ProcessInfo.processInfo.environment
      .merging([
        "XDG_CONFIG_HOME": "/nonexistent", "TERM": "xterm", "LC_ALL": "C.UTF-8", "NO_COLOR": "",
      ]) { $1 }
      .merging(environment) { $1 }
    var texts: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = values.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in texts + variables { free(text) } }
    var process = pid_t()
    let status = posix_spawn(&process, words[0], &actions, &attributes, &texts, &variables)
    self.process = process
    try #require(status == 0, "\(String(cString: strerror(status)))")
  }

  /// True once the process has a handler for a signal (SigCgt in proc(5)).
  func hears(_ signal: Int32) -> Bool {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
    let handled = UInt64(line?.split(separator: "\t").last ?? "", radix: 16) ?? 0
    return handled & 1 << UInt64(signal - 1) != 0
  }

  func send(_ signal: Int32) { kill(process, signal) }

  /// Waits for the process to end; kills it with SIGKILL if that takes too long.
  func wait(seconds: Double = 60) -> End {
    var status: Int32 = 0
    let deadline = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < deadline {
      if waitpid(process, &status, WNOHANG) == process {
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
      }
      Thread.sleep(forTimeInterval: 0.02)
    }
    kill(process, SIGKILL)
    waitpid(process, &status, 0)
    return .stillRunning
  }
}
