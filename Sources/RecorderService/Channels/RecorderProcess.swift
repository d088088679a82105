import CLinux
import MediaCore
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A recorder that was started by its gateway, and outlives it: a process of its own session, whose
/// output goes to a file.
struct RecorderProcess: Sendable {
  let processID: pid_t
  /// The file that has what the process said.
  let logPath: String

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - words: The program's path and its arguments.
  ///   - logPath: What it says goes here; an earlier file is replaced.
  /// - Throws: ``ServiceError/Code/launchFailed``.
  init(_ words: [String], logPath: String) throws(ServiceError) {
    guard let program = words.first else {
      throw ServiceError(.launchFailed, "no program is given for the recorder")
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(
      &actions, 1, logPath, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    // Nothing else of the gateway's reaches the recorder: no listening socket, no client.
    _ = descriptors_close_on_exec()
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for number in [SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGUSR1, SIGUSR2] {
      sigaddset(&signals, number)
    }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // POSIX_SPAWN_SETSID, SETSIGMASK and SETSIGDEF: what ends the gateway's terminal or group does
    // not end a take.
    posix_spawnattr_setflags(&attributes, 0x80 | 0x08 | 0x04)
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    let status = posix_spawn(&process, program, &actions, &attributes, &arguments, environ)
    guard status == 0 else {
      throw ServiceError(
        .launchFailed, "\(program) cannot be started: \(Errno(rawValue: status))", errno: status)
    }
    processID = process
    self.logPath = logPath
  }

  /// True until it has ended; then it is forgotten by the system.
  func isRunning() -> Bool {
    var status: Int32 = 0
    return waitpid(processID, &status, WNOHANG) == 0
  }

  /// The last line that it said; nil for none.
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
