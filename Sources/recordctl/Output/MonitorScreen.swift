import MediaCore
import Monitor
import RecorderControl
import VideoRecorder

/// What a monitor shows, and how that looks in a terminal.
struct MonitorScreen {
  var status: RecorderStatus?
  var levels: [LevelMeter.Level] = []
  var loudness: Loudness?
  /// Density by column and level, the lowest level first.
  var waveform: (width: Int, height: Int, densities: [UInt8])?
  var alarms: Set<String> = []
  /// What was said last.
  var message = ""
  /// What the keys mean now.
  var legend = ""
  /// True where block characters are shown.
  var hasBlocks = false
  /// True while the recorder does not answer: what is shown is what it said last.
  var isSilent = false
  /// When levels came last, and the waveform.
  private var levelsAt: ContinuousClock.Instant?
  private var waveformAt: ContinuousClock.Instant?

  /// For how long levels and a waveform are of now.
  private static let fresh = Duration.seconds(3)

  /// Levels have come.
  mutating func take(
    _ levels: [LevelMeter.Level], _ loudness: Loudness?, at now: ContinuousClock.Instant
  ) {
    (self.levels, self.loudness, levelsAt) = (levels, loudness, now)
  }

  /// A frame has come, with its waveform.
  mutating func take(
    _ waveform: (width: Int, height: Int, densities: [UInt8])?, at now: ContinuousClock.Instant
  ) {
    (self.waveform, waveformAt) = (waveform, now)
  }

  /// Takes away what is followed by nothing: it would look like what comes in now.
  mutating func age(at now: ContinuousClock.Instant) {
    if let levelsAt, now - levelsAt > Self.fresh { (levels, loudness) = ([], nil) }
    if let waveformAt, now - waveformAt > Self.fresh { waveform = nil }
  }

  /// The lines for a terminal of a size.
  func lines(columns: Int, rows: Int) -> [StatusText] {
    var lines = head(columns: columns)
    lines += meters(columns: columns, most: max(rows - lines.count - 2, 0))
    if let loudness, lines.count < rows - 2 { lines.append(Self.text(loudness)) }
    let room = rows - lines.count - 2
    if room >= 4 { lines += scope(columns: columns, rows: min(room, 18)) }
    lines = Array(lines.prefix(max(rows - 2, 1)))
    lines.append(StatusText(message))
    lines.append(StatusText(legend))
    return lines.suffix(rows).map { $0.prefix(columns: columns) }
  }

  /// What is wrong stands first, or in a line of its own: a narrow terminal cuts the ends of lines.
  private func head(columns: Int) -> [StatusText] {
    guard let status else {
      return [StatusText(isSilent ? "the recorder does not answer" : "connecting")]
    }
    func alarm(_ text: String) -> StatusText { StatusText([.init(text: text, style: .alarm)]) }
    let isRecording = status.state == .recording
    let state = ControlText.state(status)
    var lines: [StatusText] = []
    if isSilent { lines.append(alarm("THE RECORDER DOES NOT ANSWER: this is its last status")) }
    lines.append(isRecording ? alarm("REC  " + state) : StatusText(state))
    if let message = status.message { lines.append(alarm(message)) }
    let progress = status.progress
    lines.append(
      StatusText(
        "\(progress?.timecode ?? "--:--:--:--")  elapsed "
          + ControlText.clock(isRecording ? progress?.duration ?? 0 : 0)
          + "  takes \(status.takesFinished)"))
    lines.append(figures(status, columns: columns))
    if let source = status.source {
      lines.append(
        StatusText([
          .init(text: source.hasSignal ? "" : "NO SIGNAL  ", style: .alarm),
          .init(text: "\(source.deviceName)  \(source.format)  \(source.preset) \(source.codec)"),
        ]))
    }
    if !alarms.isEmpty {
      lines.append(alarm(alarms.sorted().joined(separator: "  ").uppercased()))
    }
    return lines
  }

  private func figures(_ status: RecorderStatus, columns: Int) -> StatusText {
    func part(_ text: String, _ isWrong: Bool) -> StatusText.Part {
      .init(text: text + "  ", style: isWrong ? .alarm : .plain)
    }
    let room = status.secondsLeft.map { part("disk \(ControlText.minutes($0)) min", $0 < 300) }
    guard let progress = status.progress else { return StatusText([room].compactMap(\.self)) }
    var parts = [
      part("\(progress.dropped) dropped", progress.dropped > 0),
      part("\(progress.repeated) repeated", progress.repeated > 0),
      part("\(progress.damaged) damaged", progress.damaged > 0),
      part(
        "queue \(progress.queue)/\(progress.queueDepth)",
        progress.queue * 2 > progress.queueDepth && progress.queueDepth > 0),
    ]
    if let room { parts.append(room) }
    if let place = progress.lostPlace { parts.append(part(ControlText.lostPlace(place), true)) }
    if progress.isDiskBehind { parts.append(part("DISK SLOW", true)) }
    let line = StatusText(parts)
    guard line.columns > columns else { return line }
    return StatusText(parts.filter { $0.style == .alarm } + parts.filter { $0.style != .alarm })
  }

  // MARK: Meters

  /// The lowest level of the meters, in dBFS.
  private static let floor = -60.0

  private func meters(columns: Int, most: Int) -> [StatusText] {
    let width = max(min(columns - 24, 60), 8)
    return levels.prefix(most).enumerated().map { index, level in
      var bar = Array(repeating: Character(hasBlocks ? "·" : "."), count: width)
      func place(_ decibels: Double) -> Int {
        Int((min(max(decibels, Self.floor), 0) - Self.floor) / -Self.floor * Double(width - 1))
      }
      if let peak = level.peak, peak > Self.floor {
        for column in 0...place(peak) { bar[column] = hasBlocks ? "▆" : "#" }
      }
      if let held = level.held, held > Self.floor { bar[place(held)] = hasBlocks ? "▐" : "|" }
      let number = level.peak.map { Quantity.number($0, 1) } ?? "-"
      return StatusText([
        .init(text: Self.padded("\(index + 1)", 3) + " " + String(bar) + " "),
        .init(text: Self.padded(number, 6) + " dB"),
        .init(text: level.clips > 0 ? "  CLIP \(level.clips)" : "", style: .alarm),
      ])
    }
  }

  /// Loudness in the order of EBU R128; `-` for what has no value.
  private static func text(_ loudness: Loudness) -> StatusText {
    func value(_ value: Double?) -> String { value.map { Quantity.number($0, 1) } ?? "-" }
    let lost = loudness.lostFrames.map { "  \($0) audio frames not measured" } ?? ""
    return StatusText([
      .init(
        text: "M \(value(loudness.momentary))  S \(value(loudness.shortTerm))  "
          + "I \(value(loudness.integrated)) LUFS  LRA \(value(loudness.range)) LU  "
          + "TP \(value(loudness.truePeak)) dBTP  "
          + (loudness.take.map { "take \($0)" } ?? "input")
          + " \(ControlText.clock(loudness.seconds))"),
      .init(text: lost, style: .alarm),
    ])
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(width - text.count, 0)) + text
  }

  // MARK: Waveform

  private func scope(columns: Int, rows: Int) -> [StatusText] {
    guard let waveform, waveform.width > 0, waveform.height > 0,
      waveform.densities.count == waveform.width * waveform.height
    else { return [] }
    let width = max(min(columns - 6, 100), 8)
    let shades = Array(hasBlocks ? " ░▒▓█" : " .:*#")
    // From the bottom: the first row of the map is that of the lowest level.
    return (0..<rows).reversed().map { row in
      let levels = row * waveform.height / rows..<(row + 1) * waveform.height / rows
      let line = (0..<width).map { column -> Character in
        let from = column * waveform.width / width
        let to = max((column + 1) * waveform.width / width, from + 1)
        var most: UInt8 = 0
        for level in levels {
          for place in from..<min(to, waveform.width) {
            most = max(most, waveform.densities[level * waveform.width + place])
          }
        }
        return most == 0 ? " " : shades[min(1 + Int(most) / 64, shades.count - 1)]
      }
      return StatusText(Self.padded(Self.label(levels), 5) + " " + String(line))
    }
  }

  /// The code that a row holds, where that is black or nominal white.
  private static func label(_ levels: Range<Int>) -> String {
    for code in [64, 940] where levels.contains(code / 4) { return "\(code)" }
    return ""
  }
}
