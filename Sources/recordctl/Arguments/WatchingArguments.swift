import ArgumentParser

/// How a recording informs its user, and whether it continues without one.
struct WatchingArguments: ParsableArguments {
  @Flag(help: "Ring the terminal's bell when frames are dropped.")
  var bell = false

  @Option(
    help: """
      When the terminal goes away (SIGHUP): finish the movie, or continue without it. Under nohup a \
      recording always continues.
      """, completion: HangupPolicy.completions, transform: HangupPolicy.argument)
  var onHangup = HangupPolicy.finish
}
