import CLinux
package import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A program to start: its standard input is empty, it inherits no other descriptor of this process, and
/// no signal is blocked or ignored in it.
package struct ProcessLaunch: Sendable {
  /// Where standard output goes.
  package enum Output: Sendable {
    /// A file that is made or emptied; standard error goes there too.
    case file(String)
    /// A descriptor of this process; standard error is dropped.
    case descriptor(Int32)
  }

  /// The program's path.
  package var path: String
  /// Its name and its arguments.
  package var words: [String]
  package var output: Output
  /// True for a session of its own: what ends this process, its terminal or its group does not end the program.
  package var beginsSession: Bool

  package init(_ path: String, words: [String], output: Output, beginsSession: Bool = false) {
    (self.path, self.words) = (path, words)
    (self.output, self.beginsSession) = (output, beginsSession)
  }

  /// Starts it.
  ///
  /// - Returns: The process, to be waited for (`waitpid`).
  /// - Throws: What `posix_spawn` answered.
  package func start() throws(Errno) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    addOutput(to: &actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    setSignals(in: &attributes)
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    let status = posix_spawn(&process, path, &actions, &attributes, &arguments, environ)
    guard status == 0 else { throw Errno(rawValue: status) }
    return process
  }

  private func addOutput(to actions: inout posix_spawn_file_actions_t) {
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    switch output {
    case .file(let path):
      posix_spawn_file_actions_addopen(
        &actions, 1, path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
      posix_spawn_file_actions_adddup2(&actions, 1, 2)
    case .descriptor(let descriptor):
      posix_spawn_file_actions_adddup2(&actions, descriptor, 1)
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    spawn_close_from(&actions, 3)
  }

  private func setSignals(in attributes: inout posix_spawnattr_t) {
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    let heeded = [SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2]
    for number in heeded { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // POSIX_SPAWN_SETSID, SETSIGMASK and SETSIGDEF, which Swift's Glibc module leaves out in part.
    posix_spawnattr_setflags(&attributes, (beginsSession ? 0x80 : 0) | 0x08 | 0x04)
  }
}
