import ArgumentParser

/// `recordctl encode`
struct EncodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "encode",
    abstract:
      "Encodes movies, Y4M, images or raw video to ProRes movies, on one machine or many.",
    discussion: """
      recordctl encode INPUT -o FILE encodes on this machine; see recordctl help encode movie for \
      its options. To encode in parts on several machines, use plan, part and join.
      """,
    subcommands: [
      EncodeMovieCommand.self, EncodePlanCommand.self, EncodePartCommand.self,
      EncodeJoinCommand.self, EncodeStatusCommand.self,
    ],
    defaultSubcommand: EncodeMovieCommand.self)
}
