import MediaCore
import Monitor

/// Levels as a line of JSON, the same that ``MessageLine`` would write.
///
/// It goes out twenty times a second, and an encoder takes ten times as long for it, on a thread of the process that
/// records.
enum LevelsLine {
  /// The line of an event with levels, with or without loudness; nil for any other event, and for a number
  /// that JSON cannot represent.
  static func bytes(_ event: RecorderEvent) -> [UInt8]? {
    guard event.event == .levels, let levels = event.levels else { return nil }
    var known = known
    (known.date, known.levels, known.loudness) = (event.date, levels, event.loudness)
    guard event == known else { return nil }
    var text = JSONLine()
    text.open()
    text.add("date", text: event.date)
    text.add("event", text: event.event.rawValue)
    text.add("levels", levels) { write($0, to: &$1) }
    if let loudness = event.loudness {
      text.add("loudness")
      write(loudness, to: &text)
    }
    text.add("schema", text: DocumentKind.recorderEvent.schema)
    text.add("version", DocumentKind.version)
    text.close()
    return text.isWhole ? text.bytes + [0x0A] : nil
  }

  /// Of an event, all that is written.
  private static let known = RecorderEvent(.levels)

  private static func write(_ level: LevelMeter.Level, to text: inout JSONLine) {
    text.open()
    text.add("clips", level.clips)
    text.add("held", level.held)
    text.add("peak", level.peak)
    text.add("rms", level.rms)
    text.close()
  }

  private static func write(_ loudness: Loudness, to text: inout JSONLine) {
    text.open()
    text.add("channels", loudness.channels)
    text.add("integrated", loudness.integrated)
    text.add("lostFrames", loudness.lostFrames)
    text.add("momentary", loudness.momentary)
    text.add("range", loudness.range)
    text.add("seconds", loudness.seconds)
    text.add("shortTerm", loudness.shortTerm)
    text.add("take", loudness.take)
    text.add("truePeak", loudness.truePeak)
    text.close()
  }
}
