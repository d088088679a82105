import Foundation
import Synchronization

/// The machine, kept running: shell scripts run in it one after the other.
///
/// The first script boots it. Scripts and their output go through ``share``, a folder that both
/// sides may write, at the same path; it is removed with the machine.
package final class LabMachine: Sendable {
  /// A failure of the machine itself.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The folder shared by machine and host.
  package let share: String
  private let options: [String]
  /// Shell text before each script.
  private let preamble: String
  private let state = Mutex(State())

  private struct State {
    var process: Process?
    var scripts = 0
  }

  /// What the machine runs: each numbered script as it appears. It ends by itself after a while
  /// without scripts, because a killed test program does not stop it.
  private static let loop = """
    n=0 idle=0
    while [ ! -e stop ] && [ $idle -lt 1800 ]; do
      idle=$((idle + 1))
      if [ -e $n.sh ]; then
        timeout -k 5 "$(cat $n.limit)" bash $n.sh >$n.out 2>&1 </dev/null
        echo $? >$n.part
        mv $n.part $n.status
        n=$((n + 1)) idle=0
      else
        sleep 0.1
      fi
    done
    """

  /// A machine that is not booted yet.
  package init(options: [String] = [], preamble: String = "") throws {
    // Not in /tmp, because the machine has its own.
    self.share = "/var/tmp/lab-\(UUID().uuidString)"
    self.options = options
    self.preamble = preamble
    try FileManager.default.createDirectory(atPath: share, withIntermediateDirectories: true)
  }

  /// Runs a script in ``share``; returns its output, including standard error.
  ///
  /// - Throws: ``Failure`` if the machine ended or the script takes more than `seconds`.
  package func run(_ script: String, seconds: Double = 300) async throws -> Command.Result {
    let number = try state.withLock { state in
      if state.process == nil { state.process = try boot() }
      defer { state.scripts += 1 }
      return state.scripts
    }
    let base = "\(share)/\(number)"
    try "\(Int(seconds))\n".write(toFile: base + ".limit", atomically: true, encoding: .utf8)
    try "\(preamble)\n\(script)\n".write(toFile: base + ".sh", atomically: true, encoding: .utf8)
    // The machine ends a script that takes too long, so it is free for the next ones. It may be
    // slow to do so, and slow to boot.
    let end = Date().addingTimeInterval(seconds + 60)
    while true {
      if let text = try? String(contentsOfFile: base + ".status", encoding: .utf8),
        let status = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
      {
        guard status != 124, status != 137 else {
          throw Failure(
            description: "after \(seconds) seconds not done: \(script)\n" + output(base + ".out"))
        }
        return Command.Result(status: status, data: bytes(base + ".out"), errors: "")
      }
      let isRunning = state.withLock { $0.process?.isRunning ?? false }
      guard isRunning, Date() < end else {
        throw Failure(
          description: "the lab's machine \(isRunning ? "took too long" : "ended") at: \(script)\n"
            + output(base + ".out") + output("\(share)/machine.log"))
      }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  /// Ends the machine and removes its files.
  package func stop() {
    let process = state.withLock { state in
      defer { state.process = nil }
      return state.process
    }
    if let process {
      try? Data().write(to: URL(filePath: "\(share)/stop"))
      let end = Date().addingTimeInterval(10)
      while process.isRunning, Date() < end { Thread.sleep(forTimeInterval: 0.05) }
      // `lab-run` ends its machine too.
      if process.isRunning { process.terminate() }
      process.waitForExit()
    }
    try? FileManager.default.removeItem(atPath: share)
  }

  private func boot() throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "\(Lab.folder)/lab-run")
    process.arguments =
      ["--timeout", "2400", "--share", share] + options
      + ["--", "bash", "-c", "cd '\(share)' || exit; \(Self.loop)"]
    process.standardInput = FileHandle.nullDevice
    let log = "\(share)/machine.log"
    try Data().write(to: URL(filePath: log))
    let file = try FileHandle(forWritingTo: URL(filePath: log))
    process.standardOutput = file
    process.standardError = file
    // Test threads block all signals. A child inherits that and could not be ended.
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run()
    return process
  }

  private func bytes(_ path: String) -> Data {
    (try? Data(contentsOf: URL(filePath: path))) ?? Data()
  }

  private func output(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }
}
