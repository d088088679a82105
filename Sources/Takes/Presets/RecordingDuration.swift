public import MediaCore

/// How long to record: a time, or a number of frames.
public enum RecordingDuration: Sendable, Hashable {
  /// Seconds, greater than zero.
  case seconds(Double)
  /// Frames, at least one.
  case frames(Int)

  /// Reads `10`, `10s`, `1.5s`, `1m30s`, `2h`, or `300f` for frames; nil for anything else, for
  /// nothing, and for more than a year.
  public init?(_ text: String) {
    if text.hasSuffix("f") {
      guard let frames = Int(text.dropLast()), frames > 0, text.first?.isNumber == true else {
        return nil
      }
      self = .frames(frames)
      return
    }
    var total = 0.0
    var digits = ""
    var remainingUnits: [Character: Double] = ["h": 3600, "m": 60, "s": 1]
    for character in text {
      if character.isASCII, character.isNumber || character == "." {
        digits.append(character)
      } else {
        // Each unit once, and the larger ones first.
        guard let factor = remainingUnits[character], let value = Double(digits) else {
          return nil
        }
        remainingUnits = remainingUnits.filter { $0.value < factor }
        total += value * factor
        digits = ""
      }
    }
    if !digits.isEmpty {
      guard remainingUnits.count == 3, let value = Double(digits) else { return nil }
      total += value
    }
    guard total > 0, total <= Self.longestSeconds else { return nil }
    self = .seconds(total)
  }

  /// Seconds of the longest one: a year.
  private static let longestSeconds = 366.0 * 86_400
  /// The limit as error messages give it.
  package static let limit = "at most 8784h, a year"

  /// The duration at a rate, exactly where it is a number of frames.
  public func time(at rate: FrameRate) -> MediaTime {
    switch self {
    case .seconds(let seconds): MediaTime(seconds: seconds, preferredTimescale: 1_000_000)
    case .frames(let count): rate.time(ofFrame: Int64(count))
    }
  }

  /// The duration in seconds; that of frames at a rate, or at 25 where it is not known.
  public func seconds(at rate: FrameRate?) -> Double {
    switch self {
    case .seconds(let seconds): seconds
    case .frames(let count): Double(count) / (rate ?? .fps25).framesPerSecond
    }
  }

  /// The frames at a rate, at least one; a part of a frame counts as one.
  public func frameCount(at rate: FrameRate) -> Int {
    switch self {
    case .seconds(let seconds):
      max(1, Int(saturating: (seconds * rate.framesPerSecond - 1e-6).rounded(.up)))
    case .frames(let count): count
    }
  }
}

/// Sizes of files as people write them.
enum ByteCount {
  /// Reads bytes, or a number with `kB`, `MB`, `GB`, `TB` (powers of 1000); nil for anything else.
  static func parse(_ text: String) -> Int64? {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.dropFirst(number.count).drop { $0 == " " }
    let factors: [Substring: Double] = ["": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12]
    guard let factor = factors[unit], let value = Double(number), value > 0,
      let bytes = Int64(exactly: (value * factor).rounded())
    else { return nil }
    return bytes
  }
}
