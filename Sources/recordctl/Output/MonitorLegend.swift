/// What the keys of a monitor mean now, in a line that fits its terminal.
enum MonitorLegend {
  private static let commands = [
    "Enter start  s twice: stop  x split  m mark  b standby  q quit the monitor",
    "Enter start  ss stop  x split  m mark  b  q quit", "Enter start  ss stop  x m b  q quit",
    "Enter ss x m b  q quit",
  ]

  /// The keys that control the recorder, in the longest form that fits.
  static func commands(columns: Int) -> String {
    commands.first { $0.columns <= columns } ?? "q quit"
  }

  /// While a note is typed: its end, if it is longer than the terminal is wide.
  static func typing(_ note: String, columns: Int) -> String {
    let (label, keys) = ("note: ", "  (Enter marks, Esc cancels)")
    let room = columns - label.columns - 1
    var shown = Substring(note)
    while !shown.isEmpty, String(shown).visible.columns > room { shown.removeFirst() }
    let line = label + shown + "_"
    return shown.count == note.count && line.columns + keys.columns <= columns ? line + keys : line
  }
}
