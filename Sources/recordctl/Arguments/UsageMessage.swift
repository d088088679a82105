import ArgumentParser
import MediaCore

/// Describes what is wrong with a command line, in one line without repetition.
///
/// The parser's own message spans several lines, and repeats the value that its reason names already.
struct UsageMessage {
  /// The line.
  let text: String

  /// - Parameters:
  ///   - message: The parser's message.
  ///   - arguments: The command line without the program's name.
  ///   - root: The command that it was meant for.
  init(_ message: String, arguments: [String], root: any ParsableCommand.Type) {
    let line = message.split(whereSeparator: \.isNewline)
      .map { $0.trimmingPrefix(while: \.isWhitespace) }.filter { !$0.isEmpty }
      .joined(separator: "; ")
    let path = CommandPath(arguments, root: root)
    text =
      Self.unknownVerb(path) ?? Self.invalidValue(line) ?? Self.missing(line, path)
      ?? Self.unknownOption(line) ?? Self.unexpected(line, path) ?? line
  }

  /// A mistyped verb explains all other errors.
  private static func unknownVerb(_ path: CommandPath) -> String? {
    guard let verb = path.unknownVerb else { return nil }
    return "unknown verb '\(verb)'\(Suggestion.remark(on: verb, among: path.verbs)); \(path.help) "
      + "lists the verbs"
  }

  /// `The value 'x' is invalid for '--codec <codec>': unknown codec 'x'; …`
  private static func invalidValue(_ line: String) -> String? {
    guard let match = line.wholeMatch(of: /The value '(.*?)' is invalid for '(.*?)'(?:: )?(.*)/)
    else { return nil }
    let (_, value, argument, reason) = match.output
    let name = argument.prefix { $0 != " " }
    return reason.isEmpty ? "\(name): invalid value '\(value)'" : "\(name): \(reason)"
  }

  /// `Missing value for '--codec <codec>'`, `Missing expected argument '<file>'`
  private static func missing(_ line: String, _ path: CommandPath) -> String? {
    if let match = line.wholeMatch(of: /Missing value for '(\S+) ?(.*)'/) {
      return "\(match.output.1) needs a value"
    }
    if let match = line.wholeMatch(of: /Missing expected argument '(.*)'/) {
      return "missing \(match.output.1); \(path.help) shows what is expected"
    }
    return nil
  }

  /// `Unknown option '--jsn'. Did you mean '--json'?`
  private static func unknownOption(_ line: String) -> String? {
    guard let match = line.wholeMatch(of: /Unknown option '(.*?)'(?:\. Did you mean '(.*)'\?)?.*/)
    else { return nil }
    let (_, option, guess) = match.output
    // The parser calls names near that have three letters of four in common with none.
    return "unknown option '\(option)'"
      + Suggestion.remark(on: String(option), among: guess.map { [String($0)] } ?? [])
  }

  /// `Unexpected argument 'a'`, `2 unexpected arguments: 'a', 'b'`, and a flag's value.
  private static func unexpected(_ line: String, _ path: CommandPath) -> String? {
    if let match = line.wholeMatch(of: /Unexpected argument (.*)/) {
      return "unexpected argument \(match.output.1); \(path.help) shows what is expected"
    }
    if let match = line.wholeMatch(of: /\d+ unexpected arguments: (.*)/) {
      return "unexpected arguments \(match.output.1); \(path.help) shows what is expected"
    }
    if let match = line.wholeMatch(
      of: /The option '(.*?)' does not take any value, but '(.*)' was specified\./)
    {
      return "\(match.output.1) takes no value, but '\(match.output.2)' was given"
    }
    return nil
  }
}

/// The known verbs at the start of a command line.
struct CommandPath {
  /// The program's name and the verbs.
  private(set) var words: [String]
  /// The verbs that could come next.
  private(set) var verbs: [String] = []
  /// The word in place of a verb that is not one.
  private(set) var unknownVerb: String?

  /// How help on the last verb is asked for.
  var help: String { "`\((words + ["--help"]).joined(separator: " "))`" }

  init(_ arguments: [String], root: any ParsableCommand.Type) {
    words = [root._commandName]
    var command: any ParsableCommand.Type = root
    for argument in arguments {
      let inner = command.configuration.subcommands
      guard !argument.hasPrefix("-"), !inner.isEmpty else { break }
      let next = inner.first {
        $0._commandName == argument || $0.configuration.aliases.contains(argument)
      }
      guard let next else {
        let verbs = inner.map { $0._commandName }
        if let implied = command.configuration.defaultSubcommand, Self.takesArguments(implied),
          Suggestion.remark(on: argument, among: verbs).isEmpty
        {
          words.append(implied._commandName)
          command = implied
        } else {
          unknownVerb = argument
        }
        break
      }
      words.append(next._commandName)
      command = next
    }
    verbs = command.configuration.subcommands.map { $0._commandName }
  }

  /// True for a verb that takes files, so that what is not a verb may be one.
  private static func takesArguments(_ command: any ParsableCommand.Type) -> Bool {
    Mirror(reflecting: command.init()).children.contains {
      "\(type(of: $0.value))".hasPrefix("Argument<")
    }
  }
}
