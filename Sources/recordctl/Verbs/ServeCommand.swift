import ArgumentParser
import Foundation
import MediaCore
import RecorderControl

/// `recordctl serve`
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Shows and steers recorders in a browser, and over HTTP.",
    discussion: """
      Becomes `recordctl-serve`, a program of its own, and gives it all arguments; `recordctl serve -- \
      --help` names them. It is looked for beside recordctl, then in PATH.
      """)

  @Argument(
    parsing: .captureForPassthrough,
    help: "What the gateway is told: --config PATH, --listen ADDRESS."
  )
  var arguments: [String] = []

  func run() throws {
    let words = arguments.first == "--" ? Array(arguments.dropFirst()) : arguments
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let folders =
      [URL(filePath: own).deletingLastPathComponent().path]
      + (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    for folder in folders {
      let path = folder + "/recordctl-serve"
      guard FileManager.default.isExecutableFile(atPath: path) else { continue }
      var texts: [UnsafeMutablePointer<CChar>?] = ([path] + words).map { strdup($0) } + [nil]
      execv(path, &texts)
      for text in texts { free(text) }
      Console.complain("\(path) cannot be started: \(String(cString: strerror(errno)))")
      throw ExitStatus.failure.exit
    }
    Console.complain(
      "recordctl-serve is neither beside \(own) nor in PATH; build it with "
        + "`swift build -c release --product recordctl-serve`, or `make serve`")
    throw ExitStatus.failure.exit
  }
}
