import ArgumentParser
import Foundation
import MediaCore

/// `recordctl serve`: becomes `recordctl-serve`, so that this program holds no web server.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Shows and controls recorders in a browser and over HTTP.",
    discussion: """
      Starts a recorder for each channel in the configuration, or connects to the one already \
      running, and prints the link to a page that shows and controls them. Without a configuration \
      there is one channel, which uses the best input with 10-bit 4:2:2, or the test pattern.

      Recorders are separate processes: a take is not affected if the gateway crashes, is stopped \
      or is upgraded, and the next gateway finds the recorders again. SIGTERM ends only the \
      gateway; SIGINT also ends those of its recorders that are not recording.

      Listens only on this machine unless --listen or the configuration says otherwise. The page \
      requires a token, which is part of the link.

      The gateway is a separate program, `recordctl-serve`, which is looked for in the same folder \
      as recordctl and then in PATH.
      """)

  @Option(
    help: """
      Configuration file in TOML (default: recordctl/serve.toml in the configuration folder, if it \
      exists).
      """, completion: .file(extensions: ["toml"]))
  var config: String?

  @Flag(help: "Check the configuration and exit.")
  var checkConfig = false

  @Option(
    help: """
      Address to listen on instead of the configured one, such as 127.0.0.1:8437, 0.0.0.0:8437 or \
      [::1]:8437.
      """)
  var listen: String?

  @Option(help: "Without a configuration: capture device.", completion: Completion.devices)
  var device: String?

  @Option(help: "Without a configuration: preset.", completion: Completion.presets)
  var preset: String?

  @Option(help: "Without a configuration: folder for movies.", completion: .directory)
  var folder: String?

  /// What the gateway is told.
  private var words: [String] {
    let options: [(String, String?)] = [
      ("--config", config), ("--listen", listen), ("--device", device), ("--preset", preset),
      ("--folder", folder),
    ]
    return options.flatMap { name, value in value.map { ["\(name)=\($0)"] } ?? [] }
      + (checkConfig ? ["--check-config"] : [])
  }

  func run() throws {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let folders =
      [URL(filePath: own).deletingLastPathComponent().path]
      + (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    for folder in folders {
      let path = folder + "/recordctl-serve"
      guard FileManager.default.isExecutableFile(atPath: path) else { continue }
      var texts: [UnsafeMutablePointer<CChar>?] = ([path] + words).map { strdup($0) } + [nil]
      execv(path, &texts)
      let reason = String(cString: strerror(errno))
      for text in texts { free(text) }
      Console.note("\(path) cannot be started: \(reason)")
      throw ExitStatus.failure.exit
    }
    Console.note(
      "recordctl-serve is neither beside \(own) nor in PATH; build it with `make serve`, or "
        + "`swift build -c release --product recordctl-serve`")
    throw ExitStatus.failure.exit
  }
}
