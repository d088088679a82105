import Foundation

/// A command as `--experimental-dump-help` describes it.
struct CommandHelp: Decodable {
  struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
    }

    let kind: String
    let names: [Name]?
    let isOptional: Bool
    let abstract: String?

    /// The option as it is written: `--codec`.
    var spelling: String? {
      names?.last.map { ($0.kind == "long" ? "--" : "-") + $0.name }
    }
  }

  let commandName: String
  let arguments: [Argument]?
  let subcommands: [CommandHelp]?

  /// Printed once: it takes a second of a processor.
  private static let dumped: Result<CommandHelp, any Error> = Result {
    struct Dump: Decodable { let command: CommandHelp }
    let dump = try Recordctl(["--experimental-dump-help"]).output
    return try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command
  }

  /// The command and its verbs.
  static func read() throws -> CommandHelp { try dumped.get() }

  /// This command and all below it, each with the verbs that lead to it.
  func all(below path: [String] = []) -> [(path: [String], command: CommandHelp)] {
    [(path, self)]
      + (subcommands ?? []).filter { $0.commandName != "help" }
      .flatMap { $0.all(below: path + [$0.commandName]) }
  }
}
