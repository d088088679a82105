import ArgumentParser

/// How a recording informs its user, and whether it continues without one.
struct WatchingArguments: ParsableArguments {
  @Flag(help: "Ring the terminal bell when frames are dropped.")
  var bell = false

  @Option(
    help: ArgumentHelp(
      """
      When the terminal closes (SIGHUP): finish the movie, or continue without the terminal \
      (default: finish). Under nohup, recording always continues.
      """, valueName: "policy"), completion: HangupPolicy.completions,
    transform: HangupPolicy.argument)
  var onHangup = HangupPolicy.finish
}
