import MediaCore
import Monitor

/// Levels as a line of JSON, the same that ``MessageLine`` would write.
///
/// It goes out twenty times a second, and an encoder takes ten times as long for it, on a thread of the process that
/// records.
enum LevelsLine {
  /// The line of an event that has levels, and loudness or none; nil for any other event, and for a number that JSON
  /// lacks.
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

/// JSON that is written member by member. Texts are those of the program itself, with nothing to escape.
private struct JSONLine {
  private(set) var bytes: [UInt8] = []
  /// False once a number came that JSON lacks.
  private(set) var isWhole = true

  init() { bytes.reserveCapacity(2048) }

  mutating func open() { bytes.append(UInt8(ascii: "{")) }

  mutating func close() { bytes.append(UInt8(ascii: "}")) }

  /// A key, whose value follows.
  mutating func add(_ key: StaticString) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    key.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  mutating func add(_ key: StaticString, text: String) {
    add(key)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\""))
  }

  /// A number; a member that is left out for nil.
  mutating func add(_ key: StaticString, _ number: Int?) {
    guard let number else { return }
    add(key)
    bytes.append(contentsOf: String(number).utf8)
  }

  mutating func add(_ key: StaticString, _ number: Double?) {
    guard let number else { return }
    guard number.isFinite else { return isWhole = false }
    add(key)
    bytes.append(contentsOf: number.description.utf8)
    // As encoders have whole numbers.
    if bytes.suffix(2).elementsEqual(".0".utf8) { bytes.removeLast(2) }
  }

  mutating func add<Value>(
    _ key: StaticString, _ values: [Value], _ write: (Value, inout JSONLine) -> Void
  ) {
    add(key)
    bytes.append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(value, &self)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}
