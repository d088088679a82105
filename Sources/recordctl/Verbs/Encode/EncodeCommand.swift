import ArgumentParser

/// `recordctl encode`
struct EncodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "encode",
    abstract:
      "Encodes movies, Y4M, images or raw video as ProRes movies, here or on many machines.",
    discussion: """
      recordctl encode INPUT -o FILE encodes here and now; recordctl help encode movie has its \
      options. plan, part and join do the same in parts, on as many machines as there are.
      """,
    subcommands: [
      EncodeMovieCommand.self, EncodePlanCommand.self, EncodePartCommand.self,
      EncodeJoinCommand.self, EncodeStatusCommand.self,
    ],
    defaultSubcommand: EncodeMovieCommand.self)
}
