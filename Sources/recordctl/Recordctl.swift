import ArgumentParser
import CSignals
import MediaCore

/// The command, with a verb for each thing it does.
@main
struct Recordctl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recordctl",
    abstract: "Records Apple ProRes 422 movies from capture devices.",
    discussion: """
      Results go to standard output, progress and messages to standard error.

      Exit status: 0 success; 1 failure; 2 bad usage or bad input; 3 finished with a valid file, \
      but frames were dropped, repeated or damaged; 4 finished early with a valid file (disk full, \
      limit reached, signal lost, device gone); 5 success, but the result could not be written to \
      standard output; 75 the same command may succeed later.

      ProRes is a trademark of Apple Inc. This is not an Apple product.
      """,
    version: "recordctl \(PackageVersion.current)",
    subcommands: [
      DevicesCommand.self, FormatsCommand.self, PresetsCommand.self, EncodeCommand.self,
      VerifyCommand.self,
      RecoverCommand.self, RecordCommand.self, ChannelCommand.self, ControlCommand.self,
      MonitorCommand.self, ServeCommand.self, CheckCommand.self, BenchCommand.self,
      PhotoCommand.self,
      LibraryCommand.self, UploadCommand.self, FetchCommand.self,
    ])

  /// Parses and runs, with the exit statuses of ``ExitStatus``: the parser's own are others.
  static func main() async {
    // Before anything else: signals that mean nothing here, and what is printed at a trap.
    process_prepare()
    trap_report_prepare()
    do {
      var command = try await parseAsync()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      exit(with: .success)
    } catch {
      let status = ExitStatus(of: error)
      let text = line(for: error)
      if status == .success {
        Console.print(exactly: CompletionScript.complete(fullMessage(for: error)))
      } else if !text.isEmpty {
        if CommandLine.arguments.contains("--json") {
          try? Console.print(
            JSONDocument(.error, FailureResult(error, text, status)), isOneLine: true)
        }
        Console.note(text)
      }
      exit(with: status)
    }
  }

  private static func parseAsync() async throws -> any ParsableCommand {
    try ArgumentText.check(ArgumentText.given)
    let arguments = Array(CommandLine.arguments.dropFirst())
    try GivenTwice.check(arguments)
    return try parseAsRoot(NegativeValues.joined(arguments))
  }
}
