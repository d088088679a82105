public import MediaCore

/// A point in a source, as users write it: a timecode, a time or a frame number.
public enum ExportPoint: Sendable, Hashable {
  /// The source's timecode: `10:00:00:00`, `10:00:00;00`.
  case timecode(String)
  /// A time from the first frame: `12.5`, `12.5s`, `1:30`, `00:01:30.5`.
  case time(MediaTime)
  /// A frame number from 0: `250f`.
  case frame(Int64)

  /// Parses a point; nil if invalid.
  public init?(_ text: String) {
    let parts = text.split(omittingEmptySubsequences: false, whereSeparator: { ":;".contains($0) })
    if parts.count == 4 {
      guard parts.allSatisfy({ (1...3).contains($0.utf8.count) && Self.isDigits($0) }) else {
        return nil
      }
      self = .timecode(text)
      return
    }
    if text.hasSuffix("f"), Self.isDigits(text.dropLast()), let frame = Int64(text.dropLast()) {
      self = .frame(frame)
      return
    }
    guard !text.contains(";"), (1...3).contains(parts.count) else { return nil }
    var seconds: Int64 = 0
    for part in parts.dropLast() {
      guard Self.isDigits(part), let number = Int64(part), number < 1_000_000 else { return nil }
      seconds = (seconds + number) * 60
    }
    var last = parts[parts.count - 1]
    if parts.count == 1, last.hasSuffix("s") { last = last.dropLast() }
    // At most nine decimals, so that every time is exact.
    let pieces = last.split(separator: ".", omittingEmptySubsequences: false)
    guard pieces.count <= 2, let whole = pieces.first, Self.isDigits(whole),
      let number = Int64(whole), number < 10_000_000
    else { return nil }
    var nanoseconds: Int64 = 0
    if pieces.count == 2 {
      guard Self.isDigits(pieces[1]), pieces[1].utf8.count <= 9 else { return nil }
      let digits = pieces[1] + String(repeating: "0", count: 9 - pieces[1].utf8.count)
      guard let value = Int64(digits) else { return nil }
      nanoseconds = value
    }
    self = .time(
      MediaTime(value: (seconds + number) * 1_000_000_000 + nanoseconds, timescale: 1_000_000_000))
  }

  private static func isDigits(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// The frame of a source that the point refers to.
  ///
  /// - Parameters:
  ///   - rate: The source's frame rate.
  ///   - start: The first frame's timecode; nil if there is none.
  /// - Returns: The frame number from 0, which may be beyond the end; nil for a timecode that does
  ///   not exist or is before the first frame's.
  func frame(rate: FrameRate, start: Timecode?) -> Int64? {
    switch self {
    case .frame(let frame): return frame
    case .time(let time): return rate.frameIndex(nearest: time)
    case .timecode(let text):
      guard let start else { return nil }
      // The source determines drop-frame counting, not the separator.
      let plain = text.replacing(";", with: ":")
      var separated = plain
      if start.format.isDropFrame, let last = plain.lastIndex(of: ":") {
        separated.replaceSubrange(last...last, with: ";")
      }
      guard let address = Timecode(separated, frameRate: rate) else { return nil }
      let distance = start.distance(to: address)
      // Timecode wraps at midnight: more than half a day ahead means earlier.
      return distance < 0 || distance > start.format.framesPerDay / 2 ? nil : distance
    }
  }
}

extension ExportPoint {
  /// The textual form of the point.
  package var text: String {
    switch self {
    case .timecode(let text): return text
    case .frame(let frame): return "\(frame)f"
    case .time(let time):
      let nanoseconds = time.converted(toTimescale: 1_000_000_000).value
      let rest = String(nanoseconds % 1_000_000_000)
      return "\(nanoseconds / 1_000_000_000)."
        + String(repeating: "0", count: max(9 - rest.count, 0)) + rest + "s"
    }
  }
}
