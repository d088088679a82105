import Foundation
import Glibc
import TestSupport
import Testing

/// The gateway as a process, with recorders of the pattern device.
final class ServeProcess {
  private let folder: TemporaryFolder
  private var process: Process
  private let channels: [String]
  /// When this pipe closes, the keeper ends leftover processes, even if the test program was killed.
  private let leash = Pipe()
  private let keeper = Process()
  /// A folder that is first in the search path for programs; empty to use the tests' path alone.
  private let tools: String
  private(set) var port = 0
  /// True once the gateway and its recorders have been ended.
  private var isOver = false

  static let operate = "operate-0123456789abcdef"
  static let view = "view-0123456789abcdef"

  /// The folder of the test program and the other built programs.
  static let programs = URL(filePath: CommandLine.arguments.first ?? "").standardized
    .deletingLastPathComponent()

  /// Starts the gateway, and waits until it accepts clients and its recorders are idle.
  init(
    channels: [String], in folder: TemporaryFolder, configuration extra: String = "",
    keys: String = "", preset: String = "", tools: String = ""
  ) throws {
    self.folder = folder
    self.tools = tools
    self.channels = channels
    let tables = channels.map { name in
      """
      [[channel]]
      name = "\(name)"
      title = "Camera \(name)"
      device = "pattern:bars"
      preset = "\(folder.path("small.toml"))"
      folder = "\(folder.path)"
      output = "\(name)-{take}.mov"
      \(keys)

      """
    }
    try folder.write(
      """
      [video]
      size = "640x360"
      rate = "25"
      codec = "proxy"
      \(preset)
      """, "small.toml")
    try folder.write(
      """
      listen = "127.0.0.1:0"
      \(extra)
      [[token]]
      name = "gallery"
      role = "operate"
      secret = "\(Self.operate)"
      [[token]]
      name = "guest"
      role = "view"
      secret = "\(Self.view)"

      """ + tables.joined(), "serve.toml")
    try folder.makeFolder("runtime")
    _ = try Command.run("chmod", ["700", folder.path("runtime")])
    process = Process()
    try startKeeper()
    do { try start(port: 0) } catch {
      end()
      throw error
    }
  }

  /// Kills the gateway first, because it would restart its recorders.
  private func startKeeper() throws {
    keeper.executableURL = URL(filePath: "/bin/sh")
    keeper.arguments = [
      "-c",
      """
      trap '' INT TERM
      read -r _
      for words in "KILL $0/serve.toml" "INT $0/runtime"; do
        # The text is not among grep's own arguments, or it would find itself.
        for path in $(printf %s "${words#* }" | grep -lsFf - /proc/[0-9]*/cmdline); do
          process=${path#/proc/}
          kill -s "${words%% *}" "${process%/cmdline}"
        done
      done
      """, folder.path,
    ]
    keeper.standardInput = leash
    try keeper.run()
  }

  private func start(port wanted: Int) throws {
    port = 0
    process = Process()
    process.executableURL = Self.programs.appending(path: "recordctl-serve")
    process.arguments =
      ["--config", folder.path("serve.toml")] + (wanted == 0 ? [] : ["--listen", ":\(wanted)"])
    process.environment = ProcessInfo.processInfo.environment.merging(
      [
        "XDG_RUNTIME_DIR": folder.path("runtime"), "XDG_CONFIG_HOME": "/nonexistent",
        "XDG_CACHE_HOME": folder.path("cache"), "XDG_STATE_HOME": folder.path("state"),
        "PATH": tools + (tools.isEmpty ? "" : ":")
          + (ProcessInfo.processInfo.environment["PATH"] ?? ""),
      ]) { $1 }
    process.standardInput = FileHandle.nullDevice
    let output = try folder.emptyFile("output")
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: folder.emptyFile("log"))
    try process.run()
    try waitUntil("the gateway listens") {
      let text = try String(contentsOf: output, encoding: .utf8)
      if let match = text.firstMatch(of: /127\.0\.0\.1:(\d+)/) { port = Int(match.1) ?? 0 }
      return port != 0 || !process.isRunning
    }
    try #require(process.isRunning, "\(log)")
    try waitUntil("the recorders are idle") {
      try channels.allSatisfy { name in
        let state = try recorder(name)["state"] as? String
        return state == "idle" || state == "recording"
      }
    }
  }

  /// The gateway's standard error so far.
  var log: String { (try? String(contentsOf: folder.url("log"), encoding: .utf8)) ?? "" }

  func client(_ token: String? = ServeProcess.operate) -> NetworkClient {
    NetworkClient(port: port, token: token)
  }

  /// The gateway's resident memory in bytes.
  func memory() throws -> Int {
    let text = try String(
      contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let line = try #require(text.firstMatch(of: /VmRSS:\s+(\d+) kB/))
    return try #require(Int(line.1)) * 1024
  }

  /// A channel's recorder, as reported by the gateway.
  func recorder(_ name: String) throws -> [String: Any] {
    try client().ask("GET", "/api/v1/channels/\(name)").json["recorder"] as? [String: Any] ?? [:]
  }

  func kill() {
    guard process.isRunning else { return }
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitForExit()
  }

  /// Kills the gateway and starts another one at the same port.
  func restart() throws {
    kill()
    try start(port: port)
  }

  /// Ends the gateway and its recorders, even if the gateway cannot be asked for them.
  func end() {
    guard !isOver else { return }
    isOver = true
    if process.isRunning {
      process.terminate()
      process.waitForExit()
    }
    try? leash.fileHandleForWriting.close()
    keeper.waitForExit()
  }

  /// Makes the gateway reload a changed configuration.
  ///
  /// - Parameters:
  ///   - change: Changes the text of the previous configuration.
  ///   - said: The message to wait for.
  func reload(untilItReports said: String, _ change: (inout String) -> Void) throws {
    var text = try String(contentsOf: folder.url("serve.toml"), encoding: .utf8)
    change(&text)
    try folder.write(text, "serve.toml")
    let before = log.utf8.count
    Glibc.kill(process.processIdentifier, SIGHUP)
    try waitUntil("it says: \(said)") {
      String(decoding: log.utf8.dropFirst(before), as: UTF8.self).contains(said)
    }
  }

  /// Gives the gateway's idle-priority work normal priority, if the system allows that. On a fully loaded machine
  /// it would get a few thousandths of a processor.
  func lendPriority() {
    let own = process.processIdentifier
    let tasks = "/proc/\(own)/task"
    for task in (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? [] {
      let children = try? String(contentsOfFile: "\(tasks)/\(task)/children", encoding: .utf8)
      for child in children?.split(separator: " ") ?? [] {
        let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(child)/task")
        for thread in threads?.compactMap({ pid_t($0) }) ?? [] {
          var none = sched_param()
          sched_setscheduler(thread, SCHED_OTHER, &none)
        }
      }
    }
  }

  /// Ends the gateway with SIGINT, as from a terminal.
  func interrupt() {
    isOver = true
    process.interrupt()
    process.waitForExit()
  }
}
