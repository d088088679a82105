import ArgumentParser
import CSignals
import Foundation
import Logging
import MediaCore
import RecorderService
import SystemPackage
import Takes

/// The gateway's process: arguments, signals and what is printed.
@main
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recordctl serve",
    abstract: "Shows and controls recorders in a browser and over HTTP.",
    discussion: "See `recordctl help serve` for details.",
    version: "recordctl \(PackageVersion.current)")

  @Option(
    help: """
      Configuration file in TOML (default: recordctl/serve.toml in the configuration folder, if it \
      exists).
      """)
  var config: String?

  @Flag(help: "Check the configuration and exit.")
  var checkConfig = false

  @Option(
    help: """
      Address to listen on instead of the configured one, such as 127.0.0.1:8437, 0.0.0.0:8437 or \
      [::1]:8437.
      """)
  var listen: String?

  @Option(help: "Without a configuration: capture device.")
  var device: String?

  @Option(help: "Without a configuration: preset.")
  var preset: String?

  @Option(help: "Without a configuration: folder for movies.")
  var folder: String?

  /// Parses and runs, with the exit statuses of `recordctl`: 0, 1 for what failed, 2 for bad input.
  static func main() async {
    process_prepare()
    trap_report_prepare()
    do {
      var command = try parseAsRoot(nil)
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      Foundation.exit(0)
    } catch let error as ServiceError {
      Output.complain(error.message)
      Foundation.exit(
        [.invalidConfiguration, .invalidCertificate].contains(error.code) ? 2 : 1)
    } catch {
      let text = fullMessage(for: error)
      if exitCode(for: error).isSuccess {
        Output.print(text)
        Foundation.exit(0)
      }
      Output.complain(message(for: error))
      Foundation.exit(2)
    }
  }

  func run() async throws {
    let path = config ?? ServiceConfiguration.standardPath
    let file = ConfigurationFile(path: path, listen: listen)
    var settings = try file.read()
    if settings != nil, let option = [device, preset, folder].compactMap(\.self).first {
      throw ValidationError(
        "'\(option)': --device, --preset and --folder are for a gateway without a configuration; "
          + "\(path ?? "") is used")
    }
    if settings == nil {
      var channel = ServiceConfiguration.Channel(name: "main", title: "Main")
      (channel.device, channel.preset, channel.folder) = (device, preset, folder)
      settings = ServiceConfiguration(channels: [channel])
    }
    guard var settings else { return }
    try file.override(&settings)
    if checkConfig {
      if let files = settings.certificate { try ServerSecurity.check(files) }
      for channel in settings.channels where channel.socketPath == nil {
        guard let warning = RecorderProgram.secondFolder(of: channel)?.warning else { continue }
        Output.note("channel \(channel.name): ONE DISK: \(warning)")
      }
      for warning in settings.folderWarnings + settings.defaultsWarnings { Output.note(warning) }
      let names = settings.channels.map(\.name).joined(separator: ", ")
      return Output.print(
        "\(path ?? "no configuration"): can be used; listens on \(settings.address), channels: \(names)"
      )
    }
    try await serve(settings, file)
  }

  private func serve(
    _ settings: ServiceConfiguration, _ file: ConfigurationFile
  ) async throws {
    let hasOwnRecorders = settings.channels.contains { $0.socketPath == nil }
    let recorder = hasOwnRecorders ? try RecorderProgram.find() : try? RecorderProgram.find()
    var logger = Logger(label: "recordctl-serve") {
      OneLineLog(StreamLogHandler.standardError(label: $0))
    }
    logger.logLevel = .info
    let hasTokens = !settings.tokens.isEmpty
    let gateway = try Gateway(
      settings, folder: RuntimeFolder(), logger: logger,
      programs: Gateway.Programs(
        verifier: (try? RecorderProgram.find()).map { [$0, "verify", "--json"] } ?? [],
        ffmpeg: RecorderProgram.inPath("ffmpeg"), openssl: RecorderProgram.inPath("openssl"))
    ) {
      RecorderProgram.words(recorder ?? "recordctl", $0, socket: $1)
    }
    let signals = ProcessSignals()
    let run = Task {
      try await gateway.run { port in
        Output.tellLinks(gateway, port: port, hasTokens: hasTokens)
        ServiceManager.present.notifyReady()
      }
    }
    let waiting = Task {
      var signal = await signals.next()
      // One after the other, and in nobody's way who ends the gateway.
      var reloading: Task<Void, Never>?
      while signal == SIGHUP {
        reloading = Task { [earlier = reloading] in
          await earlier?.value
          await file.reload(gateway)
        }
        signal = await signals.next()
      }
      ServiceManager.present.notifyStopping()
      if signal == SIGINT {
        for (channel, reason) in await gateway.endIdleRecorders() {
          Output.note(
            "channel \(channel): its recorder continues: \(reason). Serve again to find it, or end it with "
              + "`recordctl control`")
        }
      }
      run.cancel()
    }
    let heartbeat = ServiceManager.present.startHeartbeat()
    defer {
      waiting.cancel()
      heartbeat?.cancel()
    }
    try await run.value
  }
}
