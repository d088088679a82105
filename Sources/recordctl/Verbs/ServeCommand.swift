import ArgumentParser
import Foundation
import MediaCore

/// `recordctl serve`: becomes `recordctl-serve`, so that this program holds no web server.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Shows and steers recorders in a browser, and over HTTP.",
    discussion: """
      Starts a recorder for each channel of the configuration, or finds those that run, and prints the \
      link of a page that shows and steers them. Without a configuration there is one channel, with the \
      best input that gives 10-bit 4:2:2, or else the test pattern.

      Recorders are processes of their own: a take is not affected if the gateway crashes, is stopped or is \
      upgraded, and the next gateway finds them again. SIGTERM ends the gateway alone; SIGINT also ends those of its \
      recorders that record nothing.

      It listens on this machine alone unless --listen or the configuration says otherwise. Whoever opens \
      the page needs a token, which is part of the link.

      The gateway is a program of its own, `recordctl-serve`, which is looked for beside recordctl and then \
      in PATH.
      """)

  @Option(
    help: """
      The configuration (TOML); if omitted, recordctl/serve.toml in the configuration folder, where it is \
      there.
      """, completion: .file(extensions: ["toml"]))
  var config: String?

  @Flag(help: "Say whether the configuration can be used, and end.")
  var checkConfig = false

  @Option(help: "Listen on this address instead: 127.0.0.1:8437, 0.0.0.0:8437, [::1]:8437.")
  var listen: String?

  @Option(help: "Without a configuration: the device.", completion: Completion.devices)
  var device: String?

  @Option(help: "Without a configuration: the preset.", completion: Completion.presets)
  var preset: String?

  @Option(help: "Without a configuration: the folder of the movies.", completion: .directory)
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
