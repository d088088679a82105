/// How the libraries' remedies are said at the command line: with the verb or option that does it.
///
/// The libraries know neither; a test holds their messages and these phrases together.
enum Remedies {
  /// A phrase of the libraries, and the command's.
  static let phrases: [(library: String, command: String)] = [
    ("allow overwriting", "give --overwrite"),
    ("or skip or overwrite what exists", "or give --skip-existing or --overwrite"),
    ("leave the color space out", "leave --space out"),
    ("leave the quality out", "leave --quality out"),
    (
      "start one that records several takes",
      "use `recordctl channel`, or `recordctl record --takes --control SOCKET`, for several"
    ),
    ("allow it to be created", "create it with --create"),
    ("or keep the originals", "or leave --delete out"),
    ("allow a fallback", "give --allow-fallback for a fallback"),
    ("choose another device", "choose one listed by `recordctl devices`"),
    ("choose another of the device's formats", "choose a format listed by `recordctl formats`"),
    ("choose a device by its identifier", "choose a device listed by `recordctl devices`"),
    ("choose a preset by name", "choose one listed by `recordctl presets`"),
    ("choose the native encoder", "use --encoder native"),
    ("encode from a pipe instead", "`recordctl encode` reads pipes"),
    ("give the folder as the output", "give the folder with --output"),
    ("this one as the audio device", "give this one with --audio"),
    ("use the device pattern", "use --device pattern"),
    ("take photos with it", "use `recordctl photo`"),
    ("leave exposure and gain out", "leave out --exposure and --gain"),
    ("encode in ProRes 4444 to keep it", "--codec 4444 keeps it"),
    ("choose audio tracks by number to keep it", "--audio with its number keeps it"),
    (
      "choose audio tracks, or channels of them, by number, or none",
      "choose tracks or channels with --audio, such as 1:1+2, or none"
    ),
    ("nothing is gained over ProRes 422 HQ", "nothing is gained over --codec hq"),
    (
      "name the field order, or have it detected",
      "set it with --scan, or detect it with --detect-scan"
    ),
    ("name the color if they are not", "--color names it if they are not"),
    ("name the color if you know better", "--color names another if you know better"),
    (
      "name the pixel aspect ratio if you know better", "--sar names another if you know better"
    ),
    ("apply a look-up table, or name the color", "--lut changes it, --color names it"),
    // Behind the longer ones.
    ("name the color", "--color names it"),
    ("deinterlace the source", "give --deinterlace"),
    ("give the first frame's", "give --timecode"),
    ("plan a conversion into it first", "create a job with `recordctl encode plan`"),
    ("in one piece", "in one piece, with `recordctl encode`"),
    ("make the part again", "make it again with `recordctl encode part`"),
    ("choose a smaller restart interval", "give a smaller --restart"),
    ("recover it first", "finish it with `recordctl recover` first"),
    ("recover it", "if it is a take, `recordctl recover` finishes it"),
  ]

  /// A library's message in the command's words.
  static func spoken(_ message: String) -> String {
    phrases.reduce(message) { $0.replacing($1.library, with: $1.command) }
  }
}
