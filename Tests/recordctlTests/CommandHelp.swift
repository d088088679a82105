import Foundation

/// A command as described by `--experimental-dump-help`.
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

    /// The option as typed, such as `--codec`.
    var spelling: String? {
      names?.last.map { ($0.kind == "long" ? "--" : "-") + $0.name }
    }
  }

  let commandName: String
  let arguments: [Argument]?
  let subcommands: [CommandHelp]?

  /// Printed once because it takes a second of processor time.
  private static let dumped: Result<CommandHelp, any Error> = Result {
    struct Dump: Decodable { let command: CommandHelp }
    let dump = try Recordctl(["--experimental-dump-help"]).output
    return try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command
  }

  static func read() throws -> CommandHelp { try dumped.get() }

  /// This command and all below it, each with its path of verbs.
  func all(below path: [String] = []) -> [(path: [String], command: CommandHelp)] {
    [(path, self)]
      + (subcommands ?? []).filter { $0.commandName != "help" }
      .flatMap { $0.all(below: path + [$0.commandName]) }
  }
}
