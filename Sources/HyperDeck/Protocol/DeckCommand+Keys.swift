extension DeckCommand {
  /// The commands that are understood, with the keys of each. They include those that are refused, so
  /// commands of other decks are distinguished from nonsense.
  static let keys: [String: [String]] = [
    "help": [], "?": [], "commands": [], "device info": [], "ping": [], "quit": [],
    "uptime": [], "stop": [], "transport info": [], "clips count": [],
    "disk list": ["slot id"],
    "preview": ["enable"],
    "record": ["name", "spill", "slot id"],
    "record spill": ["slot id"],
    "clips get": ["clip id", "count", "version"],
    "slot info": ["slot id"],
    "slot select": ["slot id", "video format"],
    "notify": [
      "remote", "transport", "slot", "configuration", "dropped frames", "display timecode",
      "timeline position", "playrange", "cache", "dynamic range", "slate", "clips", "disk",
      "device info", "nas",
    ],
    "remote": ["enable", "override"],
    "configuration": [
      "video input", "audio input", "file format", "audio codec", "timecode input",
      "timecode output", "timecode preference", "timecode preset", "audio input channels",
      "record trigger", "record prefix", "record cache", "append timestamp", "reference source",
      "genlock input resync", "usb spill", "default standard", "audio mapping",
    ],
    "watchdog": ["period"],
  ].merging(refused.map { ($0, refusedKeys) }) { known, _ in known }

  /// Commands of other decks that this one refuses: playback, which a recorder lacks, and harmful ones.
  static let refused = [
    "play", "playrange", "playrange set", "playrange clear", "play on startup", "play option",
    "goto", "jog", "shuttle", "clips add", "clips remove", "clips clear", "clips rebuild",
    "clip info", "cache info", "dynamic range", "identify", "spill order", "slot unblock",
    "format", "reboot", "authenticate", "connection protocol", "slate clips", "slate project",
    "slate lens", "nas add", "nas remove", "nas select", "nas list", "external drive list",
    "external drive select",
  ]

  /// The keys of refused commands, so that a block of lines is read to its end.
  private static let refusedKeys = [
    "speed", "loop", "single clip", "clip id", "clip", "count", "in", "out", "timeline in",
    "timeline out", "timeline", "timecode", "enable", "stop mode", "name", "slot id", "prepare",
    "confirm", "playback override", "record override", "order", "response version",
  ]

  /// The commands that are carried out, by name, for `help` and `commands`.
  static let offered = keys.keys.filter { !refused.contains($0) }.sorted()
}
