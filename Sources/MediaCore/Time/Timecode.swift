/// How a timecode counts: frames a second, and whether it drops numbers.
public struct TimecodeFormat: Hashable, Sendable {
  /// The rate of the video.
  public let frameRate: FrameRate
  /// True where the first frame numbers of each minute but every tenth are skipped, so that the
  /// timecode keeps step with the clock (SMPTE ST 12-1; 29.97 and its multiples only).
  public let isDropFrame: Bool

  /// A format; drop-frame counting is refused (nil) at other rates than 30000/1001 and 60000/1001.
  public init?(frameRate: FrameRate, isDropFrame: Bool) {
    guard !isDropFrame || frameRate == .fps29_97 || frameRate == .fps59_94 else { return nil }
    self.frameRate = frameRate
    self.isDropFrame = isDropFrame
  }

  /// The usual format of a rate: drop-frame at 29.97 and 59.94, else non-drop.
  public init(standardFor frameRate: FrameRate) {
    self.frameRate = frameRate
    self.isDropFrame = frameRate == .fps29_97 || frameRate == .fps59_94
  }

  /// Frame numbers in a second: 30 at 29.97.
  public var framesPerSecond: Int { frameRate.nominalFramesPerSecond }

  /// Numbers dropped at the start of a minute: 2 at 29.97, 4 at 59.94, 0 for non-drop.
  public var droppedPerMinute: Int { isDropFrame ? framesPerSecond / 15 : 0 }

  /// Frames from 00:00:00:00 to the next midnight of the timecode.
  public var framesPerDay: Int64 {
    Int64(framesPerSecond) * 86_400 - Int64(droppedPerMinute) * 9 * 6 * 24
  }
}

/// The address of a frame: hours, minutes, seconds, frames, wrapping at 24 hours.
public struct Timecode: Hashable, Sendable {
  /// How the timecode counts.
  public let format: TimecodeFormat
  /// Frames since 00:00:00:00, in `0 ..< format.framesPerDay`.
  public let frameNumber: Int64

  /// The timecode `frameNumber` frames after midnight; any number is taken modulo a day.
  public init(frameNumber: Int64, format: TimecodeFormat) {
    self.format = format
    let day = format.framesPerDay
    let rest = frameNumber % day
    self.frameNumber = rest < 0 ? rest + day : rest
  }

  /// A timecode from its digits; nil where one is out of range or the address is a dropped one.
  public init?(
    hours: Int, minutes: Int, seconds: Int, frames: Int, format: TimecodeFormat
  ) {
    guard (0..<24).contains(hours), (0..<60).contains(minutes), (0..<60).contains(seconds),
      (0..<format.framesPerSecond).contains(frames)
    else { return nil }
    let dropped = format.droppedPerMinute
    if dropped > 0, seconds == 0, frames < dropped, minutes % 10 != 0 { return nil }
    let totalMinutes = hours * 60 + minutes
    let number =
      (totalMinutes * 60 + seconds) * format.framesPerSecond + frames
      - dropped * (totalMinutes - totalMinutes / 10)
    self.init(frameNumber: Int64(number), format: format)
  }

  /// Reads `HH:MM:SS:FF`, or `HH:MM:SS;FF` and `HH:MM:SS.FF` for drop-frame, at a rate.
  ///
  /// - Returns: nil where the text is no timecode, an address does not exist, or it asks for
  ///   drop-frame at a rate that has none.
  public init?(_ text: String, frameRate: FrameRate) {
    let pieces = text.split(
      omittingEmptySubsequences: false, whereSeparator: { ":;.".contains($0) })
    guard pieces.count == 4, pieces.dropLast().allSatisfy({ $0.utf8.count <= 2 }),
      pieces.allSatisfy({ $0.utf8.count <= 3 })
    else { return nil }
    let numbers = pieces.compactMap {
      $0.utf8.allSatisfy({ (0x30...0x39).contains($0) }) ? Int($0) : nil
    }
    guard numbers.count == 4 else { return nil }
    let separators = text.filter { ":;.".contains($0) }
    guard separators.dropLast().allSatisfy({ $0 == ":" || $0 == ";" }) else { return nil }
    guard
      let format = TimecodeFormat(frameRate: frameRate, isDropFrame: separators.last != ":")
    else { return nil }
    self.init(
      hours: numbers[0], minutes: numbers[1], seconds: numbers[2], frames: numbers[3],
      format: format)
  }

  /// The digits of the address.
  public var components: (hours: Int, minutes: Int, seconds: Int, frames: Int) {
    var number = Int(frameNumber)
    let dropped = format.droppedPerMinute
    let rate = format.framesPerSecond
    if dropped > 0 {
      let perTenMinutes = rate * 600 - dropped * 9
      let perMinute = rate * 60 - dropped
      let (tens, rest) = number.quotientAndRemainder(dividingBy: perTenMinutes)
      number += dropped * 9 * tens
      if rest >= rate * 60 { number += dropped * ((rest - rate * 60) / perMinute + 1) }
    }
    let (seconds, frames) = number.quotientAndRemainder(dividingBy: rate)
    return (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60, frames)
  }

  /// The timecode `frames` later, wrapping at 24 hours.
  public func advanced(by frames: Int64) -> Timecode {
    Timecode(frameNumber: frameNumber + frames % format.framesPerDay, format: format)
  }

  /// Frames from this timecode forward to `other` (0 up to a day), counting over midnight.
  public func distance(to other: Timecode) -> Int64 {
    let difference = (other.frameNumber - frameNumber) % format.framesPerDay
    return difference < 0 ? difference + format.framesPerDay : difference
  }
}

extension Timecode: CustomStringConvertible {
  /// `HH:MM:SS:FF`, with a semicolon before the frames for drop-frame.
  public var description: String {
    let parts = components
    func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return pad(parts.hours) + ":" + pad(parts.minutes) + ":" + pad(parts.seconds)
      + (format.isDropFrame ? ";" : ":") + pad(parts.frames)
  }
}
